package io.duroxide.metrics.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.offset;

import io.duroxide.telemetry.ActivityEvent;
import io.duroxide.telemetry.ActivityOutcome;
import io.duroxide.telemetry.ClientCall;
import io.duroxide.telemetry.Ending;
import io.duroxide.telemetry.ExecutionEvent;
import io.duroxide.telemetry.Failure;
import io.duroxide.telemetry.Initiator;
import io.duroxide.telemetry.NodeEvent;
import io.duroxide.telemetry.NodeVitals;
import io.duroxide.telemetry.StorageEvent;
import io.duroxide.telemetry.StoreTrouble;
import io.duroxide.telemetry.TurnEnd;
import io.duroxide.telemetry.WorkQueue;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class MicrometerTelemetryTest {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MicrometerTelemetry telemetry = MicrometerTelemetry.of(registry);

  private double count(Metric metric, String... keysAndValues) {
    return registry.find("duroxide." + metric.path()).tags(keysAndValues).counters().stream()
        .mapToDouble(Counter::count)
        .sum();
  }

  private Timer timer(Metric metric, String... keysAndValues) {
    return registry.get("duroxide." + metric.path()).tags(keysAndValues).timer();
  }

  private double gauge(Metric metric, String... keysAndValues) {
    Gauge gauge = registry.find("duroxide." + metric.path()).tags(keysAndValues).gauge();
    return gauge == null ? Double.NaN : gauge.value();
  }

  private void failedBy(Failure failure) {
    telemetry.on(Told.failed(failure));
  }

  @Test
  @DisplayName("E2E-766 each kind of failure is counted once, under its own labels")
  void failures() {
    failedBy(Failure.of(Told.APPLICATION));
    failedBy(Failure.of(Told.INFRASTRUCTURE));
    failedBy(Failure.of(Told.CONFIGURATION));
    failedBy(Failure.of(Told.POISON));
    failedBy(Failure.limit(Told.APPLICATION));
    telemetry.on(Told.ended(Told.ORDER, Ending.CANCELLED, Failure.of(Told.CANCELLED), 2));

    assertThat(byLabel(Metric.ORCHESTRATION_FAILURES, "error_type", "error_category"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "app_error orchestration_failed", 1.0,
                "infrastructure_error commitTurn", 1.0,
                "config_error nondeterminism", 1.0,
                "poison orchestration", 1.0,
                "limit limit", 1.0,
                "cancelled cancelled", 1.0));
    assertThat(byLabel(Metric.ORCHESTRATION_COMPLETIONS, "status", "final_turn_count"))
        .containsExactlyInAnyOrderEntriesOf(Map.of("failed 1-5", 5.0, "cancelled 1-5", 1.0));
    assertThat(count(Metric.ORCHESTRATION_INFRASTRUCTURE_ERRORS)).isEqualTo(1);
    assertThat(count(Metric.ORCHESTRATION_CONFIGURATION_ERRORS)).isEqualTo(1);
    assertThat(count(Metric.ORCHESTRATION_POISON, "orchestration_name", "Order")).isEqualTo(1);
  }

  @Test
  @DisplayName("E2E-766 an end records duration, turns and history under name and version")
  void ends() {
    telemetry.on(Told.ended(Told.ORDER, Ending.COMPLETED, null, 5));
    telemetry.on(Told.ended(Told.ORDER, Ending.COMPLETED, null, 6));
    telemetry.on(Told.ended(Told.ORDER, Ending.COMPLETED, null, 11));
    telemetry.on(Told.ended(Told.ORDER, Ending.COMPLETED, null, 51));
    telemetry.on(new ExecutionEvent.Ended(Told.ORDER, Ending.COMPLETED, null, null, Told.NOON));

    assertThat(byLabel(Metric.ORCHESTRATION_COMPLETIONS, "version", "final_turn_count"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "1.0.0 1-5", 1.0,
                "1.0.0 6-10", 1.0,
                "1.0.0 11-50", 1.0,
                "1.0.0 50+", 1.0,
                "1.0.0 unknown", 1.0));
    Timer duration = timer(Metric.ORCHESTRATION_DURATION, "status", "success", "version", "1.0.0");
    assertThat(duration.count()).isEqualTo(4);
    assertThat(duration.totalTime(TimeUnit.SECONDS)).isEqualTo(28, offset(0.001));
    assertThat(registry.get("duroxide.orchestration.turns").summary().totalAmount()).isEqualTo(73);
    assertThat(registry.get("duroxide.orchestration.history.size").summary().max()).isEqualTo(153);
  }

  @Test
  @DisplayName("E2E-766 starts are counted by who began them")
  void starts() {
    for (Initiator initiator : Initiator.values()) {
      telemetry.on(Told.started(Told.ORDER, initiator));
    }

    assertThat(byLabel(Metric.ORCHESTRATION_STARTS, "orchestration_name", "initiated_by"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "Order client", 1.0,
                "Order suborchestration", 1.0,
                "Order continueAsNew", 1.0,
                "Order detached", 1.0));
  }

  @Test
  @DisplayName("E2E-766 running instances: counted by the store, followed in between")
  void active() {
    telemetry.on(Told.started(Told.ORDER, Initiator.CLIENT));
    assertThat(gauge(Metric.ACTIVE_ORCHESTRATIONS)).isNaN();

    telemetry.on(new StorageEvent.Measured(40, 1, 2, 3, 4, 9, 5));
    assertThat(gauge(Metric.ACTIVE_ORCHESTRATIONS)).isEqualTo(40);
    telemetry.on(Told.started(Told.ORDER, Initiator.PARENT));
    telemetry.on(Told.started(Told.ORDER, Initiator.CLIENT));
    assertThat(gauge(Metric.ACTIVE_ORCHESTRATIONS)).isEqualTo(42);
    telemetry.on(Told.ended(Told.ORDER, Ending.CONTINUED_AS_NEW, null, 2));
    telemetry.on(Told.started(Told.ORDER, Initiator.CONTINUE_AS_NEW));
    assertThat(gauge(Metric.ACTIVE_ORCHESTRATIONS)).isEqualTo(42);
    telemetry.on(Told.ended(Told.ORDER, Ending.CANCELLED, Failure.of(Told.CANCELLED), 2));
    assertThat(gauge(Metric.ACTIVE_ORCHESTRATIONS)).isEqualTo(41);
    assertThat(count(Metric.ORCHESTRATION_CONTINUE_AS_NEW)).isEqualTo(1);

    telemetry.on(new StorageEvent.Measured(7, 10, 20, 30, 40, 9, 50));
    assertThat(gauge(Metric.ACTIVE_ORCHESTRATIONS)).isEqualTo(7);
  }

  @Test
  @DisplayName("E2E-766 queue depths by state follow the store")
  void depths() {
    assertThat(gauge(Metric.WORKER_QUEUE_DEPTH)).isNaN();

    telemetry.on(new StorageEvent.Measured(0, 1, 2, 3, 4, 9, 5));
    telemetry.on(new StorageEvent.Measured(0, 10, 20, 30, 40, 9, 50));

    telemetry.on(new StorageEvent.Stranded(3, 4));
    telemetry.on(new StorageEvent.Stranded(5, 6));
    assertThat(gauge(Metric.STRANDED_WORK, "queue", "orchestrator")).isEqualTo(5);
    assertThat(gauge(Metric.STRANDED_WORK, "queue", "worker")).isEqualTo(6);
    telemetry.on(new StorageEvent.Waiting(Map.of("gpu", 7L, "default", 1L)));
    telemetry.on(new StorageEvent.Waiting(Map.of("gpu", 8L)));
    assertThat(gauge(Metric.WORKER_QUEUE_READY, "tag", "gpu")).isEqualTo(8);
    assertThat(gauge(Metric.WORKER_QUEUE_READY, "tag", "default")).isZero();
    assertThat(gauge(Metric.ORCHESTRATOR_QUEUE_DEPTH, "state", "visible")).isEqualTo(10);
    assertThat(gauge(Metric.ORCHESTRATOR_QUEUE_DEPTH, "state", "delayed")).isEqualTo(20);
    assertThat(gauge(Metric.ORCHESTRATOR_QUEUE_DEPTH, "state", "locked")).isEqualTo(30);
    assertThat(gauge(Metric.WORKER_QUEUE_DEPTH, "state", "visible")).isEqualTo(40);
    assertThat(gauge(Metric.WORKER_QUEUE_DEPTH, "state", "delayed")).isEqualTo(9);
    assertThat(gauge(Metric.WORKER_QUEUE_DEPTH, "state", "locked")).isEqualTo(50);
  }

  @Test
  @DisplayName("E2E-766 each outcome of an activity is counted once, with its retries")
  void activities() {
    for (ActivityOutcome outcome : ActivityOutcome.values()) {
      telemetry.on(Told.finished(outcome, 1));
    }
    telemetry.on(Told.finished(ActivityOutcome.SUCCESS, 2));
    telemetry.on(Told.finished(ActivityOutcome.SUCCESS, 3));
    telemetry.on(Told.finished(ActivityOutcome.SUCCESS, 4));
    telemetry.on(Told.finished(ActivityOutcome.SUCCESS, 11));

    assertThat(byLabel(Metric.ACTIVITY_EXECUTIONS, "outcome", "retry_attempt"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.ofEntries(
                Map.entry("success 0", 1.0),
                Map.entry("success 1", 1.0),
                Map.entry("success 2", 1.0),
                Map.entry("success 3+", 2.0),
                Map.entry("app_error 0", 1.0),
                Map.entry("infra_error 0", 1.0),
                Map.entry("config_error 0", 1.0),
                Map.entry("cancelled 0", 1.0),
                Map.entry("poison 0", 1.0),
                Map.entry("handed_over 0", 1.0)));
    assertThat(count(Metric.ACTIVITY_INFRASTRUCTURE_ERRORS, "activity_name", "Charge"))
        .isEqualTo(1);
    assertThat(count(Metric.ACTIVITY_CONFIGURATION_ERRORS)).isEqualTo(1);
    assertThat(count(Metric.ACTIVITY_POISON)).isEqualTo(1);
    Timer success = timer(Metric.ACTIVITY_DURATION, "outcome", "success", "tag", "default");
    assertThat(success.count()).isEqualTo(5);
    assertThat(success.mean(TimeUnit.MILLISECONDS)).isEqualTo(40, offset(0.01));
  }

  @Test
  @DisplayName("a handler that was not called has no duration; a tag is a label")
  void activityWithoutRun() {
    telemetry.on(
        new ActivityEvent.Finished(
            Told.charge("gpu"),
            ActivityOutcome.POISON,
            11,
            new ActivityEvent.Timing(null, Duration.ofMillis(1), Told.NOON),
            Failure.of(Told.POISON)));

    assertThat(registry.find("duroxide.activity.duration").timers()).isEmpty();
    assertThat(count(Metric.ACTIVITY_EXECUTIONS, "tag", "gpu")).isEqualTo(1);
    assertThat(timer(Metric.WORKER_DISPATCHER_EXECUTION_DURATION).count()).isEqualTo(1);
  }

  @Test
  @DisplayName("E2E-766 children are counted under both names, and timed")
  void children() {
    for (ExecutionEvent.ChildEnd end : ExecutionEvent.ChildEnd.values()) {
      telemetry.on(
          new ExecutionEvent.ChildEnded(
              Told.ORDER,
              new ExecutionEvent.Child(4, "Ship", "order-7::sub::4"),
              end,
              Told.NOON.minus(Duration.ofSeconds(3)),
              Told.NOON));
    }

    assertThat(byLabel(Metric.SUBORCHESTRATION_CALLS, "parent_orchestration", "outcome"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of("Order success", 1.0, "Order failed", 1.0, "Order cancelled", 1.0));
    assertThat(
            timer(Metric.SUBORCHESTRATION_DURATION, "outcome", "failed")
                .totalTime(TimeUnit.SECONDS))
        .isEqualTo(3, offset(0.001));
  }

  @Test
  @DisplayName("E2E-766 dispatchers: items, empty polls, failed fetches, retried commits")
  void dispatchers() {
    telemetry.on(new NodeEvent.Fetched(WorkQueue.ORCHESTRATOR, 3));
    telemetry.on(new NodeEvent.Fetched(WorkQueue.ORCHESTRATOR, 0));
    telemetry.on(new NodeEvent.Fetched(WorkQueue.WORKER, 2));
    telemetry.on(new NodeEvent.FetchFailed(WorkQueue.WORKER, StoreTrouble.UNAVAILABLE));
    telemetry.on(new NodeEvent.CommitRetried(WorkQueue.ORCHESTRATOR, StoreTrouble.CONTENTION));

    assertThat(count(Metric.ORCHESTRATION_DISPATCHER_ITEMS_FETCHED)).isEqualTo(3);
    assertThat(count(Metric.WORKER_DISPATCHER_ITEMS_FETCHED)).isEqualTo(2);
    assertThat(count(Metric.DISPATCHER_EMPTY_POLLS, "queue", "orchestrator")).isEqualTo(1);
    assertThat(count(Metric.DISPATCHER_FETCH_ERRORS, "queue", "worker", "error_type", "connection"))
        .isEqualTo(1);
    assertThat(count(Metric.ACK_RETRIES, "queue", "orchestrator")).isEqualTo(1);
  }

  @Test
  @DisplayName("E2E-766 calls to the store: duration by operation and status, errors by class")
  void storeCalls() {
    Duration took = Duration.ofMillis(2);
    telemetry.on(
        new StorageEvent.Called("fetchWorkItems", took, StorageEvent.Result.DONE, null, 4));
    telemetry.on(
        new StorageEvent.Called("fetchWorkItem", took, StorageEvent.Result.EMPTY, null, 0));
    telemetry.on(
        new StorageEvent.Called("fetchWorkItem", null, StorageEvent.Result.EMPTY, null, 0));
    telemetry.on(new StorageEvent.Called("ackWorkItem", took, StorageEvent.Result.DONE, null, -1));
    for (StoreTrouble trouble : StoreTrouble.values()) {
      telemetry.on(
          new StorageEvent.Called(
              "enqueueForOrchestrator", took, StorageEvent.Result.FAILED, trouble, -1));
    }

    Map<String, Long> timed =
        registry.find("duroxide.provider.operation.duration").timers().stream()
            .collect(
                Collectors.toMap(
                    timer ->
                        timer.getId().getTags().stream()
                            .map(Tag::getValue)
                            .collect(Collectors.joining(" ")),
                    Timer::count));
    assertThat(timed)
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(
                "fetch_work_item hit success", 1L,
                "fetch_work_item empty success", 1L,
                "ack_work_item none success", 1L,
                "enqueue_orchestrator none error", 5L));
    assertThat(byLabel(Metric.PROVIDER_ERRORS, "error_type"))
        .containsOnlyKeys("deadlock", "timeout", "connection", "lock_lost", "other");
    assertThat(registry.get("duroxide.provider.rows").summary().totalAmount()).isEqualTo(4);
  }

  @Test
  @DisplayName("E2E-766 what clients send and wait for; a call that failed sent nothing")
  void clients() {
    client(ClientCall.Operation.START, "Order", null);
    client(ClientCall.Operation.START, "Order", "the store is down");
    client(ClientCall.Operation.RAISE_EVENT, "approval", null);
    client(ClientCall.Operation.ENQUEUE, "inbox", null);
    client(ClientCall.Operation.CANCEL, null, null);
    client(ClientCall.Operation.WAIT, null, null);
    client(ClientCall.Operation.WAIT, null, "did not end");

    assertThat(count(Metric.CLIENT_ORCHESTRATION_STARTS, "orchestration_name", "Order"))
        .isEqualTo(1);
    assertThat(byLabel(Metric.CLIENT_EXTERNAL_EVENTS_RAISED, "event_name"))
        .containsExactlyInAnyOrderEntriesOf(Map.of("approval", 1.0, "inbox", 1.0));
    assertThat(count(Metric.CLIENT_CANCELLATIONS)).isEqualTo(1);
    assertThat(timer(Metric.CLIENT_WAIT_DURATION).count()).isEqualTo(2);
  }

  private void client(ClientCall.Operation operation, String name, String error) {
    telemetry.on(new ClientCall(operation, "order-7", name, Duration.ofMillis(5), error));
  }

  @Test
  @DisplayName("a turn is timed; replayed events, kept executions and late timers are told apart")
  void turns() {
    telemetry.on(Told.turn(TurnEnd.WAITING, new ExecutionEvent.TurnWork(1, 0, 3, false, null)));
    telemetry.on(Told.turn(TurnEnd.WAITING, new ExecutionEvent.TurnWork(1, 0, 2, true, null)));
    telemetry.on(
        Told.turn(
            TurnEnd.COMPLETED,
            new ExecutionEvent.TurnWork(1, 12, 2, false, Duration.ofMillis(30))));

    assertThat(count(Metric.REPLAY_EVENTS)).isEqualTo(12);
    assertThat(byLabel(Metric.EXECUTION_CACHE_LOOKUPS, "result"))
        .containsExactlyInAnyOrderEntriesOf(Map.of("hit", 1.0, "miss", 1.0));
    assertThat(
            timer(Metric.SCHEDULE_TO_START, "queue", "orchestrator")
                .totalTime(TimeUnit.MILLISECONDS))
        .isEqualTo(30, offset(0.01));
    assertThat(
            timer(Metric.ORCHESTRATION_DISPATCHER_PROCESSING_DURATION, "outcome", "waiting")
                .count())
        .isEqualTo(2);
  }

  @Test
  @DisplayName("gauges of nodes are live, summed over nodes, and go with them")
  void vitals() {
    NodeVitals one = Told.vitals(1, 0);
    NodeVitals two = Told.vitals(10, 3);
    telemetry.on(new NodeEvent.Started("one", one));
    telemetry.on(new NodeEvent.Started("two", two));

    assertThat(gauge(Metric.TURNS_IN_PROGRESS)).isEqualTo(11);
    assertThat(gauge(Metric.ACTIVITIES_IN_PROGRESS)).isEqualTo(13);
    assertThat(gauge(Metric.KEPT_EXECUTIONS)).isEqualTo(15);
    assertThat(gauge(Metric.SESSIONS_IN_FLIGHT)).isEqualTo(17);
    assertThat(gauge(Metric.SESSIONS_OWNED)).isEqualTo(19);
    assertThat(gauge(Metric.ZOMBIE_ACTIVITY_THREADS)).isEqualTo(3);

    telemetry.on(new NodeEvent.Stopped("two", two, true));
    assertThat(gauge(Metric.TURNS_IN_PROGRESS)).isEqualTo(1);
  }

  @Test
  @DisplayName("names beyond the limit are counted as other, and nothing is lost")
  void boundedLabels() {
    MicrometerTelemetry few = MicrometerTelemetry.builder(registry).mostNames(3).build();
    for (int i = 0; i < 50; i++) {
      few.on(Told.started(Told.order("Flow" + i, "1.0.0"), Initiator.CLIENT));
      few.on(Told.started(Told.order("Flow0", "1." + i + ".0"), Initiator.CLIENT));
    }

    Map<String, Double> starts =
        byLabel(Metric.ORCHESTRATION_STARTS, "orchestration_name", "version");
    assertThat(starts).hasSizeLessThanOrEqualTo(7).containsKeys("Flow0 other", "other other");
    assertThat(starts.values().stream().mapToDouble(value -> value).sum()).isEqualTo(100);
  }

  @Test
  @DisplayName("prefix and tags can be chosen; a limit below 1 is refused")
  void names() {
    MicrometerTelemetry.builder(registry)
        .prefix("shop.flows")
        .tags("store", "eu")
        .build()
        .on(Told.started(Told.ORDER, Initiator.CLIENT));

    assertThat(
            registry.get("shop.flows.orchestration.starts").tags("store", "eu").counter().count())
        .isEqualTo(1);
    assertThatThrownBy(() -> MicrometerTelemetry.builder(registry).mostNames(0))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @DisplayName("every metric is fed by some event, with exactly its labels and buckets")
  void everyMetricIsFed() {
    AllEvents.tell(telemetry);

    for (Metric metric : Metric.values()) {
      Set<List<String>> keys =
          registry.find("duroxide." + metric.path()).meters().stream()
              .map(meter -> meter.getId().getTags().stream().map(Tag::getKey).toList())
              .collect(Collectors.toSet());
      assertThat(keys)
          .as(metric.name())
          .containsExactly(List.copyOf(new TreeSet<>(metric.labels())));
    }
    assertThat(
            registry.getMeters().stream()
                .map(Meter::getId)
                .filter(id -> id.syntheticAssociation() == null)
                .map(Meter.Id::getName))
        .allSatisfy(name ->
            assertThat(Arrays.stream(Metric.values()).map(metric -> "duroxide." + metric.path()))
                .contains(name));
    CountAtBucket[] buckets =
        timer(Metric.ACTIVITY_DURATION, "outcome", "success").takeSnapshot().histogramCounts();
    assertThat(Arrays.stream(buckets).map(bucket -> bucket.bucket(TimeUnit.SECONDS)))
        .containsExactlyElementsOf(Metric.ACTIVITY_DURATION.buckets());
  }

  /** The counters of a metric, by the values of some labels. */
  private Map<String, Double> byLabel(Metric metric, String... keys) {
    Map<String, Double> counts = new TreeMap<>();
    for (Counter counter : registry.find("duroxide." + metric.path()).counters()) {
      String values =
          Arrays.stream(keys).map(counter.getId()::getTag).collect(Collectors.joining(" "));
      counts.merge(values, counter.count(), Double::sum);
    }
    return counts;
  }
}
