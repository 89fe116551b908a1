package io.duroxide.telemetry;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Something that happened to an activity. */
public sealed interface ActivityEvent extends TelemetryEvent {
  ActivityRef activity();

  /**
   * A handler is about to be called, on this very thread.
   *
   * @param attempt how often the activity was fetched, this time included
   * @param queued how long it had been waiting; absent if its message does not say
   */
  record Started(ActivityRef activity, int attempt, Instant at, @Nullable Duration queued)
      implements ActivityEvent {}

  /**
   * An activity that was fetched has been dealt with. Told once for each fetch, and once for each
   * {@link Started}: on the same thread, unless the handler was left behind.
   *
   * @param failure why; where the outcome is an error
   */
  record Finished(
      ActivityRef activity,
      ActivityOutcome outcome,
      int attempt,
      Timing timing,
      @Nullable Failure failure)
      implements ActivityEvent {}

  /**
   * How long it took.
   *
   * @param ran in the handler; absent if it was not called
   * @param processed from the fetch to the report
   * @param at when it was over, on the store's clock
   */
  record Timing(@Nullable Duration ran, Duration processed, Instant at) {}
}
