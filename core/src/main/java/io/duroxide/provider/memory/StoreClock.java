package io.duroxide.provider.memory;

import io.duroxide.provider.ClockStep;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * The one clock of a store, in whole milliseconds; adding to it saturates.
 *
 * <p>It never goes back by itself: what it shows is the largest time that it has shown, until a
 * step is accepted, which the store does between two operations. Guarded by the gate.
 */
final class StoreClock {
  private static final Duration LONGEST_NANOS = Duration.ofNanos(Long.MAX_VALUE);

  private static final Instant LATEST = Instant.ofEpochMilli(Long.MAX_VALUE);
  private static final Instant EARLIEST = Instant.ofEpochMilli(Long.MIN_VALUE);

  private final InstantSource source;
  private Instant used = Instant.MIN;

  StoreClock(InstantSource source) {
    this.source = source;
  }

  /** A step back, and the largest time that was used before it. */
  record Step(Instant used, Duration back) {
    private static final Instant LONG_AGO = Instant.ofEpochMilli(Long.MIN_VALUE / 2);
    private static final Instant ENDLESS = Instant.ofEpochMilli(Long.MAX_VALUE / 2);

    /** As far from the new time as {@code instant} was from the old one. */
    Instant shifted(Instant instant) {
      boolean kept = instant.isBefore(LONG_AGO) || instant.isAfter(ENDLESS);
      return kept ? instant : instant.minus(back);
    }

    /** As {@link #shifted}, but what had not come keeps its instant. */
    Instant shiftedIfPast(Instant instant) {
      return instant.isAfter(used) ? instant : shifted(instant);
    }
  }

  Instant now() {
    used = later(reading(), used);
    return used;
  }

  /** What the source shows. Thread-safe. */
  Instant reading() {
    return source.instant().truncatedTo(ChronoUnit.MILLIS);
  }

  /** Goes back to what the source shows, if that lies far enough back; returns by how much. */
  Optional<Step> step() {
    Instant reading = reading();
    if (!reading.plus(ClockStep.STANDSTILL).isBefore(used)) {
      used = later(reading, used);
      return Optional.empty();
    }
    Step step = new Step(used, Duration.between(reading, used));
    used = reading;
    return Optional.of(step);
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
