package io.duroxide.runtime;

import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.SequencedMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** The tallies of executions that go on, the least recently used first to go. Thread-safe. */
final class Tallies {
  private static final int LEAST = 10_000;

  private final int capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final SequencedMap<ExecutionKey, Tally> tallies = new LinkedHashMap<>();

  /**
   * @param keptExecutions how many executions stay in memory, whose history is not fetched again
   */
  Tallies(int keptExecutions) {
    this.capacity = Math.max(LEAST, 2 * keptExecutions);
  }

  /** Takes out the tally for the next turn; null if nobody here knows how the execution began. */
  @Nullable Tally take(TurnRecord turn) {
    ExecutionKey key = turn.key();
    Tally known = remove(key);
    Event first = turn.first();
    if (first != null) {
      return Tally.begin(key, first);
    }
    List<Event> history = turn.item().history().events();
    if (history.isEmpty()) {
      return known;
    }
    Tally tally =
        known != null && known.fits(history) ? known : Tally.begin(key, history.getFirst());
    if (tally != null) {
      tally.catchUp(history);
    }
    return tally;
  }

  private @Nullable Tally remove(ExecutionKey key) {
    lock.lock();
    try {
      return tallies.remove(key);
    } finally {
      lock.unlock();
    }
  }

  /** Keeps a tally for the next turn. */
  void keep(Tally tally) {
    lock.lock();
    try {
      tallies.put(tally.execution().key(), tally);
      if (tallies.size() > capacity) {
        tallies.pollFirstEntry();
      }
    } finally {
      lock.unlock();
    }
  }
}
