package io.duroxide.cli;

import io.duroxide.model.ActivityAttempt;
import io.duroxide.model.Event;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Events in order, each with its distance from the first and from the schedule it answers, and with
 * the run of an activity that brought it.
 */
final class Timeline {
  private static final int PAYLOAD_WIDTH = 60;

  private final int payloadWidth;
  private final Map<Long, Event> schedules = new HashMap<>();
  private @Nullable Instant began;

  /**
   * A timeline of one execution.
   *
   * @param full whether payloads are shown whole
   */
  Timeline(boolean full) {
    this.payloadWidth = full ? Integer.MAX_VALUE : PAYLOAD_WIDTH;
  }

  static Table table(List<Event> events, boolean full) {
    Table table = new Table("EVENT", "AT", "KIND", "NAME", "PAYLOAD", "TOOK", "RUN");
    Timeline timeline = new Timeline(full);
    events.forEach(event -> table.row(timeline.next(event)));
    return table;
  }

  /** The cells of the next event. */
  Table.Cell[] next(Event event) {
    Instant at = event.stamp().at();
    if (began == null) {
      began = at;
    }
    schedules.put(event.id(), event);
    EventText text = EventText.of(event.kind());
    @Nullable Event schedule = event.source() == null ? null : schedules.get(event.source());
    String name = schedule == null ? text.name() : answered(schedule);
    return new Table.Cell[] {
      Table.Cell.of(event.id()),
      new Table.Cell(Ink.DIM, "+" + Shown.span(Duration.between(began, at))),
      new Table.Cell(EventText.ink(event), event.kind().getClass().getSimpleName()),
      Table.Cell.of(Shown.text(name)),
      Table.Cell.of(Shown.text(text.payload(), payloadWidth)),
      new Table.Cell(
          Ink.DIM, schedule == null ? "" : Shown.span(Duration.between(schedule.stamp().at(), at))),
      new Table.Cell(Ink.DIM, Shown.text(run(EventText.attempt(event.kind()), at)))
    };
  }

  /** How long the handler ran, where, and in which attempt if not the first. */
  private static String run(@Nullable ActivityAttempt attempt, Instant ended) {
    if (attempt == null) {
      return "";
    }
    String ran =
        "ran %s on %s"
            .formatted(
                Shown.span(Duration.between(attempt.startedAt(), ended)), attempt.workerId());
    return attempt.number() == 1 ? ran : ran + ", attempt " + attempt.number();
  }

  private static String answered(Event schedule) {
    return (EventText.of(schedule.kind()).name() + " #" + schedule.id()).strip();
  }
}
