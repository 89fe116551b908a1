package io.duroxide.provider.postgres;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.provider.TextChecks;
import io.duroxide.provider.TurnCommit;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A commit as it is stored; encoded by the caller, so that lanes need not.
 *
 * @param start the start among its events
 * @param customStatus the last change of the custom status among them
 */
record TurnParts(
    List<StoredEvent> events,
    List<NewWork> activities,
    List<NewMessage> messages,
    List<ValueChange> values,
    EventKind.@Nullable OrchestrationStarted start,
    EventKind.@Nullable CustomStatusUpdated customStatus) {

  /** The parts of a commit; what no store could accept is refused. */
  static TurnParts of(String operation, TurnCommit commit) {
    TextChecks.check(operation, commit);
    List<Event> events = commit.historyDelta();
    TurnParts parts =
        new TurnParts(
            events.stream().map(StoredEvent::of).toList(),
            commit.workerItems().stream().map(item -> NewWork.of(operation, item)).toList(),
            commit.orchestratorItems().stream()
                .map(item -> NewMessage.of(operation, item))
                .toList(),
            ValueChange.among(events),
            first(events),
            lastStatus(events));
    checkIds(operation, parts.events());
    return parts;
  }

  static void checkIds(String operation, List<StoredEvent> events) {
    for (StoredEvent event : events) {
      if (event.id() < 1) {
        throw Refusal.invalid(operation, "event ids begin at 1, got " + event.id());
      }
    }
    Set<Long> seen = new HashSet<>();
    for (StoredEvent event : events) {
      if (!seen.add(event.id())) {
        throw Refusal.duplicateEvent(operation, "event " + event.id());
      }
    }
  }

  static EventKind.@Nullable OrchestrationStarted first(List<Event> events) {
    for (Event event : events) {
      if (event.kind() instanceof EventKind.OrchestrationStarted start) {
        return start;
      }
    }
    return null;
  }

  private static EventKind.@Nullable CustomStatusUpdated lastStatus(List<Event> events) {
    for (Event event : events.reversed()) {
      if (event.kind() instanceof EventKind.CustomStatusUpdated updated) {
        return updated;
      }
    }
    return null;
  }

  long oldestEvent() {
    return events.stream().mapToLong(StoredEvent::id).min().orElse(Long.MAX_VALUE);
  }

  long newestEvent() {
    return events.stream().mapToLong(StoredEvent::id).max().orElse(0);
  }
}
