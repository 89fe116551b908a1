package io.duroxide.e2e;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * Time during which the process runs. A collection of garbage, or a machine that gives the process
 * no turn, does not count, so that a limit can be checked on any machine. Thread-safe.
 */
final class RunningTime {
  private static final long BEAT = 5_000_000;

  private final AtomicLong nanos = new AtomicLong();

  RunningTime() {
    Thread.ofPlatform().daemon().name("running-time").start(this::beat);
  }

  private void beat() {
    long last = System.nanoTime();
    while (true) {
      LockSupport.parkNanos(BEAT);
      long now = System.nanoTime();
      nanos.addAndGet(Math.min(now - last, 2 * BEAT));
      last = now;
    }
  }

  long nanos() {
    return nanos.get();
  }
}
