package io.duroxide.provider;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * The callers that wait for an answer of a store's threads. Each returns at least once a second, to
 * look whether its answer can still come.
 *
 * <p>A park with a limit is cheap for a platform thread. For a virtual thread it costs a timer that
 * is scheduled and cancelled each time, about a fifth of a small workload, so virtual threads park
 * without a limit and one thread of the store wakes all of them once a second. Thread-safe.
 */
public final class WaitingCallers {
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final Set<Thread> parked = ConcurrentHashMap.newKeySet();
  private final AtomicBoolean begun = new AtomicBoolean();
  private final CountDownLatch closed;
  private final StoreThread waker;

  WaitingCallers(StoreThreads threads, CountDownLatch closed) {
    this.closed = closed;
    this.waker = threads.loop("caller look-out", new Looks());
  }

  /** Wakes whoever is parked, once a second and for as long as somebody is. */
  private final class Looks implements StoreThread.Rounds {
    @Override
    public void next() throws InterruptedException {
      boolean isLast = closed.await(LOOK_NANOS, TimeUnit.NANOSECONDS);
      parked.forEach(LockSupport::unpark);
      if (isLast && parked.isEmpty()) {
        waker.stop();
      } else if (isLast) {
        LockSupport.parkNanos(this, LOOK_NANOS);
      }
    }

    @Override
    public void ended() {
      parked.forEach(LockSupport::unpark);
    }
  }

  /** Parks the calling thread until its answer is given, for about a second at most. */
  void park(Answer<?> answer) {
    Thread caller = Thread.currentThread();
    if (!caller.isVirtual() || waker.hasEnded()) {
      LockSupport.parkNanos(answer, LOOK_NANOS);
      return;
    }
    if (begun.compareAndSet(false, true)) {
      waker.start();
    }
    parked.add(caller);
    try {
      if (!answer.isGiven()) {
        LockSupport.park(answer);
      }
    } finally {
      parked.remove(caller);
    }
  }
}
