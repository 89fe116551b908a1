package io.duroxide.runtime;

import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.CachedHistory;
import io.duroxide.replay.Execution;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.ReentrantLock;

/** Parked executions, the least recently used first to go. Thread-safe. */
final class ExecutionCache implements CachedHistory {
  private final int capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<ExecutionKey, Execution> parked = new LinkedHashMap<>(16, 0.75f, true);

  /**
   * A cache.
   *
   * @param capacity most executions to keep; 0 keeps none, so that every turn replays
   */
  ExecutionCache(int capacity) {
    this.capacity = capacity;
  }

  @Override
  public long lastEventId(ExecutionKey execution) {
    lock.lock();
    try {
      Execution cached = parked.get(execution);
      return cached == null ? 0 : cached.lastEventId();
    } finally {
      lock.unlock();
    }
  }

  /** Takes an execution out for its turn. */
  Optional<Execution> take(ExecutionKey execution) {
    lock.lock();
    try {
      return Optional.ofNullable(parked.remove(execution));
    } finally {
      lock.unlock();
    }
  }

  /** Keeps an execution whose turn was committed. */
  void keep(Execution execution) {
    List<Execution> evicted = new ArrayList<>();
    lock.lock();
    try {
      Execution previous = parked.put(execution.setup().key(), execution);
      if (previous != null) {
        evicted.add(previous);
      }
      Iterator<Execution> oldest = parked.values().iterator();
      while (parked.size() > capacity) {
        evicted.add(oldest.next());
        oldest.remove();
      }
    } finally {
      lock.unlock();
    }
    evicted.forEach(Execution::discard);
  }

  int size() {
    lock.lock();
    try {
      return parked.size();
    } finally {
      lock.unlock();
    }
  }

  /** Ends every parked execution. */
  void clear() {
    List<Execution> all;
    lock.lock();
    try {
      all = List.copyOf(parked.values());
      parked.clear();
    } finally {
      lock.unlock();
    }
    all.forEach(Execution::discard);
  }
}
