package io.duroxide.provider.tck;

import io.duroxide.provider.tck.ConformanceReport.Entry;
import io.duroxide.provider.tck.ConformanceReport.Verdict;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;

/** Runs categories and notes how their entries end. Thread-safe. */
final class ConformanceRun implements TestExecutionListener {
  private final Queue<Entry> entries = new ConcurrentLinkedQueue<>();
  private final Map<String, String> notes = new ConcurrentHashMap<>();
  private @Nullable TestPlan plan;

  private ConformanceRun() {}

  /** Runs these categories with the fixture that {@link NamedFixture} names. */
  static ConformanceReport of(List<? extends Class<?>> suites) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(suites.stream().map(DiscoverySelectors::selectClass).toList())
            .build();
    var run = new ConformanceRun();
    LauncherFactory.create().execute(request, run);
    return new ConformanceReport(List.copyOf(run.entries));
  }

  @Override
  public void testPlanExecutionStarted(TestPlan testPlan) {
    plan = testPlan;
  }

  @Override
  public void executionSkipped(TestIdentifier identifier, String reason) {
    TestPlan all = Objects.requireNonNull(plan);
    if (identifier.isTest()) {
      entries.add(new Entry(identifier.getDisplayName(), Verdict.SKIPPED, reason));
      return;
    }
    all.getChildren(identifier).forEach(child -> executionSkipped(child, reason));
  }

  @Override
  public void reportingEntryPublished(TestIdentifier identifier, ReportEntry entry) {
    String note =
        entry.getKeyValuePairs().entrySet().stream()
            .map(pair -> pair.getKey() + " " + pair.getValue())
            .collect(Collectors.joining(", "));
    notes.merge(identifier.getUniqueId(), note, (old, added) -> old + ", " + added);
  }

  @Override
  public void executionFinished(TestIdentifier identifier, TestExecutionResult result) {
    boolean successful = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
    if (identifier.isContainer() && successful) {
      return;
    }
    String cause = result.getThrowable().map(ConformanceRun::line).orElse("");
    Entry entry =
        switch (result.getStatus()) {
          case SUCCESSFUL -> new Entry(identifier.getDisplayName(), Verdict.PASSED, "");
          case ABORTED -> new Entry(identifier.getDisplayName(), Verdict.SKIPPED, cause);
          case FAILED ->
              new Entry(identifier.getDisplayName(), Verdict.FAILED, cause + note(identifier));
        };
    entries.add(entry);
  }

  private String note(TestIdentifier identifier) {
    String note = notes.get(identifier.getUniqueId());
    return note == null ? "" : " (" + note + ")";
  }

  private static String line(Throwable failure) {
    return failure.toString().strip().replaceAll("\\s+", " ");
  }
}
