package io.duroxide.provider.postgres;

import io.duroxide.provider.ClockStep;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The store's clock as this node knows it.
 *
 * <p>It is the server's: every answer that carries the server's time corrects it, and in between
 * this process counts on by itself, whatever the clock of its machine shows. An answer is older
 * than it looks by the time it took, so the one that runs furthest ahead counts, and fades. With a
 * clock given by a test, that one is the store's. Thread-safe.
 */
final class StoreClock implements InstantSource {
  /** How fast an old sample fades against drift. */
  private static final long FADES_ONE_MILLI_IN = Duration.ofSeconds(10).toNanos();

  /** No answer is that late: the server's clock was set back. */
  private static final long SET_BACK = Duration.ofSeconds(5).toMillis();

  /** Twice as long as nodes let pass between two looks at the clock. */
  private static final long STALE = Duration.ofSeconds(10).toMillis();

  private final @Nullable InstantSource given;
  private final LongSupplier nanos;
  private final AtomicReference<Sample> latest;
  private final AtomicLong largest = new AtomicLong();
  private volatile long lastHeard;
  private volatile long lastLook;

  /** The server said {@code millis} at {@code nanos}. */
  private record Sample(long millis, long nanos) {
    long at(long now) {
      return millis + Duration.ofNanos(now - nanos).toMillis();
    }
  }

  StoreClock(@Nullable InstantSource given, LongSupplier nanos) {
    this.given = given;
    this.nanos = nanos;
    this.latest = new AtomicReference<>(new Sample(0, nanos.getAsLong()));
  }

  /** The instant that statements shall take for now; null for the server's. */
  @Nullable Long given() {
    if (given == null) {
      return null;
    }
    long now = Millis.now(given);
    largest.accumulateAndGet(now, Math::max);
    return now;
  }

  /**
   * The largest time that the store is known to have used. An answer from before a step that comes
   * after the look which has followed it says nothing, so what lies far behind the last look is
   * left out.
   */
  long used() {
    long used = largest.get();
    return given != null || used <= lastLook + STALE ? used : lastLook;
  }

  /** The store has looked at its clock, which showed {@code millis}. */
  void looked(long millis) {
    lastLook = millis;
    lastHeard = millis;
    largest.set(millis);
  }

  /** Whether the store's clock shows clearly less than before. */
  boolean isSetBack() {
    long now = given == null ? lastHeard : Millis.now(given);
    return now < used() - ClockStep.STANDSTILL.toMillis();
  }

  /** The server has just answered that it is {@code millis}. */
  void heard(long millis) {
    long now = nanos.getAsLong();
    lastHeard = millis;
    largest.accumulateAndGet(millis, Math::max);
    Sample heard = new Sample(millis, now);
    latest.updateAndGet(known -> {
      long faded = known.at(now) - (now - known.nanos()) / FADES_ONE_MILLI_IN;
      boolean setBack = faded - millis > SET_BACK;
      return millis >= faded || setBack ? heard : known;
    });
  }

  @Override
  public long millis() {
    return given == null ? latest.get().at(nanos.getAsLong()) : Millis.now(given);
  }

  @Override
  public Instant instant() {
    return Instant.ofEpochMilli(millis());
  }
}
