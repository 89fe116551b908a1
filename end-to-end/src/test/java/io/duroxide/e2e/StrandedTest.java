package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.duroxide.api.Activity;
import io.duroxide.api.ActivityOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.client.StartOptions;
import io.duroxide.management.Management;
import io.duroxide.model.EventKind;
import io.duroxide.model.Semver;
import io.duroxide.model.SemverRange;
import io.duroxide.provider.NodeInfo;
import io.duroxide.provider.Stranded;
import io.duroxide.provider.TagFilter;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import io.duroxide.telemetry.Health;
import io.duroxide.telemetry.StorageEvent;
import io.duroxide.telemetry.TelemetryEvent;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Work that no live node can run. */
class StrandedTest extends Scenario {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Activity<String, String> ABSENT =
      Activity.of("Absent", String.class, String.class);
  private static final Orchestration<String, String> FLOW = texts("Flow");
  private static final Orchestration<String, String> NOWHERE = texts("Nowhere");
  private static final Duration OFTEN = Duration.ofMillis(10);

  private Management management() {
    return Management.of(world.store());
  }

  private RuntimeOptions.Builder often() {
    return world.options().announceInterval(OFTEN);
  }

  private static void flow(DuroxideRuntime.Builder node) {
    node.activity(WORK, (ctx, in) -> in)
        .orchestration(
            FLOW,
            (ctx, in) ->
                switch (in) {
                  case "tagged" -> ctx.call(WORK, in, ActivityOptions.options().tag("gpu")).await();
                  case "absent" -> ctx.call(ABSENT, in).await();
                  default -> ctx.call(WORK, in).await();
                });
  }

  private List<String> reasons() {
    return management().stranded(5).stream()
        .map(stranded -> stranded.work().instances() + " " + stranded.reason())
        .toList();
  }

  @Test
  @DisplayName("D-13 what no live node can run is listed with its instances and the reason")
  void reasons13() {
    world.client().start(FLOW, "early", "x");
    assertThat(reasons()).containsExactly("[early] no node is up");
    world.start(often(), StrandedTest::flow);
    world.output("early");
    world.until(() -> !management().nodes().isEmpty());
    assertThat(reasons()).isEmpty();

    world.client().start(NOWHERE, "nowhere", "x");
    world.client().start(FLOW, "next", "x", StartOptions.version("2.0.0"));
    world.client().start(FLOW, "tagged", "tagged");
    world.client().start(FLOW, "absent", "absent");
    world.awaitEvent("tagged", EventKind.ActivityScheduled.class);
    world.awaitEvent("absent", EventKind.ActivityScheduled.class);
    assertThat(reasons())
        .containsExactlyInAnyOrder(
            "[nowhere] no live node has the orchestration 'Nowhere'",
            "[next] no live node has version 2.0.0 of 'Flow'; there is 1.0.0",
            "[tagged] no live node that has 'Work' serves the tag 'gpu'",
            "[absent] no live node has the activity 'Absent'");
    assertThat(management().nodes())
        .singleElement()
        .satisfies(node -> {
          assertThat(node.offer().activities()).contains("Work");
          assertThat(node.offer().orchestrations()).containsOnlyKeys("Flow");
        });

    world.start(often().tags(TagFilter.tags("gpu")), node -> node.activity(WORK, (c, in) -> in));
    world.output("tagged");
    world.stopRuntimes();
    assertThat(management().nodes()).isEmpty();
  }

  @Test
  @DisplayName(
      "D-13 an execution that no live node can replay is listed with its framework version")
  void pinned() {
    world.start(often(), StrandedTest::flow);
    world.client().start(FLOW, "pinned", "absent");
    world.awaitEvent("pinned", EventKind.ActivityScheduled.class);
    world.stopRuntimes();
    world.client().cancel("pinned", "");
    SemverRange later = new SemverRange(Semver.of(90, 0, 0), Semver.of(91, 0, 0));
    world.start(often().supportedReplayVersions(List.of(later)), StrandedTest::flow);
    world.until(() -> !management().nodes().isEmpty());
    assertThat(management().stranded(1))
        .filteredOn(stranded -> stranded.what().contains("turn"))
        .singleElement()
        .satisfies(stranded ->
            assertThat(stranded.reason())
                .startsWith("no live node that has 'Flow' replays executions of framework ")
                .endsWith("they replay 90.0.0..91.0.0"));
  }

  @Test
  @DisplayName(
      "D-13 E2E-767 a node says in its health, its log and to listeners what nobody can run")
  void told() {
    List<TelemetryEvent> told = new CopyOnWriteArrayList<>();
    try (Logs logs = Logs.of("io.duroxide.runtime.housekeeping", Level.WARN)) {
      DuroxideRuntime runtime = world.start(often().telemetry(told::add), StrandedTest::flow);
      world.client().start(NOWHERE, "n-1", "x");
      world.until(() -> runtime.health().status() == Health.Status.DEGRADED);
      assertThat(runtime.health().problems())
          .containsExactly(
              "Stranded: 1 turn of 'Nowhere' waits, the first of n-1: no live node has the"
                  + " orchestration 'Nowhere'.");
      world.until(() -> told.contains(new StorageEvent.Stranded(1, 0)));
      assertThat(logs.written()).hasSize(1);

      world.start(often(), node -> node.orchestration(NOWHERE, (ctx, in) -> in));
      world.output("n-1");
      world.until(() -> runtime.health().status() == Health.Status.UP);
      assertThat(logs.written()).hasSize(1);
    }
  }

  @Test
  @DisplayName("D-13 E2E-767 of many kinds of stranded work the first ten are named")
  void many() {
    DuroxideRuntime runtime = world.start(often(), StrandedTest::flow);
    for (int i = 0; i < 12; i++) {
      world.client().start(texts("Nowhere" + i), "n-" + i, "x");
    }
    world.until(() -> management().stranded(1).size() == 12);
    world.until(() -> runtime.health().problems().contains("Stranded: and 2 more kinds of work."));
    assertThat(runtime.health().problems()).hasSize(11);
  }

  @Test
  @DisplayName("E2E-766 a node tells listeners how many activities of each tag wait")
  void waiting() {
    List<TelemetryEvent> told = new CopyOnWriteArrayList<>();
    world.start(often().telemetry(told::add), StrandedTest::flow);
    world.client().start(FLOW, "one", "tagged");
    world.client().start(FLOW, "two", "tagged");
    world.client().start(FLOW, "three", "absent");
    world.until(() -> told.contains(new StorageEvent.Waiting(Map.of("gpu", 2L, "default", 1L))));
  }

  @Test
  @DisplayName("D-13 a node that vanishes counts as gone when its announcement has ended")
  void vanished() {
    Faults faults = new Faults();
    world.decorate(faults::on);
    world.start(StrandedTest::flow);
    world.until(() -> !management().nodes().isEmpty());
    faults.down(true);
    world.stopRuntimes();
    faults.down(false);
    assertThat(management().nodes()).extracting(NodeInfo::id).hasSize(1);
    world.advance(Duration.ofSeconds(91));
    assertThat(management().nodes()).isEmpty();
    world.client().start(FLOW, "f", "x");
    assertThat(management().stranded(1))
        .extracting(Stranded::reason)
        .containsExactly("no node is up");
  }

  @Test
  @DisplayName("D-13 an idle node announces itself once in its interval and not for its turns")
  void cheap() {
    Faults faults = new Faults();
    world.decorate(faults::on);
    world.start(StrandedTest::flow);
    for (int i = 0; i < 20; i++) {
      world.client().start(FLOW, "i" + i, "x");
      world.output("i" + i);
    }
    world.until(() -> faults.count("announce") > 0);
    assertThat(faults.count("announce")).isEqualTo(1);
    world.stopRuntimes();
    assertThat(faults.count("announce")).isEqualTo(2);
  }
}
