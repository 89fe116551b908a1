package io.duroxide.proof.check;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Reasons;
import io.duroxide.model.SystemActivities;
import io.duroxide.model.WorkItem;
import java.util.List;
import java.util.Optional;

/** Events as the messages they came from, and without what may differ between two replays. */
final class EventForms {
  private EventForms() {}

  /** The message that was recorded as this event; empty if it was none. */
  static Optional<WorkItem> message(Event event, List<Event> history) {
    ExecutionKey key = event.execution();
    String instance = key.instance();
    long execution = key.executionId();
    long source = event.source() == null ? 0 : event.source();
    return Optional.ofNullable(
        switch (event.kind()) {
          case EventKind.ActivityCompleted e ->
              isAnsweredAtOnce(history, source)
                  ? null
                  : new WorkItem.ActivityCompleted(instance, execution, source, e.result());
          case EventKind.ActivityFailed e ->
              new WorkItem.ActivityFailed(instance, execution, source, e.details());
          case EventKind.TimerFired e ->
              new WorkItem.TimerFired(instance, execution, source, e.fireAt());
          case EventKind.SubOrchestrationCompleted e ->
              new WorkItem.SubOrchCompleted(instance, execution, source, e.result());
          case EventKind.SubOrchestrationFailed e ->
              new WorkItem.SubOrchFailed(instance, execution, source, e.details());
          case EventKind.ExternalEvent e ->
              new WorkItem.ExternalRaised(instance, e.name(), e.data());
          case EventKind.QueueEventDelivered e ->
              new WorkItem.QueueMessage(instance, e.name(), e.data());
          case EventKind.OrchestrationCancelRequested e ->
              new WorkItem.CancelInstance(instance, e.reason(), null);
          default -> null;
        });
  }

  /** Time and ids are answered in the turn that asks for them. */
  private static boolean isAnsweredAtOnce(List<Event> history, long schedule) {
    return history.get((int) schedule - 1).kind() instanceof EventKind.ActivityScheduled scheduled
        && (scheduled.name().equals(SystemActivities.NEW_GUID)
            || scheduled.name().equals(SystemActivities.UTC_NOW));
  }

  /** What the end of an execution adds by itself. */
  static boolean isOfEnd(Event event) {
    return event.kind() instanceof EventKind.Terminal
        || (event.kind() instanceof EventKind.Decision decision
            && decision.reason().startsWith(Reasons.ORCHESTRATION_TERMINAL));
  }

  /** Without instants, ids and counts that are new each time. */
  static String plain(Event event) {
    String text =
        switch (event.kind()) {
          case EventKind.TimerCreated ignored -> "timer";
          case EventKind.KeyValueSet set -> set.key() + "=" + set.value();
          case EventKind.HistoryPruned ignored -> "pruned";
          case EventKind.ActivityCompleted ignored -> "outcome";
          case EventKind.ActivityFailed failed -> failed.details().toString();
          default -> event.kind().toString();
        };
    return event.id() + " " + event.source() + " " + text;
  }
}
