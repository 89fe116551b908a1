package io.duroxide.runtime;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.SystemActivities;
import java.util.List;

/**
 * How many turns wrote a history that this node did not see being written.
 *
 * <p>A turn records what arrived before what its code did, so an arrival behind something else
 * began a turn. Arrivals in a row came in one turn if they bear the same time; two turns within one
 * millisecond, the first of which did nothing but listen, are taken for one. Pure.
 */
final class TurnCount {
  private TurnCount() {}

  static int of(List<Event> history) {
    int turns = history.isEmpty() ? 0 : 1;
    boolean arrivedBefore = true;
    for (int i = 1; i < history.size(); i++) {
      Event event = history.get(i);
      Event before = history.get(i - 1);
      boolean arrived = isArrival(event, before);
      boolean sameTurn =
          before.kind() instanceof EventKind.OrchestrationStarted
              || (arrivedBefore && event.stamp().at().equals(before.stamp().at()));
      if (arrived && !sameTurn) {
        turns++;
      }
      arrivedBefore = arrived;
    }
    return turns;
  }

  private static boolean isArrival(Event event, Event before) {
    return switch (event.kind()) {
      case EventKind.HistoryPruned ignored -> false;
      case EventKind.Completion ignored -> !answersItself(event, before);
      case EventKind.Arrival ignored -> true;
      case EventKind.OrchestrationCancelRequested ignored -> true;
      default -> false;
    };
  }

  /** A system call is answered by the turn itself, right behind its schedule. */
  private static boolean answersItself(Event event, Event before) {
    Long source = event.source();
    return source != null
        && source == before.id()
        && before.kind() instanceof EventKind.ActivityScheduled scheduled
        && scheduled.name().startsWith(SystemActivities.PREFIX)
        && event.stamp().at().equals(before.stamp().at());
  }
}
