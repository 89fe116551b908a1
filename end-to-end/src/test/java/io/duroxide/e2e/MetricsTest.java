package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.client.StartOptions;
import io.duroxide.management.Management;
import io.duroxide.metrics.micrometer.Metric;
import io.duroxide.model.EventKind;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.PruneOptions;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import io.duroxide.telemetry.MetricsSnapshot;
import java.time.Duration;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is counted, in a registry and in the snapshot. */
class MetricsTest extends Scenario {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Activity<String, String> BREAK =
      Activity.of("Break", String.class, String.class);
  private static final Activity<String, String> MISSING =
      Activity.of("Missing", String.class, String.class);
  private static final Orchestration<String, String> FLOW = texts("Flow");
  private static final Orchestration<String, String> BREAKS = texts("Breaks");
  private static final Orchestration<String, String> NEEDS_MISSING = texts("NeedsMissing");
  private static final Orchestration<String, String> ABSENT = texts("Absent");
  private static final Orchestration<String, String> COUNTDOWN = texts("Countdown");
  private static final Orchestration<String, String> WAITER = texts("Waiter");
  private static final Orchestration<String, String> CHILD = texts("Child");

  private final Metrics metrics = new Metrics();
  private final Faults faults = new Faults();

  @BeforeEach
  void decorate() {
    world.decorate(faults::on);
  }

  private RuntimeOptions.Builder measured() {
    return world
        .options()
        .telemetry(metrics.listener())
        .fetchOnlyRegistered(false)
        .maxAttempts(2)
        .unregisteredBackoff(Duration.ofMillis(1), Duration.ofMillis(1));
  }

  private DuroxideRuntime start() {
    return start(n -> {});
  }

  private DuroxideRuntime start(Consumer<DuroxideRuntime.Builder> more) {
    return start(measured(), more);
  }

  private DuroxideRuntime start(
      RuntimeOptions.Builder options, Consumer<DuroxideRuntime.Builder> more) {
    return world.start(
        options,
        n -> {
          n.activity(WORK, (ctx, in) -> in)
              .activity(
                  BREAK,
                  (ctx, in) -> {
                    throw new IllegalStateException("broken");
                  })
              .orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await())
              .orchestration(BREAKS, (ctx, in) -> ctx.call(BREAK, in).await())
              .orchestration(NEEDS_MISSING, (ctx, in) -> ctx.call(MISSING, in).await())
              .orchestration(
                  COUNTDOWN,
                  (ctx, in) -> {
                    int left = Integer.parseInt(in);
                    return left == 0 ? "done" : ctx.continueAsNew(Integer.toString(left - 1));
                  })
              .orchestration(WAITER, (ctx, in) -> ctx.waitForEvent("go").await());
          more.accept(n);
        });
  }

  /** Waits for an end, letting backoffs and rests pass. */
  private void endOf(String instance) {
    world.until(() -> {
      world.advance(Duration.ofMillis(200));
      return world.client().status(instance).isTerminal();
    });
  }

  /** What is told after a commit may come a moment later than the commit. */
  private void counted(Metric metric, long times, String... keysAndValues) {
    world.until(() -> metrics.count(metric, keysAndValues) >= times);
    assertThat(metrics.count(metric, keysAndValues)).isEqualTo(times);
  }

  @Test
  @DisplayName("E2E-754 names are labels of completions and of activities")
  void names() {
    start();
    world.client().start(FLOW, "i", "x");
    world.output("i");

    counted(
        Metric.ORCHESTRATION_COMPLETIONS,
        1,
        "orchestration_name",
        "Flow",
        "version",
        "1.0.0",
        "status",
        "success",
        "final_turn_count",
        "1-5");
    counted(
        Metric.ACTIVITY_EXECUTIONS,
        1,
        "activity_name",
        "Work",
        "outcome",
        "success",
        "retry_attempt",
        "0",
        "tag",
        "default");
    counted(Metric.ORCHESTRATION_STARTS, 1, "initiated_by", "client");
    assertThat(metrics.total(Metric.ORCHESTRATION_TURNS)).isEqualTo(2);
    assertThat(metrics.total(Metric.ORCHESTRATION_HISTORY_SIZE)).isEqualTo(4);
  }

  @Test
  @DisplayName("E2E-755 each continue-as-new is counted once, under the name alone")
  void continueAsNew() {
    DuroxideRuntime runtime = start();
    world.client().start(COUNTDOWN, "i", "3");
    world.output("i");

    counted(Metric.ORCHESTRATION_CONTINUE_AS_NEW, 3, "orchestration_name", "Countdown");
    counted(Metric.ORCHESTRATION_COMPLETIONS, 4);
    assertThat(metrics.counts(Metric.ORCHESTRATION_STARTS, "initiated_by"))
        .isEqualTo(Map.of("client", 1L, "continueAsNew", 3L));
    assertThat(runtime.metrics().orchestrations().continuedAsNew()).isEqualTo(3);
  }

  @Test
  @DisplayName("E2E-756 an activity's duration is recorded with its outcome")
  void duration() {
    start();
    world.client().start(FLOW, "good", "x");
    world.output("good");
    world.client().start(BREAKS, "bad", "x");
    world.failure("bad");
    world.until(() -> metrics.timings(Metric.ACTIVITY_DURATION) == 2);

    assertThat(metrics.timings(Metric.ACTIVITY_DURATION, "outcome", "success")).isEqualTo(1);
    assertThat(metrics.timings(Metric.ACTIVITY_DURATION, "outcome", "app_error")).isEqualTo(1);
    assertThat(metrics.millis(Metric.ACTIVITY_DURATION))
        .isPositive()
        .isLessThanOrEqualTo(metrics.millis(Metric.WORKER_DISPATCHER_EXECUTION_DURATION));
  }

  @Test
  @DisplayName(
      "E2E-757 an application error and an unregistered activity: errors and poison of both")
  void errorsAndPoison() {
    DuroxideRuntime runtime = start();
    world.client().start(BREAKS, "bad", "x");
    world.client().start(NEEDS_MISSING, "poisoned", "x");
    endOf("bad");
    endOf("poisoned");

    counted(Metric.ACTIVITY_EXECUTIONS, 1, "outcome", "app_error", "activity_name", "Break");
    counted(Metric.ORCHESTRATION_FAILURES, 1, "error_type", "app_error");
    counted(Metric.ACTIVITY_POISON, 1, "activity_name", "Missing");
    counted(Metric.ORCHESTRATION_POISON, 1, "orchestration_name", "NeedsMissing");
    counted(Metric.UNREGISTERED_BACKOFF, 2, "kind", "activity", "name", "Missing");
    counted(Metric.ACTIVITY_CONFIGURATION_ERRORS, 2, "activity_name", "Missing");
    assertThat(runtime.metrics().activities())
        .isEqualTo(new MetricsSnapshot.Activities(0, 1, 0, 2, 0, 1, 0));
  }

  @Test
  @DisplayName(
      "E2E-765 an unregistered orchestration and activity: the snapshot counts both poisons")
  void snapshot() {
    DuroxideRuntime runtime =
        start(
            measured()
                .telemetry(event -> {
                  throw new IllegalStateException("a listener may fail");
                }),
            n -> {});
    world.client().start(ABSENT, "absent", "x");
    world.client().start(NEEDS_MISSING, "missing", "x");
    endOf("absent");
    endOf("missing");

    world.until(() -> runtime.metrics().orchestrations().failures().poison() == 2);
    assertThat(runtime.metrics().activities().poison()).isEqualTo(1);
    assertThat(runtime.metrics().orchestrations().failures().total()).isEqualTo(2);
    assertThat(runtime.metrics().orchestrations().starts()).isEqualTo(2);
    assertThat(runtime.metrics().dispatched().turns()).isGreaterThanOrEqualTo(4);
    counted(Metric.ORCHESTRATION_POISON, 1, "orchestration_name", "Absent");
    counted(Metric.ORCHESTRATION_POISON, 1, "orchestration_name", "NeedsMissing");
  }

  @Test
  @DisplayName("E2E-609 poison of a turn and of an activity is counted, success is not")
  void poison() {
    faults.turnAttempts(
        locked -> locked.item().instance().equals("turn") ? 11 : locked.attemptCount());
    faults.workAttempts(locked -> 11);
    DuroxideRuntime runtime = start();
    world.client().start(FLOW, "turn", "x");
    world.client().start(FLOW, "activity", "x");
    endOf("turn");
    endOf("activity");

    counted(Metric.ORCHESTRATION_POISON, 2);
    counted(Metric.ACTIVITY_POISON, 1, "activity_name", "Work");
    assertThat(metrics.count(Metric.ORCHESTRATION_COMPLETIONS, "status", "success")).isZero();
    assertThat(metrics.count(Metric.ACTIVITY_EXECUTIONS, "outcome", "success")).isZero();
    assertThat(metrics.counts(Metric.ORCHESTRATION_FAILURES, "error_category"))
        .isEqualTo(Map.of("orchestration", 1L, "activity", 1L));
    assertThat(runtime.metrics().orchestrations().completions()).isZero();
    assertThat(runtime.metrics().orchestrations().failures().poison()).isEqualTo(2);
  }

  @Test
  @DisplayName(
      "E2E-758 failures by store, deployment, code and attempts have counters of their own")
  void kindsOfFailure() {
    start();
    world.client().start(WAITER, "changed", "x");
    world.awaitEvent("changed", EventKind.ExternalSubscribed.class);
    faults.failNext(Faults.COMMIT, 1, ProviderException.Kind.INVALID_INPUT);
    world.client().start(WAITER, "refused", "x");
    world.failure("refused");
    world.client().start(BREAKS, "broken", "x");
    world.failure("broken");
    faults.turnAttempts(
        locked -> locked.item().instance().equals("poisoned") ? 11 : locked.attemptCount());
    world.client().start(FLOW, "poisoned", "x");
    world.failure("poisoned");
    world.restart();
    world.start(
        measured(),
        n ->
            n.activity(WORK, (ctx, in) -> in)
                .orchestration(WAITER, (ctx, in) -> ctx.call(WORK, in).await()));
    world.client().raiseEvent("changed", "go", "x");
    world.failure("changed");

    world.until(() -> metrics.count(Metric.ORCHESTRATION_FAILURES) == 4);
    assertThat(metrics.counts(Metric.ORCHESTRATION_FAILURES, "error_type"))
        .isEqualTo(
            Map.of(
                "infrastructure_error", 1L,
                "config_error", 1L,
                "app_error", 1L,
                "poison", 1L));
    counted(
        Metric.ORCHESTRATION_CONFIGURATION_ERRORS,
        1,
        "orchestration_name",
        "Waiter",
        "error_category",
        "nondeterminism");
    counted(Metric.ORCHESTRATION_INFRASTRUCTURE_ERRORS, 1, "orchestration_name", "Waiter");
    counted(Metric.ORCHESTRATION_POISON, 1, "orchestration_name", "Flow");
  }

  @Test
  @DisplayName("E2E-752 a mixed run: success, failure, missing handler, commits that fail for good")
  void mixedRun() {
    DuroxideRuntime runtime = start(measured().localSteps(0), n -> {});
    world.client().start(FLOW, "good", "x");
    endOf("good");
    world.client().start(BREAKS, "bad", "x");
    endOf("bad");
    world.client().start(NEEDS_MISSING, "missing", "x");
    endOf("missing");
    faults.failNext("ackWorkItem", 1, ProviderException.Kind.UNKNOWN_PERMANENT);
    world.client().start(FLOW, "twice", "x");
    endOf("twice");
    faults.failNext(Faults.COMMIT, 1, ProviderException.Kind.UNKNOWN_PERMANENT);
    world.client().start(FLOW, "refused", "x");
    endOf("refused");

    counted(Metric.ORCHESTRATION_COMPLETIONS, 2, "status", "success");
    counted(Metric.ORCHESTRATION_COMPLETIONS, 3, "status", "failed");
    counted(Metric.ACTIVITY_EXECUTIONS, 2, "outcome", "success");
    counted(Metric.ACTIVITY_EXECUTIONS, 1, "outcome", "success", "retry_attempt", "1");
    counted(Metric.ACTIVITY_EXECUTIONS, 1, "outcome", "app_error");
    counted(Metric.ACTIVITY_INFRASTRUCTURE_ERRORS, 1, "activity_name", "Work");
    counted(Metric.ACTIVITY_POISON, 1);
    counted(Metric.ORCHESTRATION_INFRASTRUCTURE_ERRORS, 1, "orchestration_name", "Flow");
    assertThat(runtime.metrics().activities())
        .isEqualTo(new MetricsSnapshot.Activities(2, 1, 1, 2, 0, 1, 0));
    assertThat(runtime.metrics().storeErrors()).isEqualTo(2);
  }

  @Test
  @DisplayName("E2E-753 fetches that fail are tried again, and counted")
  void fetchFails() {
    faults.failNext("fetchOrchestrationItems", 2, ProviderException.Kind.UNAVAILABLE);
    DuroxideRuntime runtime = start();
    world.client().start(FLOW, "i", "x");
    world.output("i");

    counted(Metric.DISPATCHER_FETCH_ERRORS, 2, "queue", "orchestrator", "error_type", "connection");
    assertThat(runtime.metrics().storeErrors()).isEqualTo(2);
    counted(Metric.PROVIDER_ERRORS, 2, "operation", "fetch_orchestration_item");
  }

  @Test
  @DisplayName("E2E-763 parent, child and two versions are each counted under their own name")
  void namesAndVersions() {
    start(n ->
        n.orchestration(CHILD, (ctx, in) -> in)
            .orchestration(FLOW, "2.0.0", (ctx, in) -> ctx.call(CHILD, in).await()));
    world.client().start(FLOW, "one", "x", StartOptions.version("1.0.0"));
    world.client().start(FLOW, "two", "x");
    world.output("one");
    world.output("two");

    counted(Metric.ORCHESTRATION_STARTS, 1, "orchestration_name", "Flow", "version", "1.0.0");
    counted(Metric.ORCHESTRATION_STARTS, 1, "orchestration_name", "Flow", "version", "2.0.0");
    counted(
        Metric.ORCHESTRATION_STARTS,
        1,
        "orchestration_name",
        "Child",
        "initiated_by",
        "suborchestration");
    counted(Metric.ORCHESTRATION_COMPLETIONS, 1, "orchestration_name", "Child");
    counted(
        Metric.SUBORCHESTRATION_CALLS,
        1,
        "parent_orchestration",
        "Flow",
        "child_orchestration",
        "Child",
        "outcome",
        "success");
  }

  @Test
  @DisplayName("E2E-764 calls to the store are timed by operation and status, errors by class")
  void storeCalls() {
    world.client().start(FLOW, "i", "x");
    start();
    world.output("i");

    world.until(() ->
        metrics.timings(
                Metric.PROVIDER_OPERATION_DURATION,
                "operation",
                "ack_orchestration_item",
                "status",
                "success")
            >= 1);
    assertThat(
            metrics.timings(
                Metric.PROVIDER_OPERATION_DURATION,
                "operation",
                "fetch_orchestration_item",
                "result",
                "hit"))
        .isPositive();
    faults.failNext(Faults.COMMIT, 1, ProviderException.Kind.CONTENTION);
    world.client().start(FLOW, "again", "x");
    world.output("again");
    counted(
        Metric.PROVIDER_ERRORS, 1, "operation", "ack_orchestration_item", "error_type", "deadlock");
    counted(Metric.ACK_RETRIES, 1, "queue", "orchestrator");
  }

  @Test
  @DisplayName("E2E-910 purged messages, and those that come too late, are counted by reason")
  void droppedMessages() {
    start(measured().orphanMessageTtl(Duration.ofMillis(40)), n -> {});
    world.client().raiseEvent("nobody", "go", "x");
    world.client().cancel("nobody", "x");
    world.advance(Duration.ofSeconds(1));
    counted(Metric.MESSAGES_DROPPED, 2, "reason", "orphan_expired");

    world.client().start(FLOW, "i", "x");
    world.output("i");
    world.blindClient().raiseEvent("i", "go", "x");
    counted(Metric.MESSAGES_DROPPED, 1, "reason", "instance_ended");
  }

  @Test
  @DisplayName("E2E-764 what clients send, and how long they wait, is measured where they are")
  void clients() {
    start();
    var client = world.client().withTelemetry(metrics.listener());
    client.start(WAITER, "i", "x");
    world.awaitEvent("i", EventKind.ExternalSubscribed.class);
    client.raiseEvent("i", "go", "x");
    client.waitFor(WAITER, "i", World.PATIENCE);
    client.start(WAITER, "c", "x");
    client.cancel("c", "enough");
    client.waitForCompletion("c", World.PATIENCE);

    assertThat(metrics.count(Metric.CLIENT_ORCHESTRATION_STARTS, "orchestration_name", "Waiter"))
        .isEqualTo(2);
    assertThat(metrics.count(Metric.CLIENT_EXTERNAL_EVENTS_RAISED, "event_name", "go"))
        .isEqualTo(1);
    assertThat(metrics.count(Metric.CLIENT_CANCELLATIONS)).isEqualTo(1);
    assertThat(metrics.timings(Metric.CLIENT_WAIT_DURATION)).isEqualTo(2);
    counted(Metric.ORCHESTRATION_FAILURES, 1, "error_type", "cancelled");
  }

  @Test
  @DisplayName("E2E-766 a timer tells how late it was served")
  void lateTimer() {
    Orchestration<String, String> sleeper = texts("Sleeper");
    start(n ->
        n.orchestration(
            sleeper,
            (ctx, in) -> {
              ctx.timer(Duration.ofMinutes(1)).await();
              return in;
            }));
    world.client().start(sleeper, "i", "x");
    world.awaitEvent("i", EventKind.TimerCreated.class);
    world.advance(Duration.ofSeconds(90));
    world.output("i");

    world.until(() -> metrics.timings(Metric.SCHEDULE_TO_START, "queue", "orchestrator") == 1);
    world.until(() -> metrics.timings(Metric.ORCHESTRATION_DURATION) == 1);
    assertThat(metrics.millis(Metric.SCHEDULE_TO_START, "queue", "orchestrator"))
        .isEqualTo(30_000, offset(1.0));
    assertThat(metrics.millis(Metric.ORCHESTRATION_DURATION)).isEqualTo(90_000, offset(1.0));
  }

  @Test
  @DisplayName("E2E-766 an activity tells how long it waited for a node")
  void queuedActivity() {
    DuroxideRuntime turns = start(measured().workerConcurrency(0), n -> {});
    world.client().start(FLOW, "i", "x");
    world.awaitEvent("i", EventKind.ActivityScheduled.class);
    world.advance(Duration.ofSeconds(30));
    turns.close();
    start();
    world.output("i");

    world.until(() -> metrics.timings(Metric.SCHEDULE_TO_START, "queue", "worker") == 1);
    assertThat(metrics.millis(Metric.SCHEDULE_TO_START, "queue", "worker"))
        .isEqualTo(30_000, offset(1.0));
  }

  @Test
  @DisplayName("E2E-754 a detached start is told from a client's")
  void detachedStart() {
    Orchestration<String, String> starter = texts("Starter");
    start(n ->
        n.orchestration(
            starter,
            (ctx, in) -> {
              ctx.startDetached(WAITER, "other", in);
              return in;
            }));
    world.client().start(starter, "i", "x");
    counted(Metric.ORCHESTRATION_STARTS, 1, "initiated_by", "detached");
    counted(Metric.ORCHESTRATION_STARTS, 1, "initiated_by", "client");
  }

  @Test
  @DisplayName("E2E-931 messages that the store dropped are counted")
  void droppedByTheStore() {
    start(measured().gaugeInterval(Duration.ofMillis(10)), n -> {});
    world.blindClient().enqueue("nobody", "q", "too early");
    world.blindClient().enqueue("nobody", "q", "also");
    counted(Metric.MESSAGES_DROPPED, 2, "reason", "never_started");
  }

  @Test
  @DisplayName("E2E-766 prunings by operators are counted with their source")
  void prunedByOperator() {
    start();
    world.client().start(COUNTDOWN, "i", "3");
    world.output("i");
    Management management = Management.of(world.store()).withTelemetry(metrics.listener());
    management.prune("i", PruneOptions.keepLast(2));
    assertThat(metrics.count(Metric.EXECUTIONS_PRUNED, "source", "client")).isEqualTo(2);
    assertThat(metrics.count(Metric.EXECUTIONS_PRUNED, "orchestration_name", "Countdown"))
        .isEqualTo(2);
    management.pruneBulk(InstanceFilter.ALL, PruneOptions.ALL, 10);
    assertThat(metrics.count(Metric.EXECUTIONS_PRUNED, "orchestration_name", "unknown"))
        .isEqualTo(1);
  }
}
