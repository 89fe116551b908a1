package io.duroxide.provider.postgres;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A lane for a caller that finds nobody else at the store: it goes there by itself, and saves the
 * way to another thread and back. One caller at a time has it. Thread-safe.
 */
final class SpareLane {
  private final Lane lane;
  private final ReentrantLock lock = new ReentrantLock();

  SpareLane(Lane lane) {
    this.lane = lane;
  }

  /** Runs a command on this thread; false if another caller has the lane, or it was closed. */
  boolean run(Command<?> command) {
    if (!lock.tryLock()) {
      return false;
    }
    try {
      return !lane.isStopped() && lane.run(List.of(command)).isEmpty();
    } finally {
      lock.unlock();
    }
  }

  void stop() {
    lane.stop();
  }

  /** Waits for the caller who has it; one that hangs is cut off. */
  void join() {
    lane.awaitEnd(millis -> lock.tryLock(millis, TimeUnit.MILLISECONDS));
    lock.unlock();
  }
}
