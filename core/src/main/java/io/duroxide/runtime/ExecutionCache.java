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
import org.jspecify.annotations.Nullable;

/** Parked executions, the least recently used first to go. Thread-safe. */
final class ExecutionCache implements CachedHistory {
  private final int capacity;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<ExecutionKey, Parked> parked = new LinkedHashMap<>(16, 0.75f, true);

  /** An execution and the lock under which its last turn was committed. */
  private record Parked(Execution execution, String commitToken) {}

  /**
   * A cache.
   *
   * @param capacity most executions to keep; 0 keeps none, so that every turn replays
   */
  ExecutionCache(int capacity) {
    this.capacity = capacity;
  }

  @Override
  public @Nullable Tip tip(ExecutionKey execution) {
    lock.lock();
    try {
      Parked kept = parked.get(execution);
      return kept == null ? null : new Tip(kept.execution.lastEventId(), kept.commitToken);
    } finally {
      lock.unlock();
    }
  }

  /** Takes an execution out for its turn. */
  Optional<Execution> take(ExecutionKey execution) {
    lock.lock();
    try {
      return Optional.ofNullable(parked.remove(execution)).map(Parked::execution);
    } finally {
      lock.unlock();
    }
  }

  /** Keeps an execution whose turn was committed under {@code commitToken}. */
  void keep(Execution execution, String commitToken) {
    List<Parked> evicted = new ArrayList<>();
    lock.lock();
    try {
      Parked previous = parked.put(execution.setup().key(), new Parked(execution, commitToken));
      if (previous != null) {
        evicted.add(previous);
      }
      Iterator<Parked> oldest = parked.values().iterator();
      while (parked.size() > capacity) {
        evicted.add(oldest.next());
        oldest.remove();
      }
    } finally {
      lock.unlock();
    }
    evicted.forEach(kept -> kept.execution.discard());
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
    List<Parked> all;
    lock.lock();
    try {
      all = List.copyOf(parked.values());
      parked.clear();
    } finally {
      lock.unlock();
    }
    all.forEach(kept -> kept.execution.discard());
  }
}
