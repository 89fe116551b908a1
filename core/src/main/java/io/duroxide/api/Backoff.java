package io.duroxide.api;

import java.time.Duration;

/** How long to pause before the next attempt. */
public sealed interface Backoff {

  /** The pause after the {@code failures}-th failure, counted from 1. Never overflows. */
  Duration delayAfter(int failures);

  /** No pause. */
  record None() implements Backoff {
    @Override
    public Duration delayAfter(int failures) {
      return Duration.ZERO;
    }
  }

  /** Always the same pause. */
  record Fixed(Duration delay) implements Backoff {
    @Override
    public Duration delayAfter(int failures) {
      return delay;
    }
  }

  /** {@code base} times the number of failures, at most {@code max}. */
  record Linear(Duration base, Duration max) implements Backoff {
    @Override
    public Duration delayAfter(int failures) {
      return capped(millis(base) * failures, max);
    }
  }

  /** {@code base} times {@code factor} to the power of failures - 1, at most {@code max}. */
  record Exponential(Duration base, double factor, Duration max) implements Backoff {
    @Override
    public Duration delayAfter(int failures) {
      return capped(millis(base) * Math.pow(factor, failures - 1.0), max);
    }
  }

  private static Duration capped(double millis, Duration max) {
    return millis >= millis(max) ? max : Duration.ofMillis((long) millis);
  }

  /** Whole milliseconds; a double, because the longest durations have more than a long can hold. */
  private static double millis(Duration duration) {
    return duration.toSeconds() * 1000.0 + duration.toMillisPart();
  }
}
