package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.duroxide.provider.tck.ConformanceReport.Entry;
import io.duroxide.provider.tck.ConformanceReport.Verdict;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.Modifier;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.api.parallel.Resources;
import org.junit.platform.commons.support.ReflectionSupport;

@DisplayName("Running the kit")
@ResourceLock(Resources.SYSTEM_PROPERTIES)
class ConformanceRunTest {
  private static final Set<String> SLOW = Set.of("WakeUp", "Polling");

  @AfterEach
  void forget() {
    System.clearProperty(NamedFixture.PROPERTY);
    System.clearProperty(DefectiveFixture.PROPERTY);
  }

  @Test
  @DisplayName("every category is run")
  void complete() {
    List<Class<?>> categories =
        ReflectionSupport.findAllClassesInPackage(
            ProviderTck.class.getPackageName(),
            type ->
                ProviderTck.class.isAssignableFrom(type)
                    && Modifier.isAbstract(type.getModifiers())
                    && Arrays.stream(type.getDeclaredMethods())
                        .anyMatch(method -> method.isAnnotationPresent(Test.class)),
            name -> true);

    assertThat(TckMain.categories()).containsExactlyInAnyOrderElementsOf(categories);
  }

  @Test
  @DisplayName("a store with every hook passes every entry")
  void everything() {
    ConformanceReport report = run(SimulatedStoreFixture.class, Suites.all());

    assertThat(report.with(Verdict.FAILED)).isEmpty();
    assertThat(report.with(Verdict.SKIPPED))
        .extracting(Entry::detail)
        .isSubsetOf(
            "needs SHORT_POLL",
            "needs CLUSTER",
            "needs SKEW",
            "needs UNKNOWN_FIELDS",
            "needs ROW_LOCKS",
            "needs METERS");
    assertThat(report.passed()).isTrue();
  }

  @Test
  @DisplayName("main runs the random comparison too, if the fixture can open stores for it")
  void comparison() {
    List<Class<?>> comparison = List.of(ComparisonSuite.class);
    assertThat(TckMain.suites()).containsAll(Suites.all()).containsAll(comparison);

    assertThat(run(SimulatedStoreFixture.class, comparison).entries())
        .extracting(Entry::id, Entry::verdict)
        .containsExactly(tuple("TCK-CMP-01", Verdict.PASSED));
    System.setProperty(DefectiveFixture.PROPERTY, Defect.LOSES_OUTCOMES.name());
    assertThat(run(DefectiveFixture.class, comparison).with(Verdict.FAILED))
        .extracting(Entry::id)
        .containsExactly("TCK-CMP-01");
    assertThat(run(BareFixture.class, comparison).with(Verdict.SKIPPED))
        .extracting(Entry::detail)
        .containsExactly(
            "org.opentest4j.TestAbortedException: the fixture has no createProvider(clock)");
  }

  @Test
  @DisplayName("a fixture without hooks skips what it cannot show, and says why")
  void skips() {
    List<Class<? extends ProviderTck>> suites =
        List.of(Suites.CommitFault.class, Suites.Damage.class, Suites.Locking.class);

    ConformanceReport report = run(BareFixture.class, suites);

    assertThat(report.with(Verdict.FAILED)).isEmpty();
    assertThat(report.with(Verdict.SKIPPED))
        .extracting(entry -> entry.id() + " " + entry.detail())
        .contains(
            "TCK-ATOM-14 needs FAULTS",
            "TCK-ATOM-16 needs DURABLE",
            "TCK-ERR-06 org.opentest4j.TestAbortedException: the fixture has no corruptHistory");
    assertThat(report.text())
        .contains("category", "LOCK", "skipped", "TCK-ATOM-14", "needs FAULTS");
  }

  @Test
  @DisplayName("every defect is noticed by the entries that are about it")
  void defects() {
    List<Class<? extends ProviderTck>> fast =
        Suites.all().stream().filter(suite -> !SLOW.contains(suite.getSimpleName())).toList();
    for (Defect defect : Defect.values()) {
      System.setProperty(DefectiveFixture.PROPERTY, defect.name());
      boolean waits = defect == Defect.NEVER_WAITS;
      ConformanceReport report =
          run(
              DefectiveFixture.class,
              waits ? List.of(Suites.Polling.class, Suites.WakeUp.class) : about(defect, fast));

      Set<String> failed =
          report.with(Verdict.FAILED).stream().map(Entry::id).collect(Collectors.toSet());
      assertThat(failed).as(defect.name()).containsAll(defect.noticedBy());
      assertThat(report.passed()).isFalse();
    }
  }

  /** The suites that hold the entries which must notice. */
  private static List<Class<? extends ProviderTck>> about(
      Defect defect, List<Class<? extends ProviderTck>> suites) {
    return suites.stream()
        .filter(suite ->
            Arrays.stream(suite.getSuperclass().getDeclaredMethods())
                .map(method -> method.getAnnotation(DisplayName.class))
                .anyMatch(name ->
                    name != null && defect.noticedBy().stream().anyMatch(name.value()::startsWith)))
        .toList();
  }

  @Test
  @DisplayName("main refuses what is no fixture")
  void usage() {
    assertThat(runMain()).isEqualTo("2 usage: TckMain <class of a ProviderFixture>");
    assertThat(runMain("no.such.Fixture")).startsWith("2 'no.such.Fixture' must name");
    assertThat(runMain("java.lang.String")).startsWith("2 'java.lang.String' must name");
  }

  private static String runMain(String... args) {
    var bytes = new ByteArrayOutputStream();
    int code = TckMain.run(args, new PrintStream(bytes, true, StandardCharsets.UTF_8));
    return code + " " + bytes.toString(StandardCharsets.UTF_8).strip();
  }

  private static ConformanceReport run(
      Class<? extends ProviderFixture> fixture, List<? extends Class<?>> suites) {
    System.setProperty(NamedFixture.PROPERTY, fixture.getName());
    return ConformanceRun.of(suites);
  }
}
