package io.duroxide.runtime;

import io.duroxide.provider.Stranded;
import io.duroxide.telemetry.WorkQueue;
import java.time.Duration;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/** Remembers what a health report is made of. Thread-safe. */
final class HealthWatch {
  /** How many missing handlers are remembered. */
  private static final int NAMES = 20;

  /** How many causes of a failure are looked at. */
  private static final int CAUSES = 20;

  private final Waiting time;
  private final Map<WorkQueue, AtomicReference<Polls>> polls = new EnumMap<>(WorkQueue.class);
  private volatile boolean failing;
  private volatile @Nullable String brokenClass;
  private final ReentrantLock lock = new ReentrantLock();
  private final SequencedMap<String, Long> missingHandlers = new LinkedHashMap<>();
  private final AtomicReference<Happened> lostLocks = new AtomicReference<>(Happened.NEVER);
  private final AtomicReference<List<Stranded>> stranded = new AtomicReference<>(List.of());
  private final AtomicReference<@Nullable Step> clock = new AtomicReference<>();
  private final AtomicReference<Happened> poison = new AtomicReference<>(Happened.NEVER);

  /**
   * How fetching goes.
   *
   * @param answeredAt when a fetch last came back well
   * @param failures fetches in a row that did not
   * @param failingSince when the first of them failed
   */
  record Polls(long answeredAt, int failures, long failingSince, @Nullable String error) {}

  /** A step back of the store's clock, and when it was noticed. */
  record Step(Duration back, long noticedAt) {}

  /** How often something happened, and when last. */
  record Happened(long times, long lastAt) {
    static final Happened NEVER = new Happened(0, 0);

    Happened again(long now) {
      return new Happened(times + 1, now);
    }
  }

  HealthWatch(Waiting time) {
    this.time = time;
    for (WorkQueue queue : WorkQueue.values()) {
      polls.put(queue, new AtomicReference<>(new Polls(time.nanoTime(), 0, 0, null)));
    }
  }

  private AtomicReference<Polls> of(WorkQueue queue) {
    AtomicReference<Polls> known = polls.get(queue);
    if (known == null) {
      throw new IllegalStateException("no polls of " + queue);
    }
    return known;
  }

  void fetched(WorkQueue queue) {
    storeAnswered();
    of(queue).set(new Polls(time.nanoTime(), 0, 0, null));
  }

  void fetchFailed(WorkQueue queue, String error) {
    long now = time.nanoTime();
    failing = true;
    of(queue)
        .updateAndGet(p ->
            new Polls(
                p.answeredAt(),
                p.failures() + 1,
                p.failures() == 0 ? now : p.failingSince(),
                error));
  }

  /**
   * The JVM tries only once to prepare a class for use. If memory is short just then, the class
   * fails whoever needs it, for ever.
   */
  void met(Throwable failure) {
    Throwable cause = failure;
    for (int depth = 0; cause != null && depth < CAUSES; depth++) {
      if (cause instanceof LinkageError) {
        brokenClass = String.valueOf(cause.getMessage());
      }
      cause = cause.getCause();
    }
  }

  /** What the JVM says of a class that can no longer be used; null if there is none. */
  @Nullable String brokenClass() {
    return brokenClass;
  }

  /** Any call that the store has answered well shows that it is there. */
  void storeAnswered() {
    if (failing) {
      failing = false;
      long now = time.nanoTime();
      polls.values().forEach(known -> known.set(new Polls(now, 0, 0, null)));
    }
  }

  void lockLost() {
    long now = time.nanoTime();
    lostLocks.updateAndGet(happened -> happened.again(now));
  }

  void poisoned() {
    long now = time.nanoTime();
    poison.updateAndGet(happened -> happened.again(now));
  }

  /** A step back of the store's clock, noticed so long ago. */
  void clockWentBack(Duration back, Duration ago) {
    clock.set(new Step(back, time.nanoTime() - ago.toNanos()));
  }

  /** The last step back of the store's clock; null if there was none. */
  @Nullable Step clock() {
    return clock.get();
  }

  void handlerMissing(String what) {
    lock.lock();
    try {
      missingHandlers.putLast(what, time.nanoTime());
      if (missingHandlers.size() > NAMES) {
        missingHandlers.pollFirstEntry();
      }
    } finally {
      lock.unlock();
    }
  }

  /** What no live node could run at the last look; returns what was said before. */
  List<Stranded> stranded(List<Stranded> found) {
    return stranded.getAndSet(List.copyOf(found));
  }

  List<Stranded> stranded() {
    return stranded.get();
  }

  Polls polls(WorkQueue queue) {
    return of(queue).get();
  }

  Happened lostLocks() {
    return lostLocks.get();
  }

  Happened poison() {
    return poison.get();
  }

  /** What was met without a handler no longer ago than this. */
  SequencedMap<String, Duration> missingHandlers(Duration within) {
    SequencedMap<String, Duration> recent = new LinkedHashMap<>();
    lock.lock();
    try {
      missingHandlers.forEach((what, at) -> {
        Duration ago = since(at);
        if (ago.compareTo(within) <= 0) {
          recent.put(what, ago);
        }
      });
    } finally {
      lock.unlock();
    }
    return recent;
  }

  Duration since(long nanos) {
    return Duration.ofNanos(time.nanoTime() - nanos);
  }
}
