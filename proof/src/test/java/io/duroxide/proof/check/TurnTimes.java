package io.duroxide.proof.check;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import java.util.List;
import java.util.SortedMap;

/** What histories tell of the times of turns. */
final class TurnTimes {
  /** Before everything that was ever recorded. */
  static final long NEVER = Long.MIN_VALUE / 2;

  private TurnTimes() {}

  /**
   * An instant before the last turn of an instance was fetched: when something of an earlier turn
   * was recorded. What was acknowledged by then was part of the last turn at the latest. For an
   * instance that has not ended, when its last turn was recorded.
   */
  static long beforeLast(SortedMap<Long, List<Event>> executions) {
    List<Event> last = executions.lastEntry().getValue();
    if (last.isEmpty()) {
      return NEVER;
    }
    if (!(last.getLast().kind() instanceof EventKind.Terminal terminal)
        || terminal instanceof EventKind.OrchestrationContinuedAsNew) {
      return at(last.getLast());
    }
    long ended = at(last.getLast());
    long arrived =
        last.reversed().stream()
            .filter(event -> isArrival(event) && at(event) < ended)
            .mapToLong(TurnTimes::at)
            .findFirst()
            .orElse(NEVER);
    long recorded = latest(last.subList(1, last.size()), arrived);
    for (List<Event> earlier : executions.headMap(executions.lastKey()).values()) {
      recorded = Math.max(recorded, latest(earlier, Long.MAX_VALUE));
    }
    return recorded;
  }

  /**
   * A turn has one time for all that arrived, and perhaps a later one for its end. Its start, the
   * first event of all, has a time of its own that is earlier.
   */
  private static boolean isArrival(Event event) {
    return event.kind() instanceof EventKind.Arrival
        || event.kind() instanceof EventKind.Completion
        || event.kind() instanceof EventKind.OrchestrationCancelRequested;
  }

  private static long latest(List<Event> events, long before) {
    return events.stream().mapToLong(TurnTimes::at).filter(at -> at < before).max().orElse(NEVER);
  }

  private static long at(Event event) {
    return event.stamp().at().toEpochMilli();
  }
}
