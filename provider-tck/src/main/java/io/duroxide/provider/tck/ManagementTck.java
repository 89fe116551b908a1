package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.Semver;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.ExecutionPin;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.InstancePage;
import io.duroxide.provider.InstanceQuery;
import io.duroxide.provider.InstanceStatus;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.SystemMetrics;
import io.duroxide.provider.TurnCommit;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** MGMT: listing and inspecting instances and executions. */
public abstract class ManagementTck extends LifecycleSteps {
  /** For subclasses. */
  protected ManagementTck() {}

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-01 every instance is listed")
  void listed() {
    create("a");
    create("b");
    create("c");
    assertThat(admin().listInstances()).containsExactlyInAnyOrder("a", "b", "c");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-02 a completed instance is listed under its status")
  void listedByStatus() {
    createCompleted("x");
    assertThat(admin().listInstancesByStatus("Completed")).contains("x");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-03 the first execution is listed")
  void firstExecution() {
    create("x");
    assertThat(admin().listExecutions("x")).containsExactly(1L);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-04 an instance is shown with its name, version and current execution")
  void instanceInfo() {
    start("x");
    ack(
        fetched("x"),
        TurnCommit.events(
            1,
            List.of(Events.started(new ExecutionKey("x", 1))),
            ExecutionMetadata.started("InfoOrch", "2.0.0")));
    InstanceInfo info = admin().instanceInfo("x");
    assertThat(info.current()).isEqualTo(new ExecutionKey("x", 1));
    assertThat(info.orchestration()).isEqualTo(new OrchestrationIdentity("InfoOrch", "2.0.0"));
    assertThat(info.status()).isEqualTo(ExecutionStatus.RUNNING);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-05 an execution is shown even if its commit named no orchestration")
  void executionInfo() {
    ExecutionKey execution = new ExecutionKey("x", 1);
    start("x");
    ack(
        fetched("x"),
        TurnCommit.events(
            1,
            List.of(Events.started(execution)),
            ExecutionMetadata.NONE.withStatus(ExecutionStatus.COMPLETED, "result")));
    ExecutionInfo info = admin().executionInfo(execution);
    assertThat(info.status()).isEqualTo(ExecutionStatus.COMPLETED);
    assertThat(info.output()).isEqualTo("result");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-06 a new instance is counted")
  void counted() {
    long before = admin().systemMetrics().totalInstances();
    create("x");
    SystemMetrics after = admin().systemMetrics();
    assertThat(after.totalInstances()).isEqualTo(before + 1);
    assertThat(after.totalEvents()).isPositive();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-14 each status lists exactly its own instances")
  void everyStatus() {
    create("running");
    createCompleted("completed");
    create("failed");
    fail("failed");
    create("continued");
    endForContinue("continued");
    assertThat(admin().listInstancesByStatus("Running")).containsExactly("running");
    assertThat(admin().listInstancesByStatus("Completed")).containsExactly("completed");
    assertThat(admin().listInstancesByStatus("Failed")).containsExactly("failed");
    assertThat(admin().listInstancesByStatus("ContinuedAsNew")).containsExactly("continued");
    assertThat(admin().listInstancesByStatus("Nonsense")).isEmpty();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-15 the newest instance is listed first")
  void newestFirst() {
    for (String instance : List.of("b", "c", "a")) {
      create(instance);
      tick();
    }
    complete("b");
    assertThat(admin().listInstances()).containsExactly("a", "c", "b");
    assertThat(admin().listInstances(InstanceQuery.firstPage(10)).rows())
        .extracting(InstanceInfo::instance)
        .containsExactly("a", "c", "b");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-16 executions are listed in order, none for an unknown instance")
  void executionsInOrder() {
    create("x");
    continueUpTo("x", 3);
    assertThat(admin().listExecutions("x")).containsExactly(1L, 2L, 3L);
    assertThat(admin().latestExecutionId("x")).isEqualTo(3);
    assertThat(admin().listExecutions("nobody")).isEmpty();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-17 what is unknown is NOT_FOUND, and has no history")
  void unknown() {
    create("x");
    fails(Kind.NOT_FOUND, () -> admin().instanceInfo("nobody"));
    fails(Kind.NOT_FOUND, () -> admin().executionInfo(new ExecutionKey("nobody", 1)));
    fails(Kind.NOT_FOUND, () -> admin().executionInfo(new ExecutionKey("x", 2)));
    fails(Kind.NOT_FOUND, () -> admin().latestExecutionId("nobody"));
    assertThat(admin().readHistory("nobody")).isEmpty();
    assertThat(admin().readHistoryWithExecutionId(new ExecutionKey("x", 2))).isEmpty();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-18 event count, output and times of an execution are exact")
  void exactExecutions() {
    Instant created = now();
    create("x");
    tick();
    Instant continued = now();
    continueAsNew("x", 2);
    tick();
    Instant completed = now();
    complete("x");
    tick();
    Instant later = now();
    create("y");
    fail("y");
    create("z");
    shows(new ExecutionKey("x", 1), ExecutionStatus.CONTINUED_AS_NEW, "{}");
    lasted(new ExecutionKey("x", 1), List.of(created, continued, completed));
    shows(new ExecutionKey("x", 2), ExecutionStatus.COMPLETED, "done");
    lasted(new ExecutionKey("x", 2), List.of(continued, completed, later));
    shows(new ExecutionKey("y", 1), ExecutionStatus.FAILED, "boom");
    ExecutionInfo running = admin().executionInfo(new ExecutionKey("z", 1));
    assertThat(running)
        .isEqualTo(
            new ExecutionInfo(
                1, ExecutionStatus.RUNNING, null, running.startedAt(), null, 1, null));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-19 every figure of a known store is exact")
  void exactMetrics() {
    create("running");
    createCompleted("completed");
    create("failed");
    fail("failed");
    create("between");
    endForContinue("between");
    create("twice");
    continueAsNew("twice", 2);
    start("queued");
    assertThat(admin().systemMetrics()).isEqualTo(new SystemMetrics(5, 6, 10, 3, 1, 1));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-21 history through management equals history through the provider")
  void sameHistory() {
    create("x");
    continueAsNew("x", 2);
    complete("x");
    ExecutionKey first = new ExecutionKey("x", 1);
    assertThat(admin().readHistory("x")).isEqualTo(provider.read("x")).hasSize(2);
    assertThat(admin().readHistoryWithExecutionId(first))
        .isEqualTo(provider.readWithExecution(first))
        .hasSize(2);
  }

  @Test
  @DisplayName("TCK-MGMT-22 the status follows an instance from start to end")
  void statusFollows() {
    assertThat(provider.status("x")).isEmpty();
    create("x");
    statusIs("x", 1, ExecutionStatus.RUNNING, null, new CustomStatus(null, 0));
    change("x", new EventKind.CustomStatusUpdated("half"));
    CustomStatus half = new CustomStatus("half", 1);
    endForContinue("x");
    statusIs("x", 1, ExecutionStatus.CONTINUED_AS_NEW, "{}", half);
    enqueue(Items.continueAsNew("x"));
    ack(fetched("x"), firstTurn(new ExecutionKey("x", 2)));
    statusIs("x", 2, ExecutionStatus.RUNNING, null, half);
    complete("x");
    statusIs("x", 2, ExecutionStatus.COMPLETED, "done", half);
    create("y");
    fail("y");
    statusIs("y", 1, ExecutionStatus.FAILED, "boom", new CustomStatus(null, 0));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-23 a paged listing repeats and misses nothing while others are added")
  void paged() {
    List<String> all = new ArrayList<>();
    for (int i = 0; i < 250; i++) {
      create("x" + i);
      all.add("x" + i);
    }
    List<String> seen = new ArrayList<>();
    InstancePage page = admin().listInstances(InstanceQuery.firstPage(40));
    seen.addAll(ids(page));
    for (int added = 0; page.next() != null; added++) {
      create("added" + added);
      page = admin().listInstances(InstanceQuery.firstPage(40).after(page.next()));
      seen.addAll(ids(page));
    }
    assertThat(seen).doesNotHaveDuplicates().containsAll(all);
  }

  private static List<String> ids(InstancePage page) {
    assertThat(page.rows()).hasSizeLessThanOrEqualTo(40);
    return page.rows().stream().map(InstanceInfo::instance).toList();
  }

  private void shows(ExecutionKey execution, ExecutionStatus status, String output) {
    ExecutionInfo info = admin().executionInfo(execution);
    assertThat(info.executionId()).isEqualTo(execution.executionId());
    assertThat(info.status()).isEqualTo(status);
    assertThat(info.output()).isEqualTo(output);
    assertThat(info.eventCount()).isEqualTo(2);
  }

  /** Started between the first two instants, completed between the last two. */
  private void lasted(ExecutionKey execution, List<Instant> marks) {
    ExecutionInfo info = admin().executionInfo(execution);
    assertThat(info.startedAt()).isBetween(marks.get(0), marks.get(1));
    assertThat(info.completedAt()).isBetween(marks.get(1), marks.get(2));
  }

  private void statusIs(
      String instance,
      long execution,
      ExecutionStatus status,
      @Nullable String output,
      CustomStatus custom) {
    InstanceStatus found = present(provider.status(instance));
    assertThat(found)
        .isEqualTo(new InstanceStatus(execution, status, output, custom, found.updatedAt()));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-60 executions and instances show the pin, its three numbers")
  void pins() {
    create("x");
    assertThat(admin().instanceInfo("x").pin()).isNull();
    assertThat(admin().executionInfo(first("x")).pin()).isNull();

    turn("x", new EventKind.ExternalEvent("signal", "poke"), pinned("1.2.3-rc1"));
    endForContinue("x");
    enqueue(Items.continueAsNew("x"));
    ExecutionKey second = new ExecutionKey("x", 2);
    ack(
        fetched("x"),
        TurnCommit.events(2, firstTurn(second).historyDelta(), pinned("9999999999.0.4")));

    assertThat(admin().listExecutions("x", 0, 10))
        .extracting(ExecutionInfo::pin)
        .containsExactly(new ExecutionPin("1.2.3"), new ExecutionPin("9999999999.0.4"));
    assertThat(admin().executionInfo(first("x")).pin()).isEqualTo(new ExecutionPin("1.2.3"));
    assertThat(admin().instanceInfo("x").pin()).isEqualTo(new ExecutionPin("9999999999.0.4"));
    assertThat(admin().listInstances(new InstanceQuery(InstanceFilter.ALL, null, 10)).rows())
        .extracting(InstanceInfo::pin)
        .containsExactly(new ExecutionPin("9999999999.0.4"));
  }

  private static ExecutionMetadata pinned(String version) {
    return identity().withPinnedVersion(Semver.parse(version));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MGMT-60 a status without output clears the output")
  void outputIsCleared() {
    create("x");
    turn(
        "x",
        new EventKind.ExternalEvent("signal", "poke"),
        identity().withStatus(ExecutionStatus.FAILED, "boom"));
    turn(
        "x",
        new EventKind.ExternalEvent("signal", "poke"),
        identity().withStatus(ExecutionStatus.COMPLETED, null));

    assertThat(provider.status("x").orElseThrow().output()).isNull();
    assertThat(admin().instanceInfo("x").output()).isNull();
    assertThat(admin().executionInfo(first("x")).output()).isNull();
  }
}
