package io.duroxide.proof.program;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The system's clock, set on by an hour and back in turn, four times a second. Thread-safe.
 *
 * <p>Each step on ends all locks, so steps are rare enough for turns and activities to get done.
 */
final class RestlessClock implements InstantSource, AutoCloseable {
  private static final Duration STEP = Duration.ofHours(1);
  private static final long PAUSE_MILLIS = 250;

  private final AtomicInteger steps = new AtomicInteger();
  private final ScheduledExecutorService hand = Executors.newSingleThreadScheduledExecutor();
  private ScheduledFuture<?> beat;

  void start() {
    beat =
        hand.scheduleAtFixedRate(
            steps::incrementAndGet, PAUSE_MILLIS, PAUSE_MILLIS, TimeUnit.MILLISECONDS);
  }

  @Override
  public Instant instant() {
    Instant now = InstantSource.system().instant();
    return steps.get() % 2 == 0 ? now : now.plus(STEP);
  }

  int steps() {
    return steps.get();
  }

  @Override
  public void close() {
    beat.cancel(false);
    hand.shutdown();
  }
}
