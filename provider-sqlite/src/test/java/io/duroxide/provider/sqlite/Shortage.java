package io.duroxide.provider.sqlite;

import io.duroxide.provider.tck.JdbcShortage;
import java.time.InstantSource;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Memory that is short in one place of the driver or the clock; also holds transactions up.
 * Thread-safe.
 */
final class Shortage extends JdbcShortage {
  private final AtomicLong rows = new AtomicLong();
  private Gate gate;

  Shortage() {
    super(Scope.EVERY_CALL);
  }

  /** A transaction that is held up before it begins. */
  record Gate(Thread held, CountDownLatch reached, CountDownLatch open) {}

  /** The next transaction of this thread waits before it begins. */
  synchronized Gate hold(Thread thread) {
    gate = new Gate(thread, new CountDownLatch(1), new CountDownLatch(1));
    return gate;
  }

  Connections on(Connections connections) {
    return () -> on(connections.open());
  }

  InstantSource on(InstantSource clock) {
    return () -> {
      pass();
      return clock.instant();
    };
  }

  /** How many rows were read so far. */
  long rows() {
    return rows.get();
  }

  @Override
  protected void before(String method) throws InterruptedException {
    if (method.equals("next")) {
      rows.incrementAndGet();
    }
    Gate closed = method.equals("execute") ? takeGate() : null;
    if (closed != null) {
      closed.reached().countDown();
      closed.open().await();
    }
  }

  private synchronized Gate takeGate() {
    if (gate == null || !gate.held().equals(Thread.currentThread())) {
      return null;
    }
    Gate closed = gate;
    gate = null;
    return closed;
  }
}
