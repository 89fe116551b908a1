package io.duroxide.provider.postgres;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.Semver;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.TurnCommit;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Function;
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
    return of(operation, commit, item -> NewWork.of(operation, item));
  }

  /** As {@link #of}, for a turn whose activity will be held. */
  static TurnParts ofHeld(String operation, TurnCommit commit) {
    return of(operation, commit, item -> NewWork.heldOf(operation, item));
  }

  private static TurnParts of(
      String operation, TurnCommit commit, Function<WorkItem, NewWork> activity) {
    List<Event> events = commit.historyDelta();
    TurnParts parts =
        new TurnParts(
            events.stream().map(StoredEvent::of).toList(),
            commit.workerItems().stream().map(activity).toList(),
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

  /** Whether the ids of the events go up one by one. */
  boolean hasConsecutiveEvents() {
    for (int i = 1; i < events.size(); i++) {
      if (events.get(i).id() != events.get(i - 1).id() + 1) {
        return false;
      }
    }
    return true;
  }

  /** Whether there is more to note than what every turn changes. */
  boolean isNoted(ExecutionMetadata metadata) {
    return start != null || !metadata.equals(ExecutionMetadata.NONE);
  }

  /** A pin in a form in which text compares as versions do. */
  static String pin(Semver version) {
    return String.format(
        Locale.ROOT, "%09d.%09d.%09d", version.major(), version.minor(), version.patch());
  }
}
