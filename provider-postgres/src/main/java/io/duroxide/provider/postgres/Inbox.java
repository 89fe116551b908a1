package io.duroxide.provider.postgres;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Commands that wait for a lane.
 *
 * <p>The lane that has rested the shortest is woken first. Were they to take turns, a caller that
 * does one thing after the other would meet another thread and another process of the server each
 * time, and both would have forgotten what they need. Thread-safe.
 */
final class Inbox {
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

  private final int limit;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition room = lock.newCondition();
  private final Deque<Command<?>> waiting = new ArrayDeque<>();
  private final Deque<Condition> resting = new ArrayDeque<>();
  private int lastTaken;

  /** Holds at most {@code limit} commands; others wait until there is room. */
  Inbox(int limit) {
    this.limit = limit;
  }

  /**
   * An interrupt counts only while there is no room.
   *
   * @param look asked once a second meanwhile; throws if there will be none
   */
  void put(Command<?> command, Runnable look) throws InterruptedException {
    lock.lock();
    try {
      while (waiting.size() >= limit) {
        if (!room.await(1, TimeUnit.SECONDS)) {
          look.run();
        }
      }
      waiting.add(command);
      Condition lane = resting.poll();
      if (lane != null) {
        lane.signal();
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * Whether nothing waits, that many lanes rest, and what came last came alone: between two large
   * groups there is a moment that looks like rest.
   */
  boolean isQuiet(int lanes) {
    lock.lock();
    try {
      return waiting.isEmpty() && resting.size() == lanes && lastTaken <= 1;
    } finally {
      lock.unlock();
    }
  }

  /**
   * Waits until a caller takes the lane out of those that rest; a lane keeps its place while it
   * looks. The signal alone does not say so: it is lost on a lane whose wait has just timed out.
   */
  private void rest(Condition lane, Runnable look) throws InterruptedException {
    while (resting.contains(lane)) {
      if (lane.awaitNanos(LOOK_NANOS) <= 0) {
        look.run();
      }
    }
  }

  /**
   * Moves what is there, up to {@code most}; waits for something if {@code into} is empty.
   *
   * @param look done once a second meanwhile
   */
  void take(List<Command<?>> into, int most, Runnable look) throws InterruptedException {
    lock.lockInterruptibly();
    try {
      Condition lane = lock.newCondition();
      while (waiting.isEmpty() && into.isEmpty()) {
        resting.push(lane);
        try {
          rest(lane, look);
        } finally {
          resting.remove(lane);
        }
      }
      while (!waiting.isEmpty() && into.size() < most) {
        into.add(waiting.element());
        waiting.remove();
      }
      lastTaken = into.size();
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  /** Moves all that is there, without waiting. */
  void empty(List<Command<?>> into) {
    lock.lock();
    try {
      into.addAll(waiting);
      waiting.clear();
      room.signalAll();
    } finally {
      lock.unlock();
    }
  }

  boolean remove(Command<?> command) {
    lock.lock();
    try {
      return waiting.remove(command);
    } finally {
      lock.unlock();
    }
  }
}
