package io.duroxide.provider.memory;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/** The one clock of a store, in whole milliseconds; adding to it saturates. Thread-safe. */
final class StoreClock {
  private static final Duration LONGEST_NANOS = Duration.ofNanos(Long.MAX_VALUE);

  private static final Instant LATEST = Instant.ofEpochMilli(Long.MAX_VALUE);
  private static final Instant EARLIEST = Instant.ofEpochMilli(Long.MIN_VALUE);

  private final InstantSource source;

  StoreClock(InstantSource source) {
    this.source = source;
  }

  Instant now() {
    return source.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /** {@code start} plus {@code wait}; a negative wait counts as none. */
  static Instant after(Instant start, Duration wait) {
    if (!wait.isPositive()) {
      return start;
    }
    boolean endless = wait.compareTo(Duration.between(start, Instant.MAX)) >= 0;
    return endless ? Instant.MAX : start.plus(wait);
  }

  static Instant later(Instant one, Instant other) {
    return one.isAfter(other) ? one : other;
  }

  /** As a store keeps it that has whole milliseconds and the range of a long. */
  static Instant stored(Instant instant) {
    if (instant.isAfter(LATEST)) {
      return LATEST;
    }
    return instant.isBefore(EARLIEST) ? EARLIEST : Instant.ofEpochMilli(instant.toEpochMilli());
  }

  static long nanos(Duration duration) {
    return duration.compareTo(LONGEST_NANOS) >= 0 ? Long.MAX_VALUE : duration.toNanos();
  }
}
