package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Orchestration;
import io.duroxide.metrics.micrometer.Metric;
import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.runtime.RuntimeOptions;
import io.duroxide.telemetry.StorageEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is measured of the store and of nodes at a given moment. */
class GaugesTest extends Scenario {
  private static final Orchestration<String, String> WAITER = texts("Waiter");
  private static final Orchestration<String, String> LOOP = texts("Loop");

  private final Metrics metrics = new Metrics();

  private RuntimeOptions.Builder measured() {
    return world.options().telemetry(metrics.listener());
  }

  private void start(RuntimeOptions.Builder options) {
    world.start(
        options,
        n ->
            n.orchestration(WAITER, (ctx, in) -> ctx.waitForEvent("go").await())
                .orchestration(
                    LOOP,
                    (ctx, in) -> {
                      String next = ctx.waitForEvent("go").await();
                      return next.isEmpty() ? "done" : ctx.continueAsNew(next);
                    }));
  }

  private double active() {
    return metrics.gauge(Metric.ACTIVE_ORCHESTRATIONS);
  }

  private double depth(Metric queue, String state) {
    return metrics.gauge(queue, "state", state);
  }

  private void enqueueWork(String instance) {
    world
        .store()
        .enqueueForWorker(
            new WorkItem.ActivityExecute(
                new ActivityKey(instance, 1, 2),
                "Elsewhere",
                "",
                new ActivityRouting(null, "gpu"),
                ActivityOrigin.UNKNOWN));
  }

  @Test
  @DisplayName("E2E-759 starting, continuing as new and ending: up, unchanged, down")
  void active759() {
    start(measured());
    assertThat(active()).isZero();

    world.client().start(LOOP, "a", "");
    world.client().start(WAITER, "b", "");
    world.until(() -> active() == 2);
    world.client().raiseEvent("a", "go", "again");
    awaitEvent("a", 2, EventKind.ExternalSubscribed.class);
    world.until(
        () -> metrics.count(Metric.ORCHESTRATION_STARTS, "initiated_by", "continueAsNew") == 1);
    assertThat(active()).isEqualTo(2);
    world.client().raiseEvent("a", "go", "");
    world.until(() -> active() == 1);
    world.client().cancel("b", "enough");
    world.until(() -> active() == 0);
  }

  @Test
  @DisplayName("E2E-760 a store that is counted often: three wait, then none")
  void counted() {
    List<Long> running = Collections.synchronizedList(new ArrayList<>());
    start(
        measured()
            .gaugeInterval(Duration.ofMillis(20))
            .telemetry(event -> {
              if (event instanceof StorageEvent.Measured measured) {
                running.add(measured.running());
              }
            }));
    for (String id : List.of("a", "b", "c")) {
      world.client().start(WAITER, id, "");
    }
    world.until(() -> running.getLast() == 3 && active() == 3);
    for (String id : List.of("a", "b", "c")) {
      world.client().raiseEvent(id, "go", "");
    }
    world.until(() -> running.getLast() == 0 && active() == 0);
  }

  @Test
  @DisplayName("E2E-761 depths are right from the start, and follow the store")
  void depths() {
    world.client().start(WAITER, "a", "");
    world.client().start(WAITER, "b", "");
    enqueueWork("a");
    start(measured().orchestrationConcurrency(0).gaugeInterval(Duration.ofMillis(20)));

    assertThat(depth(Metric.ORCHESTRATOR_QUEUE_DEPTH, "visible")).isEqualTo(2);
    assertThat(depth(Metric.WORKER_QUEUE_DEPTH, "visible")).isEqualTo(1);
    assertThat(depth(Metric.WORKER_QUEUE_DEPTH, "locked")).isZero();
    assertThat(active()).isZero();

    world.client().start(WAITER, "c", "");
    enqueueWork("b");
    world.until(() ->
        depth(Metric.ORCHESTRATOR_QUEUE_DEPTH, "visible") == 3
            && depth(Metric.WORKER_QUEUE_DEPTH, "visible") == 2);
  }

  @Test
  @DisplayName("E2E-762 after a restart the gauges are right at once")
  void restart() {
    world.start(n ->
        n.orchestration(
            WAITER,
            (ctx, in) -> {
              ctx.timer(Duration.ofHours(1));
              return ctx.waitForEvent("go").await();
            }));
    world.client().start(WAITER, "a", "");
    world.awaitEvent("a", EventKind.ExternalSubscribed.class);
    enqueueWork("a");
    world.restart();

    start(measured().orchestrationConcurrency(0));

    assertThat(active()).isEqualTo(1);
    assertThat(depth(Metric.ORCHESTRATOR_QUEUE_DEPTH, "visible")).isZero();
    assertThat(depth(Metric.ORCHESTRATOR_QUEUE_DEPTH, "delayed")).isEqualTo(1);
    assertThat(depth(Metric.WORKER_QUEUE_DEPTH, "visible")).isEqualTo(1);
  }

  @Test
  @DisplayName("E2E-762 kept executions are live, and gone with their node")
  void kept() {
    start(measured());
    world.client().start(WAITER, "a", "");
    world.awaitEvent("a", EventKind.ExternalSubscribed.class);
    world.until(() -> metrics.gauge(Metric.TURNS_IN_PROGRESS) == 0);

    assertThat(metrics.gauge(Metric.KEPT_EXECUTIONS)).isEqualTo(mode == Mode.KEPT ? 1 : 0);
    world.stopRuntimes();
    assertThat(metrics.gauge(Metric.KEPT_EXECUTIONS)).isZero();
  }
}
