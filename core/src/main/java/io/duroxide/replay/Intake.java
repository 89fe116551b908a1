package io.duroxide.replay;

import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Turns what arrived into events: drops what belongs to another execution or repeats an outcome,
 * and notices what cannot be. Who takes an arrival is open until the turn has shown what the code
 * gives up, so the ledger learns of arrivals at its end.
 */
final class Intake {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.replay");

  private final ExecutionKey execution;
  private final Ledger ledger;
  private final Recording recording;
  private final Nondeterminism words;
  private @Nullable ErrorDetails abort;

  Intake(ExecutionKey execution, Ledger ledger, Recording recording, Nondeterminism words) {
    this.execution = execution;
    this.ledger = ledger;
    this.recording = recording;
    this.words = words;
  }

  /** Why the execution must end without running its code; the first cause counts. */
  @Nullable ErrorDetails abort() {
    return abort;
  }

  void convert(List<WorkItem> messages) {
    messages.forEach(this::convert);
  }

  private void convert(WorkItem message) {
    switch (message) {
      case WorkItem.ActivityCompleted m ->
          outcome(
              m, ScheduleKind.ACTIVITY, new EventKind.ActivityCompleted(m.result(), m.attempt()));
      case WorkItem.ActivityFailed m ->
          outcome(m, ScheduleKind.ACTIVITY, new EventKind.ActivityFailed(m.details(), m.attempt()));
      case WorkItem.TimerFired m ->
          outcome(m, ScheduleKind.TIMER, new EventKind.TimerFired(m.fireAt()));
      case WorkItem.SubOrchCompleted m ->
          outcome(m, ScheduleKind.CHILD, new EventKind.SubOrchestrationCompleted(m.result()));
      case WorkItem.SubOrchFailed m ->
          outcome(m, ScheduleKind.CHILD, new EventKind.SubOrchestrationFailed(m.details()));
      case WorkItem.ExternalRaised m ->
          record(null, new EventKind.ExternalEvent(m.name(), m.data()));
      case WorkItem.QueueMessage m ->
          record(null, new EventKind.QueueEventDelivered(m.name(), m.data()));
      case WorkItem.CancelInstance m -> cancel(m);
      case WorkItem.StartLike ignored -> dropped("a start for an execution that is running");
      case WorkItem.ActivityExecute ignored -> dropped("an activity in the orchestrator queue");
    }
  }

  private void outcome(WorkItem.Outcome message, ScheduleKind completed, EventKind kind) {
    Level level = completed == ScheduleKind.TIMER ? Level.DEBUG : Level.WARN;
    if (message.executionId() != execution.executionId()) {
      dropped(level, "an outcome for execution " + message.executionId());
      return;
    }
    if (ledger.hasOutcome(message.id())) {
      dropped(level, "a second outcome for id=" + message.id());
      return;
    }
    ScheduleKind scheduled = ledger.kindOf(message.id());
    if (scheduled != completed) {
      abort(words.unmatchedOutcome(message.id(), completed, scheduled));
      return;
    }
    record(message.id(), kind);
    ErrorDetails failure = failure(kind);
    if (failure != null && !failure.reachesCode()) {
      abort(failure);
    }
  }

  static @Nullable ErrorDetails failure(EventKind kind) {
    return switch (kind) {
      case EventKind.ActivityFailed f -> f.details();
      case EventKind.SubOrchestrationFailed f -> f.details();
      default -> null;
    };
  }

  /** A cancel that a parent sends counts only for that parent's own child. */
  private void cancel(WorkItem.CancelInstance message) {
    if (message.parent() != null && !message.parent().equals(ledger.parent())) {
      dropped("a cancel from an instance that is not the parent");
    } else if (ledger.cancelReason() == null) {
      record(null, new EventKind.OrchestrationCancelRequested(message.reason()));
    }
  }

  private void record(@Nullable Long source, EventKind kind) {
    Event event = recording.add(source, kind);
    if (!(kind instanceof EventKind.Arrival)) {
      ledger.add(event);
    }
  }

  private void abort(ErrorDetails details) {
    if (abort == null) {
      abort = details;
    }
  }

  private void dropped(String what) {
    dropped(Level.WARN, what);
  }

  private void dropped(Level level, String what) {
    LOG.atLevel(level)
        .addKeyValue("instance_id", execution.instance())
        .addKeyValue("execution_id", execution.executionId())
        .log("dropped {}", what);
  }
}
