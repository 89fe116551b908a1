package io.duroxide.replay;

import io.duroxide.model.EventKind;

/** The things that can be scheduled and completed. */
enum ScheduleKind {
  ACTIVITY("activity", "completion"),
  TIMER("timer", "timer"),
  CHILD("sub-orchestration", "sub-orchestration"),
  WAIT("external wait", "external event"),
  DEQUEUE("dequeue", "queue message"),
  PRUNE("pruning of history", "pruning of history");

  private final String label;
  private final String completionLabel;

  ScheduleKind(String label, String completionLabel) {
    this.label = label;
    this.completionLabel = completionLabel;
  }

  String label() {
    return label;
  }

  /** How its outcome is called in messages. */
  String completionLabel() {
    return completionLabel;
  }

  static ScheduleKind of(EventKind.Schedule schedule) {
    return switch (schedule) {
      case EventKind.ActivityScheduled ignored -> ACTIVITY;
      case EventKind.TimerCreated ignored -> TIMER;
      case EventKind.SubOrchestrationScheduled ignored -> CHILD;
      case EventKind.ExternalSubscribed ignored -> WAIT;
      case EventKind.QueueSubscribed ignored -> DEQUEUE;
      case EventKind.HistoryPruneRequested ignored -> PRUNE;
    };
  }

  static ScheduleKind of(EventKind.Completion completion) {
    return switch (completion) {
      case EventKind.ActivityCompleted ignored -> ACTIVITY;
      case EventKind.ActivityFailed ignored -> ACTIVITY;
      case EventKind.TimerFired ignored -> TIMER;
      case EventKind.SubOrchestrationCompleted ignored -> CHILD;
      case EventKind.SubOrchestrationFailed ignored -> CHILD;
      case EventKind.HistoryPruned ignored -> PRUNE;
    };
  }

  static ScheduleKind of(EventKind.Decision decision) {
    return switch (decision) {
      case EventKind.ActivityCancelRequested ignored -> ACTIVITY;
      case EventKind.SubOrchestrationCancelRequested ignored -> CHILD;
      case EventKind.ExternalSubscribedCancelled ignored -> WAIT;
      case EventKind.QueueSubscriptionCancelled ignored -> DEQUEUE;
    };
  }
}
