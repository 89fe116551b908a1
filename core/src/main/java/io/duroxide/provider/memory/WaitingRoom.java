package io.duroxide.provider.memory;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.Condition;

/**
 * Where fetches wait for work that is not there yet.
 *
 * <p>Waiters that look for the same sit on one bench, and a thing that becomes ready wakes one
 * waiter of each bench. A waiter also wakes when something it knows of turns ready by time, and
 * when it leaves it wakes its neighbour, who then minds the time in its stead. So somebody on each
 * bench always knows the next instant; the fall-back covers what is not foreseen. Guarded by the
 * gate.
 */
final class WaitingRoom {
  private static final Duration FALLBACK = Duration.ofSeconds(1);
  private static final long SHORTEST_NANOS = Duration.ofMillis(1).toNanos();

  private final Gate gate;
  private final StoreClock clock;
  private final Map<Object, Bench> benches = new HashMap<>();

  /** What a waiter looks for. */
  interface Search<T> {
    /** Searches that have equal interests find the same things. */
    Object interest();

    /** What is there now; empty to go on waiting. */
    List<T> attempt();

    /** When something may turn ready by itself; {@link Instant#MAX} if nothing is foreseen. */
    Instant nextChange();
  }

  private static final class Bench {
    final Condition changed;
    int waiters;

    Bench(Condition changed) {
      this.changed = changed;
    }
  }

  WaitingRoom(Gate gate, StoreClock clock) {
    this.gate = gate;
    this.clock = clock;
  }

  /** Repeats the search until it finds something, the patience is over or the store closes. */
  <T> List<T> await(Search<T> search, Duration patience) throws InterruptedException {
    List<T> found = search.attempt();
    if (!found.isEmpty() || !patience.isPositive()) {
      return found;
    }
    Object interest = search.interest();
    Bench bench = benches.computeIfAbsent(interest, any -> new Bench(gate.newCondition()));
    bench.waiters++;
    try {
      return sit(bench, search, StoreClock.nanos(patience));
    } finally {
      leave(interest, bench);
    }
  }

  /** One waiter of each bench looks again. */
  void wake() {
    for (Bench bench : benches.values()) {
      bench.changed.signal();
    }
  }

  /**
   * Something turns ready at {@code instant} by itself. Whoever waits looks again at the latest
   * when the fall-back is over, so only what comes sooner is worth a wake-up.
   */
  void expect(Instant instant) {
    if (instant.isBefore(clock.now().plus(FALLBACK))) {
      wake();
    }
  }

  void wakeAll() {
    for (Bench bench : benches.values()) {
      bench.changed.signalAll();
    }
  }

  private <T> List<T> sit(Bench bench, Search<T> search, long patience)
      throws InterruptedException {
    long left = patience;
    while (left > 0 && !gate.isClosed()) {
      long slice = Math.min(left, untilNextChange(search));
      left -= slice - bench.changed.awaitNanos(slice);
      gate.look();
      List<T> found = gate.isClosed() ? List.of() : search.attempt();
      if (!found.isEmpty()) {
        return found;
      }
    }
    return List.of();
  }

  private long untilNextChange(Search<?> search) {
    long nanos = StoreClock.nanos(Duration.between(clock.now(), search.nextChange()));
    return Math.clamp(nanos, SHORTEST_NANOS, FALLBACK.toNanos());
  }

  private void leave(Object interest, Bench bench) {
    bench.waiters--;
    if (bench.waiters == 0) {
      benches.remove(interest);
    } else {
      bench.changed.signal();
    }
  }
}
