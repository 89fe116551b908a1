package io.duroxide.metrics.micrometer;

import io.duroxide.telemetry.ExecutionEvent;
import io.duroxide.telemetry.ExecutionRef;
import io.duroxide.telemetry.Failure;
import io.duroxide.telemetry.Initiator;
import io.duroxide.telemetry.StorageEvent;
import io.duroxide.telemetry.TurnEnd;
import io.duroxide.telemetry.WorkQueue;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** What executions tell. Thread-safe. */
final class OrchestrationMetrics {
  private final Meters meters;
  private final KnownNames names;
  private final KnownNames categories;
  private final KnownVersions versions;
  private final AtomicLong active = new AtomicLong();

  OrchestrationMetrics(Meters meters, Bounds bounds) {
    this.meters = meters;
    this.names = bounds.orchestrations();
    this.categories = bounds.categories();
    this.versions = bounds.versions();
  }

  void on(ExecutionEvent event) {
    switch (event) {
      case ExecutionEvent.Started e -> started(e);
      case ExecutionEvent.TurnFinished e -> turn(e);
      case ExecutionEvent.Ended e -> ended(e);
      case ExecutionEvent.ChildEnded e -> child(e);
      case ExecutionEvent.DetachedStart ignored -> {}
      case ExecutionEvent.VersionRefused ignored ->
          meters.count(Metric.INCOMPATIBLE_VERSION_ABANDONED);
    }
  }

  /** Between two looks at the store, the number of running instances follows what is committed. */
  long active() {
    return active.get();
  }

  void measured(StorageEvent.Measured store) {
    active.set(store.running());
  }

  private void started(ExecutionEvent.Started event) {
    KnownVersions.Label label = label(event.execution());
    meters.count(
        Metric.ORCHESTRATION_STARTS, label.name(), label.version(), event.initiator().label());
    if (event.initiator() != Initiator.CONTINUE_AS_NEW) {
      active.incrementAndGet();
    }
  }

  private void turn(ExecutionEvent.TurnFinished event) {
    meters.time(
        Metric.ORCHESTRATION_DISPATCHER_PROCESSING_DURATION, event.took(), event.end().label());
    ExecutionEvent.TurnWork work = event.work();
    if (work.replayed() > 0) {
      meters.count(Metric.REPLAY_EVENTS, work.replayed());
    }
    if (event.end() != TurnEnd.DRAINED && (work.kept() || work.replayed() > 0)) {
      meters.count(Metric.EXECUTION_CACHE_LOOKUPS, work.kept() ? "hit" : "miss");
    }
    Duration overdue = work.overdue();
    if (overdue != null) {
      meters.time(Metric.SCHEDULE_TO_START, overdue, WorkQueue.ORCHESTRATOR.label());
    }
  }

  private void ended(ExecutionEvent.Ended event) {
    KnownVersions.Label label = label(event.execution());
    String status = event.ending().label();
    meters.count(
        Metric.ORCHESTRATION_COMPLETIONS,
        label.name(),
        label.version(),
        status,
        turnCount(event.totals()));
    ExecutionEvent.Totals totals = event.totals();
    if (totals != null) {
      meters.time(
          Metric.ORCHESTRATION_DURATION,
          Duration.between(totals.startedAt(), event.at()),
          label.name(),
          label.version(),
          status);
      meters.record(Metric.ORCHESTRATION_HISTORY_SIZE, totals.events(), label.name());
      meters.record(Metric.ORCHESTRATION_TURNS, totals.turns(), label.name());
    }
    Failure failure = event.failure();
    if (failure != null) {
      failed(label, failure);
    }
    if (event.ending().endsInstance()) {
      active.decrementAndGet();
    } else {
      meters.count(Metric.ORCHESTRATION_CONTINUE_AS_NEW, label.name());
    }
  }

  private static String turnCount(ExecutionEvent.@Nullable Totals totals) {
    if (totals == null) {
      return "unknown";
    }
    int turns = totals.turns();
    if (turns <= 5) {
      return "1-5";
    }
    if (turns <= 10) {
      return "6-10";
    }
    return turns <= 50 ? "11-50" : "50+";
  }

  private void failed(KnownVersions.Label label, Failure failure) {
    String category = categories.of(failure.category());
    meters.count(
        Metric.ORCHESTRATION_FAILURES,
        label.name(),
        label.version(),
        failure.kind().label(),
        category);
    switch (failure.kind()) {
      case INFRASTRUCTURE ->
          meters.count(Metric.ORCHESTRATION_INFRASTRUCTURE_ERRORS, label.name(), category);
      case CONFIGURATION ->
          meters.count(Metric.ORCHESTRATION_CONFIGURATION_ERRORS, label.name(), category);
      case POISON -> meters.count(Metric.ORCHESTRATION_POISON, label.name());
      case APPLICATION, CANCELLED, LIMIT -> {}
    }
  }

  private void child(ExecutionEvent.ChildEnded event) {
    String parent = names.of(event.execution().orchestration());
    String child = names.of(event.child().orchestration());
    String outcome = event.end().label();
    meters.count(Metric.SUBORCHESTRATION_CALLS, parent, child, outcome);
    meters.time(
        Metric.SUBORCHESTRATION_DURATION,
        Duration.between(event.scheduledAt(), event.at()),
        parent,
        child,
        outcome);
  }

  private KnownVersions.Label label(ExecutionRef execution) {
    return versions.of(execution.orchestration(), execution.version());
  }
}
