package io.duroxide.runtime;

import io.duroxide.model.ActivityKey;
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
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/** Parked executions, the least recently used first to go. Thread-safe. */
final class ExecutionCache implements CachedHistory {
  private final int capacity;
  private final IntConsumer onEvicted;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<ExecutionKey, Kept> parked = new LinkedHashMap<>(16, 0.75f, true);

  /** An execution and the name of the commit of its last turn. */
  record Kept(Execution execution, String commitToken) {
    Tip tip() {
      return new Tip(execution.lastEventId(), commitToken);
    }
  }

  /**
   * A cache.
   *
   * @param capacity most executions to keep; 0 keeps none, so that every turn replays
   * @param onEvicted told how many made room for others
   */
  ExecutionCache(int capacity, IntConsumer onEvicted) {
    this.capacity = capacity;
    this.onEvicted = onEvicted;
  }

  @Override
  public @Nullable Tip tip(ExecutionKey execution) {
    lock.lock();
    try {
      Kept kept = parked.get(execution);
      return kept == null ? null : kept.tip();
    } finally {
      lock.unlock();
    }
  }

  /** Takes an execution out for its turn. */
  Optional<Execution> take(ExecutionKey execution) {
    lock.lock();
    try {
      return Optional.ofNullable(parked.remove(execution)).map(Kept::execution);
    } finally {
      lock.unlock();
    }
  }

  /** Takes an execution out if all it waits for is this activity. */
  Optional<Kept> takeWaitingFor(ActivityKey activity) {
    ExecutionKey key = new ExecutionKey(activity.instance(), activity.executionId());
    lock.lock();
    try {
      Kept kept = parked.get(key);
      if (kept == null || !kept.execution.waitsFor(activity.activityId())) {
        return Optional.empty();
      }
      parked.remove(key);
      return Optional.of(kept);
    } finally {
      lock.unlock();
    }
  }

  /** Keeps an execution whose turn was committed under {@code commitToken}. */
  void keep(Execution execution, String commitToken) {
    List<Kept> evicted = new ArrayList<>();
    lock.lock();
    try {
      Kept previous = parked.put(execution.setup().key(), new Kept(execution, commitToken));
      if (previous != null) {
        evicted.add(previous);
      }
      Iterator<Kept> oldest = parked.values().iterator();
      while (parked.size() > capacity) {
        evicted.add(oldest.next());
        oldest.remove();
      }
    } finally {
      lock.unlock();
    }
    evicted.forEach(kept -> kept.execution.discard());
    if (capacity > 0 && !evicted.isEmpty()) {
      onEvicted.accept(evicted.size());
    }
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
    List<Kept> all;
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
