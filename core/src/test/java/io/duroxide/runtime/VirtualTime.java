package io.duroxide.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;

/** Time that passes when somebody sleeps or lets it pass, and never by itself. Thread-safe. */
final class VirtualTime implements Waiting {
  private final AtomicLong nanos = new AtomicLong();

  @Override
  public long nanoTime() {
    return nanos.get();
  }

  @Override
  public void sleep(Duration duration) throws InterruptedException {
    if (Thread.interrupted()) {
      throw new InterruptedException();
    }
    pass(duration);
  }

  void pass(Duration duration) {
    nanos.addAndGet(duration.toNanos());
  }

  /** How much has passed. */
  Duration elapsed() {
    return Duration.ofNanos(nanos.get());
  }

  /** The same time as a store's clock. */
  Instant instant() {
    return Turns.NOON.plus(elapsed());
  }
}
