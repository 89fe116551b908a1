package io.duroxide.runtime;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a thread of the runtime going, round by round, whatever a round throws: an error of the JVM
 * too. It pauses after such a round, longer each time, and says so once a minute. Confined to its
 * thread, but for {@link #note}.
 */
final class RoundGuard {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime");
  private static final Duration FIRST_PAUSE = Duration.ofMillis(100);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(5);
  private static final Duration QUIET = Duration.ofMinutes(1);
  private static final long NEVER = Long.MIN_VALUE;

  private final String thread;
  private final Waiting time;
  private final Consumer<Throwable> met;
  private final AtomicLong failures = new AtomicLong();
  private final AtomicLong toldAt = new AtomicLong(NEVER);
  private Duration pause = FIRST_PAUSE;

  /**
   * A guard.
   *
   * @param met told whatever a round throws
   */
  RoundGuard(String thread, Waiting time, Consumer<Throwable> met) {
    this.thread = thread;
    this.time = time;
    this.met = met;
  }

  /** One round; an interrupt ends it and has the thread look whether it goes on. */
  @FunctionalInterface
  interface Round {
    void go() throws InterruptedException;
  }

  void loop(BooleanSupplier goesOn, Round round) {
    while (goesOn.getAsBoolean()) {
      try {
        round.go();
        pause = FIRST_PAUSE;
      } catch (InterruptedException e) {
        LOG.debug("{} was interrupted", thread);
      } catch (Throwable e) {
        failed(e);
      }
    }
  }

  private void failed(Throwable cause) {
    note(cause);
    try {
      time.sleep(pause);
      Duration longer = pause.multipliedBy(2);
      pause = longer.compareTo(LONGEST_PAUSE) < 0 ? longer : LONGEST_PAUSE;
    } catch (InterruptedException e) {
      LOG.debug("{} was interrupted", thread);
    } catch (Throwable another) {
      note(another);
    }
  }

  /**
   * Counts something that failed and says so, once a minute. While there is no memory even that may
   * fail: the thread goes on without it. Thread-safe.
   */
  void note(Throwable cause) {
    long count = failures.incrementAndGet();
    try {
      met.accept(cause);
      long before = toldAt.get();
      long now = time.nanoTime();
      if ((before == NEVER || now - before >= QUIET.toNanos())
          && toldAt.compareAndSet(before, now)) {
        LOG.atError()
            .addKeyValue("thread", thread)
            .addKeyValue("count", count)
            .setCause(cause)
            .log("{} met an unexpected failure, its {}. so far, and goes on", thread, count);
      }
    } catch (Throwable another) {
      failures.incrementAndGet();
    }
  }
}
