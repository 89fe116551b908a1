package io.duroxide.provider.sqlite;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Instants as the store keeps them: milliseconds since the epoch; adding saturates. */
final class StoreTime {
  /** Later than anything. */
  static final long NEVER = Long.MAX_VALUE;

  private static final Instant LATEST = Instant.ofEpochMilli(Long.MAX_VALUE);
  private static final Instant EARLIEST = Instant.ofEpochMilli(Long.MIN_VALUE);
  private static final Duration LONGEST = Duration.ofMillis(Long.MAX_VALUE);

  private StoreTime() {}

  static long millis(Instant instant) {
    if (instant.isAfter(LATEST)) {
      return Long.MAX_VALUE;
    }
    return instant.isBefore(EARLIEST) ? Long.MIN_VALUE : instant.toEpochMilli();
  }

  static long now(InstantSource clock) {
    return millis(clock.instant());
  }

  /** {@code start} plus {@code wait}; a negative wait counts as none. */
  static long after(long start, Duration wait) {
    if (!wait.isPositive()) {
      return start;
    }
    long millis = wait.compareTo(LONGEST) >= 0 ? Long.MAX_VALUE : wait.toMillis();
    long end = start + millis;
    return end < start ? Long.MAX_VALUE : end;
  }

  /** {@code start} minus {@code span}; a negative span counts as none. */
  static long before(long start, Duration span) {
    if (!span.isPositive()) {
      return start;
    }
    long millis = span.compareTo(LONGEST) >= 0 ? Long.MAX_VALUE : span.toMillis();
    long begin = start - millis;
    return begin > start ? Long.MIN_VALUE : begin;
  }
}
