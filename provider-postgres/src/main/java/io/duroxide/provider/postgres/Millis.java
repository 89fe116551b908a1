package io.duroxide.provider.postgres;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;

/** Instants and durations as the store keeps them: milliseconds. */
final class Millis {
  /** Later than anything. */
  static final long NEVER = Long.MAX_VALUE;

  /** Added to any instant of the store's clock it gives a later one. */
  private static final long LONGEST = 1L << 62;

  private static final Instant LATEST = Instant.ofEpochMilli(Long.MAX_VALUE);
  private static final Instant EARLIEST = Instant.ofEpochMilli(Long.MIN_VALUE);

  private Millis() {}

  static long of(Instant instant) {
    if (instant.isAfter(LATEST)) {
      return Long.MAX_VALUE;
    }
    return instant.isBefore(EARLIEST) ? Long.MIN_VALUE : instant.toEpochMilli();
  }

  /** A span that can be added to an instant; a negative one counts as none. */
  static long of(Duration span) {
    if (!span.isPositive()) {
      return 0;
    }
    return span.compareTo(Duration.ofMillis(LONGEST)) >= 0 ? LONGEST : span.toMillis();
  }

  static long now(InstantSource clock) {
    return of(clock.instant());
  }
}
