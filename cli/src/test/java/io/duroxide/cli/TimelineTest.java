package io.duroxide.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityAttempt;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import java.time.Instant;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TimelineTest {
  private static final Instant NOON = Instant.parse("2026-03-01T12:00:00Z");
  private static final int RUN = 6;

  private final Timeline timeline = new Timeline(false);

  /** The run that the timeline shows for the outcome of an activity, 900 ms after noon. */
  private String run(EventKind outcome) {
    timeline.next(event(2, null, 0, new EventKind.ActivityScheduled("Pay", "7", null, null)));
    return timeline.next(event(3, 2L, 900, outcome))[RUN].text();
  }

  private static Event event(long id, Long source, long millis, EventKind kind) {
    return new Event(
        new ExecutionKey("order-7", 1),
        id,
        source,
        new EventStamp(NOON.plusMillis(millis), "0.1.0"),
        kind);
  }

  private static ActivityAttempt attempt(int number) {
    return new ActivityAttempt(NOON.plusMillis(650), "work-till-3", number);
  }

  @Test
  @DisplayName("CLI-SHOW an outcome tells how long the handler ran, and where")
  void completed() {
    assertThat(run(new EventKind.ActivityCompleted("paid", attempt(1))))
        .isEqualTo("ran 250ms on work-till-3");
  }

  @Test
  @DisplayName("CLI-SHOW an attempt that is not the first is counted")
  void failed() {
    ErrorDetails details =
        new ErrorDetails.Application(ApplicationErrorKind.ACTIVITY_FAILED, "declined");

    assertThat(run(new EventKind.ActivityFailed(details, attempt(2))))
        .isEqualTo("ran 250ms on work-till-3, attempt 2");
  }

  @Test
  @DisplayName("CLI-SHOW nothing is told of a run that is not recorded")
  void unknown() {
    assertThat(run(new EventKind.ActivityCompleted("paid"))).isEmpty();
  }
}
