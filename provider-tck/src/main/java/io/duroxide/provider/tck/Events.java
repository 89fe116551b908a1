package io.duroxide.provider.tck;

import io.duroxide.model.ActivityAttempt;
import io.duroxide.model.CarriedEvent;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import java.time.Instant;
import java.util.List;
import java.util.stream.LongStream;

/** Events that tests commit. */
final class Events {
  /** When all of them say they happened. */
  static final EventStamp STAMP = new EventStamp(Instant.parse("2025-01-01T00:00:00Z"), "0.1.0");

  /** The run that brought their outcomes. */
  static final ActivityAttempt ATTEMPT =
      new ActivityAttempt(STAMP.at().minusMillis(7), "work-kit", 2);

  private Events() {}

  static Event of(ExecutionKey execution, long id, EventKind kind) {
    return new Event(execution, id, null, STAMP, kind);
  }

  /** Event 1 of an execution. */
  static Event started(ExecutionKey execution) {
    return started(execution, Items.VERSION, List.of());
  }

  static Event started(ExecutionKey execution, String version, List<CarriedEvent> carried) {
    return of(
        execution,
        1,
        new EventKind.OrchestrationStarted(
            Items.ORCHESTRATION, version, "{}", null, new Inheritance(carried, null, null)));
  }

  /** An event whose content tells its id. */
  static Event scheduled(ExecutionKey execution, long id) {
    return of(
        execution, id, new EventKind.ActivityScheduled("TestActivity", "input-" + id, null, null));
  }

  /** The outcome of the activity {@code source}. */
  static Event completed(ExecutionKey execution, long id, long source) {
    return new Event(execution, id, source, STAMP, new EventKind.ActivityCompleted("ok", ATTEMPT));
  }

  /** {@link #scheduled} events with the ids {@code from} to {@code to}. */
  static List<Event> scheduled(ExecutionKey execution, long from, long to) {
    return LongStream.rangeClosed(from, to).mapToObj(id -> scheduled(execution, id)).toList();
  }
}
