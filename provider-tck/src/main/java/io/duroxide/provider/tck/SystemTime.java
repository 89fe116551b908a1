package io.duroxide.provider.tck;

import java.time.Duration;
import java.util.function.Supplier;

/** The machine's own time; the only place of the kit that sleeps or measures. */
final class SystemTime {
  private SystemTime() {}

  static void sleep(Duration duration) {
    try {
      Thread.sleep(duration);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted while time was to pass", e);
    }
  }

  /** Tells how much time has passed since this call. */
  static Supplier<Duration> stopwatch() {
    long start = System.nanoTime();
    return () -> Duration.ofNanos(System.nanoTime() - start);
  }

  /** Differs from run to run. */
  static long seed() {
    return System.nanoTime();
  }
}
