package io.duroxide.provider.postgres;

import io.duroxide.provider.Setbacks;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lane for a caller that finds nobody else at the store: it goes there by itself, and saves the
 * way to another thread and back. One caller at a time has it. Thread-safe.
 */
final class SpareLane {
  private final Lane lane;
  private final Setbacks setbacks;
  private final ReentrantLock lock = new ReentrantLock();

  SpareLane(Lane lane, Setbacks setbacks) {
    this.lane = lane;
    this.setbacks = setbacks;
  }

  /** Runs a command on this thread; false if another caller has the lane, or it was closed. */
  boolean run(Command<?> command) {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      return !lane.isStopped() && isRun(command);
    } finally {
      lock.unlock();
    }
  }

  private boolean isRun(Command<?> command) {
    try {
      boolean run = lane.run(List.of(command)).isEmpty();
      lane.rethrow();
      return run;
    } catch (Error failure) {
      command.abandon(failure);
      setbacks.note(failure);
      return true;
    }
  }

  /** Who waits for a connection, if it does. */
  Borrowing borrowing() {
    return lane.borrowing();
  }

  void stop() {
    lane.stop();
  }

  /** Waits for the caller who has it; one that hangs is cut off. */
  void join() {
    lane.awaitEnd(millis -> lock.tryLock(millis, TimeUnit.MILLISECONDS));
    if (lock.isHeldByCurrentThread()) {
      lock.unlock();
    }
  }
}
