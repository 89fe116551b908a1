package io.duroxide.metrics.micrometer;

import io.duroxide.telemetry.StorageEvent;
import io.duroxide.telemetry.StoreTrouble;
import io.duroxide.telemetry.WorkQueue;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.ToLongFunction;

/** What is known of the store. Thread-safe. */
final class StorageMetrics {
  /** Operations whose labels are not their methods' names. */
  private static final Map<String, String> LABELS =
      Map.of(
          "commitTurn", "ack_orchestration_item",
          "enqueueForOrchestrator", "enqueue_orchestrator",
          "enqueueForWorker", "enqueue_worker",
          "fetchOrchestrationItems", "fetch_orchestration_item",
          "fetchWorkItems", "fetch_work_item");

  private static final StorageEvent.Measured NOTHING =
      new StorageEvent.Measured(0, 0, 0, 0, 0, 0, 0);

  private final Meters meters;
  private final KnownNames orchestrations;
  private final KnownNames operations;
  private final OrchestrationMetrics executions;
  private final Map<String, String> labels = new ConcurrentHashMap<>(LABELS);
  private final AtomicReference<StorageEvent.Measured> latest = new AtomicReference<>(NOTHING);
  private final AtomicBoolean gauges = new AtomicBoolean();
  private final AtomicReference<StorageEvent.Stranded> stranded =
      new AtomicReference<>(new StorageEvent.Stranded(0, 0));
  private final AtomicBoolean strandedGauges = new AtomicBoolean();
  private final KnownNames tags;
  private final Map<String, AtomicLong> readyByTag = new ConcurrentHashMap<>();

  StorageMetrics(Meters meters, Bounds bounds, OrchestrationMetrics executions) {
    this.meters = meters;
    this.orchestrations = bounds.orchestrations();
    this.operations = bounds.operations();
    this.tags = bounds.tags();
    this.executions = executions;
  }

  void on(StorageEvent event) {
    switch (event) {
      case StorageEvent.Called e -> called(e);
      case StorageEvent.Measured e -> measured(e);
      case StorageEvent.Stranded e -> stranded(e);
      case StorageEvent.Waiting e -> waiting(e);
      case StorageEvent.Pruned e -> pruned(e);
      case StorageEvent.OrphansCleaned e ->
          meters.count(Metric.ORPHANS_CLEANED, e.instances(), e.kind().label());
    }
  }

  private void called(StorageEvent.Called event) {
    String operation = operation(event.operation());
    Duration took = event.took();
    if (took != null) {
      meters.time(
          Metric.PROVIDER_OPERATION_DURATION,
          took,
          operation,
          event.result() == StorageEvent.Result.FAILED ? "error" : "success",
          result(event));
    }
    if (event.rows() >= 0 && event.result() != StorageEvent.Result.FAILED) {
      meters.record(Metric.PROVIDER_ROWS, event.rows(), operation);
    }
    StoreTrouble trouble = event.trouble();
    if (trouble != null) {
      meters.count(Metric.PROVIDER_ERRORS, operation, trouble.label());
    }
  }

  private static String result(StorageEvent.Called event) {
    return switch (event.result()) {
      case DONE -> event.rows() > 0 ? "hit" : "none";
      case EMPTY -> "empty";
      case FAILED -> "none";
    };
  }

  private String operation(String method) {
    String known = labels.get(method);
    if (known != null) {
      return known;
    }
    String label = operations.of(method);
    return label.equals(method) ? labels.computeIfAbsent(method, StorageMetrics::snakeCase) : label;
  }

  private static String snakeCase(String method) {
    return method.replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT);
  }

  /** A store that cannot be counted has no gauges. */
  private void measured(StorageEvent.Measured event) {
    latest.set(event);
    executions.measured(event);
    if (gauges.compareAndSet(false, true)) {
      meters.gauge(Metric.ACTIVE_ORCHESTRATIONS, executions::active);
      Metric orchestrator = Metric.ORCHESTRATOR_QUEUE_DEPTH;
      depth(orchestrator, "visible", StorageEvent.Measured::orchestratorReady);
      depth(orchestrator, "delayed", StorageEvent.Measured::orchestratorDelayed);
      depth(orchestrator, "locked", StorageEvent.Measured::orchestratorLocked);
      depth(Metric.WORKER_QUEUE_DEPTH, "visible", StorageEvent.Measured::workerReady);
      depth(Metric.WORKER_QUEUE_DEPTH, "delayed", StorageEvent.Measured::workerDelayed);
      depth(Metric.WORKER_QUEUE_DEPTH, "locked", StorageEvent.Measured::workerLocked);
    }
  }

  private void depth(Metric metric, String state, ToLongFunction<StorageEvent.Measured> depth) {
    meters.gauge(metric, () -> depth.applyAsLong(latest.get()), state);
  }

  /** A store where nobody can look has no gauges. */
  private void stranded(StorageEvent.Stranded event) {
    stranded.set(event);
    if (strandedGauges.compareAndSet(false, true)) {
      Metric metric = Metric.STRANDED_WORK;
      meters.gauge(metric, () -> stranded.get().turns(), WorkQueue.ORCHESTRATOR.label());
      meters.gauge(metric, () -> stranded.get().activities(), WorkQueue.WORKER.label());
    }
  }

  /** A tag that was seen once is told from then on, if need be as none. */
  private void waiting(StorageEvent.Waiting event) {
    Map<String, Long> counts = new HashMap<>();
    event.byTag().forEach((tag, count) -> counts.merge(tags.of(tag), count, Long::sum));
    counts.keySet().forEach(tag -> readyByTag.computeIfAbsent(tag, this::readyGauge));
    readyByTag.forEach((tag, value) -> value.set(counts.getOrDefault(tag, 0L)));
  }

  private AtomicLong readyGauge(String tag) {
    AtomicLong value = new AtomicLong();
    meters.gauge(Metric.WORKER_QUEUE_READY, value::get, tag);
    return value;
  }

  private void pruned(StorageEvent.Pruned event) {
    String source = event.source().label();
    String name = orchestrations.of(event.orchestration());
    Duration took = event.took();
    if (took != null) {
      meters.time(Metric.PRUNE_DURATION, took, source);
    }
    if (event.error() != null) {
      meters.count(Metric.PRUNE_FAILURES, name, source);
      return;
    }
    meters.count(Metric.EXECUTIONS_PRUNED, event.executions(), name, source);
    meters.count(Metric.HISTORY_EVENTS_PRUNED, event.events(), name, source);
  }
}
