package io.duroxide.provider.small;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;

/**
 * The one clock of a store, in whole milliseconds. It is read once for each operation, and stands
 * still while its source shows less than before. Guarded by the provider's lock.
 */
final class SmallClock {
  private final InstantSource source;
  private Instant now = Instant.MIN;

  SmallClock(InstantSource source) {
    this.source = source;
  }

  /** What the source shows; needs no lock. */
  Instant reading() {
    return source.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /** To be called when an operation begins, and when it has waited. */
  void look() {
    Instant reading = reading();
    now = reading.isAfter(now) ? reading : now;
  }

  Instant now() {
    return now;
  }

  boolean isFuture(Instant instant) {
    return instant.isAfter(now);
  }

  /** Now plus {@code wait}. */
  Instant after(Duration wait) {
    return after(now, wait);
  }

  /** {@code start} plus {@code wait}, however long that is. */
  static Instant after(Instant start, Duration wait) {
    if (!wait.isPositive()) {
      return start;
    }
    boolean isEndless = wait.compareTo(Duration.between(start, Instant.MAX)) >= 0;
    return isEndless ? Instant.MAX : start.plus(wait);
  }
}
