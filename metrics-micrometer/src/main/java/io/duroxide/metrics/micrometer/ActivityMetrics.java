package io.duroxide.metrics.micrometer;

import io.duroxide.telemetry.ActivityEvent;
import io.duroxide.telemetry.WorkQueue;
import java.time.Duration;

/** What activities tell. Thread-safe. */
final class ActivityMetrics {
  private static final String NO_TAG = "default";

  private final Meters meters;
  private final KnownNames names;
  private final KnownNames tags;

  ActivityMetrics(Meters meters, Bounds bounds) {
    this.meters = meters;
    this.names = bounds.activities();
    this.tags = bounds.tags();
  }

  void on(ActivityEvent event) {
    switch (event) {
      case ActivityEvent.Started e -> started(e);
      case ActivityEvent.Finished e -> finished(e);
    }
  }

  private void started(ActivityEvent.Started event) {
    Duration queued = event.queued();
    if (queued != null) {
      meters.time(Metric.SCHEDULE_TO_START, queued, WorkQueue.WORKER.label());
    }
  }

  private void finished(ActivityEvent.Finished event) {
    String name = names.of(event.activity().activity());
    String outcome = event.outcome().label();
    String tag = event.activity().routing().tag();
    String tagLabel = tag == null ? NO_TAG : tags.of(tag);
    meters.count(Metric.ACTIVITY_EXECUTIONS, name, outcome, retry(event.attempt()), tagLabel);
    meters.time(Metric.WORKER_DISPATCHER_EXECUTION_DURATION, event.timing().processed());
    Duration ran = event.timing().ran();
    if (ran != null) {
      meters.time(Metric.ACTIVITY_DURATION, ran, name, outcome, tagLabel);
    }
    switch (event.outcome()) {
      case INFRASTRUCTURE_ERROR -> meters.count(Metric.ACTIVITY_INFRASTRUCTURE_ERRORS, name);
      case CONFIGURATION_ERROR -> meters.count(Metric.ACTIVITY_CONFIGURATION_ERRORS, name);
      case POISON -> meters.count(Metric.ACTIVITY_POISON, name);
      case SUCCESS, APPLICATION_ERROR, CANCELLED, HANDED_OVER -> {}
    }
  }

  private static String retry(int attempt) {
    return attempt > 3 ? "3+" : Integer.toString(Math.max(0, attempt - 1));
  }
}
