package io.duroxide.runtime;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Retention;
import io.duroxide.replay.Execution;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What triage found out about the execution whose turn it is.
 *
 * @param key the execution
 * @param started how it began
 * @param firstEvent the event to record for that, if this is its first turn
 * @param history recorded events that {@code parked} has not seen
 * @param arrivals what came for it
 * @param parked the execution as it waits in memory, if it does
 * @param prune which past executions to keep, if the one before said so
 */
record TurnStart(
    ExecutionKey key,
    EventKind.OrchestrationStarted started,
    @Nullable Event firstEvent,
    List<Event> history,
    Arrivals arrivals,
    @Nullable Execution parked,
    @Nullable Retention prune) {
  TurnStart {
    history = List.copyOf(history);
  }

  /** The same with messages of these queues before all others. */
  TurnStart withMailFirst(List<String> queues) {
    return new TurnStart(
        key, started, firstEvent, history, arrivals.withMailFirst(queues), parked, prune);
  }
}
