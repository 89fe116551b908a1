package io.duroxide.provider.postgres;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.TurnCommit;
import java.time.Instant;
import java.util.List;

/** What begins an instance, and nothing else. */
final class FirstTurn {
  private static final String VERSION = "1.0.0";

  private FirstTurn() {}

  static TurnCommit of(String instance) {
    return TurnCommit.events(
        1, List.of(started(instance)), ExecutionMetadata.started("Order", VERSION));
  }

  static Event started(String instance) {
    return event(
        instance,
        1,
        new EventKind.OrchestrationStarted("Order", VERSION, "{}", null, Inheritance.NOTHING));
  }

  static Event event(String instance, long id, EventKind kind) {
    EventStamp stamp = new EventStamp(Instant.EPOCH, VERSION);
    return new Event(new ExecutionKey(instance, 1), id, null, stamp, kind);
  }
}
