package io.duroxide.provider;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import java.util.stream.Stream;
import org.slf4j.Logger;

/**
 * Makes all threads of one opened store, and knows which of them have ended although nobody stopped
 * them. Thread-safe.
 */
public final class StoreThreads {
  private final String prefix;
  private final String label;
  private final Logger log;
  private final LongConsumer pause;
  private final CountDownLatch closed = new CountDownLatch(1);
  private final List<StoreThread> loops = new CopyOnWriteArrayList<>();
  private final WaitingCallers callers;

  /**
   * Threads of one store.
   *
   * @param prefix how names of threads begin, such as {@code duroxide-sqlite}
   * @param label how names of threads tell stores of a process apart; holds no secret
   * @param log where failed rounds are told
   */
  public StoreThreads(String prefix, String label, Logger log) {
    this.prefix = prefix;
    this.label = label;
    this.log = log;
    this.pause = this::awaitClose;
    this.callers = new WaitingCallers(this, closed);
  }

  /**
   * As {@link #StoreThreads(String, String, Logger)}, for tests.
   *
   * @param pause waits that many milliseconds after a round that failed; if it throws, the thread
   *     ends
   */
  public StoreThreads(String prefix, String label, Logger log, LongConsumer pause) {
    this.prefix = prefix;
    this.label = label;
    this.log = log;
    this.pause = pause;
    this.callers = new WaitingCallers(this, closed);
  }

  private void awaitClose(long millis) {
    try {
      boolean over = closed.await(millis, TimeUnit.MILLISECONDS);
      log.trace("going on after a failure, closed: {}", over);
    } catch (InterruptedException woken) {
      Thread.currentThread().interrupt();
    }
  }

  /** No pause lasts any longer. */
  public void close() {
    closed.countDown();
  }

  /** Those who wait for these threads. */
  public WaitingCallers callers() {
    return callers;
  }

  /** A thread that does one round after the other until it is stopped; to be started. */
  public StoreThread loop(String role, StoreThread.Rounds rounds) {
    Setbacks setbacks = new Setbacks(log, role + " thread of the store " + label, pause);
    StoreThread loop = new StoreThread(role, rounds, setbacks, work -> single(role, work));
    loops.add(loop);
    return loop;
  }

  /**
   * A pool, which replaces threads that end. What finds no thread idle waits without bound.
   *
   * @param idle after which time an idle thread ends; zero: never
   */
  public ThreadPoolExecutor pool(String role, int count, Duration idle) {
    ThreadPoolExecutor pool =
        new ThreadPoolExecutor(
            count,
            count,
            idle.toMillis(),
            TimeUnit.MILLISECONDS,
            new LinkedBlockingQueue<>(),
            Thread.ofPlatform().name(name(role) + " ", 1).daemon().factory());
    pool.allowCoreThreadTimeOut(idle.isPositive());
    return pool;
  }

  /** A thread that does one thing and ends; to be started. */
  public Thread single(String role, Runnable work) {
    return Thread.ofPlatform().name(name(role)).daemon().unstarted(work);
  }

  private String name(String role) {
    return prefix + "-" + role + " " + label;
  }

  /** Whether a thread has ended although nobody stopped it. */
  public boolean hasEnded() {
    for (StoreThread loop : loops) {
      if (loop.hasFailed()) {
        return true;
      }
    }
    return false;
  }

  /** Throws if a thread has ended although nobody stopped it. */
  public void check(String operation) {
    for (StoreThread loop : loops) {
      loop.check(operation);
    }
  }

  /**
   * How the store is.
   *
   * @param others what else keeps the store from working
   */
  public StoreHealth health(List<String> others) {
    List<StoreThread> begun = loops.stream().filter(StoreThread::isBegun).toList();
    List<String> ended = new ArrayList<>();
    begun.forEach(loop -> loop.complaint().ifPresent(ended::add));
    return new StoreHealth(
        begun.size(),
        begun.size() - ended.size(),
        Stream.concat(ended.stream(), others.stream()).toList());
  }
}
