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

/**
 * Parked executions, at most one of each instance, the least recently used first to go.
 *
 * <p>An execution belongs to the cache or to the turn that took it; what is taken and not kept
 * again must be discarded. Turns of one instance come one at a time ({@link InstanceTurns}).
 * Thread-safe.
 */
final class ExecutionCache implements CachedHistory {
  private final int capacity;
  private final IntConsumer onEvicted;
  private final InstanceTurns turns;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Kept> parked = new LinkedHashMap<>(16, 0.75f, true);
  private volatile boolean closed;

  /** An execution and the name of the commit of its last turn. */
  record Kept(Execution execution, String commitToken) {
    Tip tip() {
      return new Tip(execution.lastEventId(), commitToken);
    }

    boolean isOf(ExecutionKey key) {
      return execution.setup().key().equals(key);
    }
  }

  /**
   * A cache.
   *
   * @param capacity most executions to keep; 0 keeps none, so that every turn replays
   * @param turns that take executions out
   * @param onEvicted told how many made room for others
   */
  ExecutionCache(int capacity, InstanceTurns turns, IntConsumer onEvicted) {
    this.capacity = capacity;
    this.turns = turns;
    this.onEvicted = onEvicted;
  }

  /** The turns that may take executions out. */
  InstanceTurns turns() {
    return turns;
  }

  @Override
  public @Nullable Tip tip(ExecutionKey execution) {
    lock.lock();
    try {
      Kept kept = parked.get(execution.instance());
      return kept == null || !kept.isOf(execution) ? null : kept.tip();
    } finally {
      lock.unlock();
    }
  }

  /** Takes an execution out for its turn; another execution of the instance is discarded. */
  Optional<Execution> take(ExecutionKey execution) {
    @Nullable Kept kept;
    lock.lock();
    try {
      kept = parked.remove(execution.instance());
    } finally {
      lock.unlock();
    }
    if (kept == null) {
      return Optional.empty();
    }
    if (!kept.isOf(execution)) {
      kept.execution.discard();
      return Optional.empty();
    }
    return Optional.of(kept.execution);
  }

  /** Takes an execution out if all it waits for is this activity. */
  Optional<Kept> takeWaitingFor(ActivityKey activity) {
    ExecutionKey key = new ExecutionKey(activity.instance(), activity.executionId());
    lock.lock();
    try {
      Kept kept = parked.get(key.instance());
      if (kept == null || !kept.isOf(key) || !kept.execution.waitsFor(activity.activityId())) {
        return Optional.empty();
      }
      parked.remove(key.instance());
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
      Kept previous =
          parked.put(execution.setup().key().instance(), new Kept(execution, commitToken));
      if (previous != null) {
        evicted.add(previous);
      }
      Iterator<Kept> oldest = parked.values().iterator();
      while (parked.size() > (closed ? 0 : capacity)) {
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

  /** Whether the runtime was closed: nothing is kept any more, and no turn is stored. */
  boolean isClosed() {
    return closed;
  }

  /** Ends every parked execution, and every one that shall be kept later. */
  void close() {
    List<Kept> all;
    lock.lock();
    try {
      closed = true;
      all = List.copyOf(parked.values());
      parked.clear();
    } finally {
      lock.unlock();
    }
    all.forEach(kept -> kept.execution.discard());
  }
}
