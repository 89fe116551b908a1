package io.duroxide.provider.sqlite;

import io.duroxide.model.Event;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * Events to be stored, encoded by the caller, so that the writer need not do it.
 *
 * @param stretches the same, as rows have them
 */
record NewEvents(List<StoredEvent> events, List<Stretch> stretches) {
  static final NewEvents NONE = new NewEvents(List.of(), List.of());

  static NewEvents of(List<Event> events) {
    List<StoredEvent> stored = new ArrayList<>(events.size());
    for (Event event : events) {
      stored.add(StoredEvent.of(event));
    }
    return ofStored(stored);
  }

  static NewEvents ofStored(List<StoredEvent> events) {
    return new NewEvents(events, Stretch.of(events));
  }

  NewEvents sorted() {
    List<StoredEvent> sorted = new ArrayList<>(events);
    sorted.sort(Comparator.comparingLong(StoredEvent::id));
    return ofStored(sorted);
  }

  /** Whether ids go up from one that is stored, as nearly always. */
  boolean isBehind(long newest) {
    long before = Math.max(0, newest);
    for (StoredEvent event : events) {
      if (event.id() <= before) {
        return false;
      }
      before = event.id();
    }
    return true;
  }
}
