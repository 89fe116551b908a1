package io.duroxide.replay;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import java.util.List;
import java.util.Optional;

/** What can be told from recorded events without running any code. */
public record RecordedHistory(ExecutionKey execution, List<Event> events) {
  public RecordedHistory {
    events = List.copyOf(events);
  }

  /** What would be left open if the execution ended after the last event. */
  public Outstanding outstanding() {
    Ledger ledger = new Ledger(execution);
    ledger.absorb(events);
    return ledger.outstanding();
  }

  /** The start, if the history begins with it. */
  public Optional<EventKind.OrchestrationStarted> started() {
    return events.stream()
        .findFirst()
        .map(Event::kind)
        .filter(EventKind.OrchestrationStarted.class::isInstance)
        .map(EventKind.OrchestrationStarted.class::cast);
  }

  /** The event that ended the execution. */
  public Optional<EventKind.Terminal> terminal() {
    return events.stream()
        .map(Event::kind)
        .filter(EventKind.Terminal.class::isInstance)
        .map(EventKind.Terminal.class::cast)
        .findFirst();
  }

  public long lastEventId() {
    return events.stream().mapToLong(Event::id).max().orElse(0);
  }
}
