package io.duroxide.replay;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The new events of one turn, numbered behind those that exist. */
final class Recording {
  private final ExecutionKey execution;
  private final EventStamp stamp;
  private final List<Event> events = new ArrayList<>(4);
  private long lastId;

  /** Behind the events of a ledger, in number and time. */
  Recording(ExecutionKey execution, EngineOptions options, Ledger ledger) {
    this.execution = execution;
    Instant now = Instant.ofEpochMilli(options.clock().instant().toEpochMilli());
    this.stamp =
        new EventStamp(now, options.author().frameworkVersion()).notBefore(ledger.lastAt());
    this.lastId = ledger.lastId();
  }

  Event add(@Nullable Long source, EventKind kind) {
    Event event = new Event(execution, ++lastId, source, stamp, kind);
    events.add(event);
    return event;
  }

  long nextId() {
    return lastId + 1;
  }

  /** When this turn happens. */
  Instant now() {
    return stamp.at();
  }

  List<Event> events() {
    return List.copyOf(events);
  }

  int size() {
    return events.size();
  }

  /** The events behind the first {@code count}. */
  List<Event> behind(int count) {
    return List.copyOf(events.subList(count, events.size()));
  }

  List<Event> first(int count) {
    return List.copyOf(events.subList(0, count));
  }
}
