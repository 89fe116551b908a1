package io.duroxide.provider;

import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import org.slf4j.Logger;

/**
 * What follows a round of work that failed: a line in the log, one a minute with the number of
 * failures, and a pause that doubles from one failure to the next. Thread-safe.
 */
public final class Setbacks {
  private static final long LINE_NANOS = Duration.ofMinutes(1).toNanos();
  private static final long SHORTEST_MILLIS = 100;
  private static final long LONGEST_MILLIS = 5000;

  private final Logger log;
  private final String who;
  private final LongConsumer pause;
  private final LongSupplier nanos;
  private final ReentrantLock lock = new ReentrantLock();
  private volatile long millis = SHORTEST_MILLIS;
  private long untold;
  private long toldAt;
  private boolean told;

  /**
   * None yet.
   *
   * @param who does the work, for people
   * @param pause waits that many milliseconds, or less if the store is closed meanwhile
   */
  public Setbacks(Logger log, String who, LongConsumer pause) {
    this(log, who, pause, SystemTime.nanos());
  }

  Setbacks(Logger log, String who, LongConsumer pause, LongSupplier nanos) {
    this.log = log;
    this.who = who;
    this.pause = pause;
    this.nanos = nanos;
  }

  /** A round has failed: tells it and pauses. */
  public void after(Throwable failure) {
    pause.accept(noted(failure));
  }

  /** A round has failed on a thread that shall not pause. */
  public void note(Throwable failure) {
    noted(failure);
  }

  /** The thread ends although nobody stopped it: there will be no more rounds. */
  void last(Throwable failure) {
    try {
      log.atError().setCause(failure).log("the {} has ended; open the store anew", who);
    } catch (RuntimeException | Error untold) {
      // Calls that need the thread are refused with the cause.
    }
  }

  /** A round has passed, so the next pause is short again. */
  public void over() {
    if (millis != SHORTEST_MILLIS) {
      millis = SHORTEST_MILLIS;
    }
  }

  /** Memory may be short: what cannot be told now is counted for the next line. */
  private long noted(Throwable failure) {
    lock.lock();
    try {
      long next = millis;
      millis = Math.min(millis * 2, LONGEST_MILLIS);
      untold++;
      long now = nanos.getAsLong();
      if (!told || now - toldAt >= LINE_NANOS) {
        tell(failure, now);
      }
      return next;
    } finally {
      lock.unlock();
    }
  }

  private void tell(Throwable failure, long now) {
    try {
      log.atError()
          .setCause(failure)
          .log("the {} failed, {} times since this was last told; it goes on", who, untold);
      told = true;
      toldAt = now;
      untold = 0;
    } catch (RuntimeException | Error later) {
      // Counted, and told with the next one.
    }
  }
}
