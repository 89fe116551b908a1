package io.duroxide.metrics.micrometer;

import io.duroxide.telemetry.NodeEvent;
import io.duroxide.telemetry.NodeVitals;
import io.duroxide.telemetry.WorkQueue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToIntFunction;

/** What nodes tell. Thread-safe. */
final class NodeMetrics {
  private final Meters meters;
  private final KnownNames orchestrations;
  private final KnownNames activities;
  private final Set<NodeVitals> nodes = ConcurrentHashMap.newKeySet();

  NodeMetrics(Meters meters, Bounds bounds) {
    this.meters = meters;
    this.orchestrations = bounds.orchestrations();
    this.activities = bounds.activities();
  }

  /** The gauges of all nodes that report here; they exist from the start. */
  void registerGauges() {
    gauge(Metric.TURNS_IN_PROGRESS, NodeVitals::turnsInProgress);
    gauge(Metric.ACTIVITIES_IN_PROGRESS, NodeVitals::activitiesInProgress);
    gauge(Metric.KEPT_EXECUTIONS, NodeVitals::keptExecutions);
    gauge(Metric.SESSIONS_IN_FLIGHT, NodeVitals::sessionsInFlight);
    gauge(Metric.SESSIONS_OWNED, NodeVitals::sessionsOwned);
    gauge(Metric.ZOMBIE_ACTIVITY_THREADS, NodeVitals::zombieActivities);
  }

  private void gauge(Metric metric, ToIntFunction<NodeVitals> value) {
    meters.gauge(metric, () -> nodes.stream().mapToInt(value).sum());
  }

  void on(NodeEvent event) {
    switch (event) {
      case NodeEvent.Started e -> nodes.add(e.vitals());
      case NodeEvent.Stopped e -> nodes.remove(e.vitals());
      case NodeEvent.Fetched e -> fetched(e);
      case NodeEvent.FetchFailed e ->
          meters.count(Metric.DISPATCHER_FETCH_ERRORS, e.queue().label(), e.trouble().label());
      case NodeEvent.CommitRetried e -> meters.count(Metric.ACK_RETRIES, e.queue().label());
      case NodeEvent.RenewalFailed e ->
          meters.count(Metric.LOCK_RENEWAL_FAILURES, e.lock().label(), e.trouble().label());
      case NodeEvent.HandlerMissing e -> handlerMissing(e);
      case NodeEvent.TurnInVain e -> meters.count(Metric.TURNS_IN_VAIN, e.reason().label());
      case NodeEvent.ClockWentBack ignored -> meters.count(Metric.CLOCK_STEPS);
      case NodeEvent.Evicted e -> meters.count(Metric.EXECUTION_CACHE_EVICTIONS, e.executions());
      case NodeEvent.SessionClaimed e ->
          meters.count(Metric.SESSION_CLAIMS, e.again() ? "reclaim" : "new");
      case NodeEvent.MessagesDropped e ->
          meters.count(Metric.MESSAGES_DROPPED, e.messages(), e.reason().label());
    }
  }

  private void fetched(NodeEvent.Fetched event) {
    if (event.items() == 0) {
      meters.count(Metric.DISPATCHER_EMPTY_POLLS, event.queue().label());
      return;
    }
    Metric metric =
        switch (event.queue()) {
          case ORCHESTRATOR -> Metric.ORCHESTRATION_DISPATCHER_ITEMS_FETCHED;
          case WORKER -> Metric.WORKER_DISPATCHER_ITEMS_FETCHED;
        };
    meters.count(metric, event.items());
  }

  private void handlerMissing(NodeEvent.HandlerMissing event) {
    boolean activity = event.queue() == WorkQueue.WORKER;
    meters.count(
        Metric.UNREGISTERED_BACKOFF,
        activity ? "activity" : "orchestration",
        (activity ? activities : orchestrations).of(event.name()));
  }
}
