package io.duroxide.runtime;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** How many things may be in progress at a time. Thread-safe. */
final class Slots {
  private final int size;
  private final Semaphore free;
  private volatile boolean closed;

  Slots(int size) {
    this.size = size;
    this.free = new Semaphore(size);
  }

  int size() {
    return size;
  }

  /** How many are free at the moment. */
  int free() {
    return free.availablePermits();
  }

  void take() throws InterruptedException {
    free.acquire();
  }

  /** Takes a slot if one is free. */
  boolean tryTake() {
    return free.tryAcquire();
  }

  /** Takes a slot for something that had one before, whatever happens meanwhile. */
  void takeAgain() {
    free.acquireUninterruptibly();
  }

  /** Whether none is free and somebody wants one. */
  boolean isWaitedFor() {
    return free.hasQueuedThreads();
  }

  void giveBack() {
    free.release();
  }

  /** Nothing new shall begin; what is in progress goes on. */
  void close() {
    closed = true;
  }

  boolean isClosed() {
    return closed;
  }

  /** Waits until all are free; false when the time is over first. */
  boolean awaitIdle(Duration timeout) throws InterruptedException {
    boolean idle = free.tryAcquire(size, timeout.toNanos(), TimeUnit.NANOSECONDS);
    if (idle) {
      free.release(size);
    }
    return idle;
  }
}
