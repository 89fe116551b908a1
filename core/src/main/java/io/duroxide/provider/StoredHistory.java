package io.duroxide.provider;

import io.duroxide.model.Event;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The recorded events of an execution in id order.
 *
 * @param after events up to this id were left out because the caller has them; 0 for none
 * @param events the events behind it
 * @param error why the history cannot be decoded; events is empty then
 */
public record StoredHistory(long after, List<Event> events, @Nullable String error) {
  public StoredHistory {
    events = List.copyOf(events);
  }

  public static StoredHistory of(List<Event> events) {
    return new StoredHistory(0, events, null);
  }

  public static StoredHistory unreadable(String error) {
    return new StoredHistory(0, List.of(), error);
  }
}
