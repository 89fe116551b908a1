package io.duroxide.replay;

import io.duroxide.threads.ThreadMaker;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Code on a virtual thread of its own that runs only while it holds the baton.
 *
 * <p>Whoever calls {@link #resume} hands the baton over and waits until the code gives it back by
 * {@link #pause} or by ending. So exactly one of engine and code runs at any time, and the plain
 * fields of the engine need no other protection: the volatile {@code holdsBaton} orders them.
 */
final class Coroutine {
  private static final int MAX_SWALLOWED_UNWINDS = 1_000;
  private static final long LOOK_NANOS = 100_000_000;

  private final Thread thread;
  private final Set<ReplayFuture<?>> owned = new LinkedHashSet<>(0);
  private volatile boolean holdsBaton;
  private volatile @Nullable Thread resumer;
  private volatile boolean ended;
  private boolean started;
  private boolean unwinding;
  private int swallowedUnwinds;
  private List<? extends ReplayFuture<?>> awaiting = List.of();

  Coroutine(String name, Runnable body) {
    this.thread = ThreadMaker.SYSTEM.secluded(name, () -> runThenReturnBaton(body));
  }

  private void runThenReturnBaton(Runnable body) {
    try {
      body.run();
    } finally {
      ended = true;
      holdsBaton = false;
      LockSupport.unpark(resumer);
    }
  }

  /**
   * Runs the code until it yields or ends.
   *
   * @param watch looks at code that keeps the baton for too long, and wakes this thread to do so
   */
  void resume(Watchdog.Watch watch) {
    resumer = Thread.currentThread();
    holdsBaton = true;
    if (started) {
      LockSupport.unpark(thread);
    } else {
      started = true;
      thread.start();
    }
    boolean interrupted = false;
    try {
      while (holdsBaton) {
        LockSupport.park(this);
        interrupted |= Thread.interrupted();
        if (holdsBaton) {
          watch.check();
        }
      }
    } finally {
      if (interrupted) {
        Thread.currentThread().interrupt();
      }
    }
  }

  /** Waits in place of the thread that handed the baton over and left. */
  void awaitBaton() {
    resumer = Thread.currentThread();
    while (holdsBaton) {
      // The code may have looked up whom to wake before this thread came.
      LockSupport.parkNanos(this, LOOK_NANOS);
      Thread.interrupted();
    }
  }

  /** Gives the baton back and waits for it; only on the coroutine's own thread. */
  void pause() {
    Thread engine = resumer;
    holdsBaton = false;
    LockSupport.unpark(engine);
    while (!holdsBaton) {
      LockSupport.park(this);
      Thread.interrupted();
    }
  }

  /** Waits for any of these futures from now on. */
  void await(List<? extends ReplayFuture<?>> futures) {
    awaiting = futures;
  }

  /** Whether one of the futures it waits for is ready. */
  boolean canProceed() {
    for (int i = 0; i < awaiting.size(); i++) {
      if (awaiting.get(i).ready()) {
        return true;
      }
    }
    return false;
  }

  boolean isCurrentThread() {
    return Thread.currentThread().equals(thread);
  }

  Thread thread() {
    return thread;
  }

  boolean ended() {
    return ended;
  }

  /** Parked in its own pause, not in the middle of running another coroutine. */
  boolean isParked() {
    return started && !ended && !holdsBaton;
  }

  void doom() {
    unwinding = true;
  }

  boolean unwinding() {
    return unwinding;
  }

  /**
   * Throws the signal that ends this code. Code that catches it again and again is parked for good:
   * there is no other way to stop it.
   */
  Unwind unwind() {
    if (++swallowedUnwinds > MAX_SWALLOWED_UNWINDS) {
      pause();
    }
    throw new Unwind();
  }

  void own(ReplayFuture<?> future) {
    owned.add(future);
  }

  void disown(ReplayFuture<?> future) {
    owned.remove(future);
  }

  /** The pending futures made by this code. */
  List<ReplayFuture<?>> owned() {
    return List.copyOf(owned);
  }
}
