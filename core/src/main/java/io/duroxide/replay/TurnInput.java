package io.duroxide.replay;

import io.duroxide.model.Event;
import io.duroxide.model.KvEntry;
import io.duroxide.model.WorkItem;
import java.util.List;
import java.util.Map;

/**
 * What a turn is computed from.
 *
 * @param history the events this execution has not seen yet: all of them for a rebuilt one, only
 *     newer ones for a parked one
 * @param persistedCount how many of them are stored; one less than all when the first event is new
 * @param messages what arrived, in queue order
 * @param kvSnapshot the KV state at the start of the execution; ignored by a parked one
 */
public record TurnInput(
    List<Event> history,
    int persistedCount,
    List<WorkItem> messages,
    Map<String, KvEntry> kvSnapshot) {
  public TurnInput {
    history = List.copyOf(history);
    messages = List.copyOf(messages);
  }

  /** Stored history and new messages, without KV. */
  public static TurnInput of(List<Event> history, List<? extends WorkItem> messages) {
    return new TurnInput(history, history.size(), List.copyOf(messages), Map.of());
  }

  /** Messages for a parked execution that nobody else advanced. */
  public static TurnInput messages(List<? extends WorkItem> messages) {
    return of(List.of(), messages);
  }
}
