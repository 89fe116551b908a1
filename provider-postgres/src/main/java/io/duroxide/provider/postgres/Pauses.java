package io.duroxide.provider.postgres;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Pauses between tries, longer from one to the next; none once the store is closed. Thread-safe.
 */
final class Pauses {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.postgres");
  private static final Duration SHORTEST = Duration.ofMillis(20);
  private static final Duration LONGEST = Duration.ofMillis(500);
  private static final int DOUBLINGS = 10;

  private final CountDownLatch over = new CountDownLatch(1);

  /** Waits after that many tries; less if the thread is interrupted, and it stays so. */
  void take(int tries) {
    long millis = Math.min(SHORTEST.toMillis() << Math.min(tries, DOUBLINGS), LONGEST.toMillis());
    try {
      boolean ended = over.await(millis, TimeUnit.MILLISECONDS);
      LOG.debug("trying again, closed: {}", ended);
    } catch (InterruptedException woken) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isOver() {
    return over.getCount() == 0;
  }

  void end() {
    over.countDown();
  }
}
