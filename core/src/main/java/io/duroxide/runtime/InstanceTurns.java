package io.duroxide.runtime;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/**
 * The instances that take a turn in this node at the moment: each at most one, and all together no
 * more than there are slots, whatever causes them.
 *
 * <p>A turn counts from before its kept execution is taken until that is kept again or discarded.
 * So a turn that was fetched between the commit of the one before and its end waits for that end:
 * it finds what the earlier one kept, and nothing is kept that a later commit has replaced.
 *
 * <p>First turns that clients cause have half of the slots at most: threads that start instances
 * without a pause would otherwise keep every event from being seen. Whoever finds none waits for
 * one in turn, which slows the starters down instead of filling the queue. Thread-safe.
 */
final class InstanceTurns {
  private final Slots slots;
  private final Map<String, Turn> underWay = new ConcurrentHashMap<>();
  private final Semaphore starts;

  InstanceTurns(int most) {
    this.slots = new Slots(most);
    this.starts = new Semaphore(Math.max(1, most / 2), true);
  }

  /** The right to take a turn; to be closed once. */
  final class Turn {
    private final String instance;
    private final Runnable release;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Optional<Turn> begun = Optional.of(this);

    private Turn(String instance, Runnable release) {
      this.instance = instance;
      this.release = release;
    }

    /** Begins it unless the instance takes one; an error in between leaves nothing begun. */
    private Optional<Turn> begin() {
      boolean isFirst = false;
      try {
        isFirst = underWay.putIfAbsent(instance, this) == null;
        return isFirst ? begun : Optional.empty();
      } finally {
        if (!isFirst) {
          close();
        }
      }
    }

    void close() {
      try {
        underWay.remove(instance, this);
      } finally {
        ended.countDown();
        release.run();
      }
    }
  }

  /** The slots for turns. */
  Slots slots() {
    return slots;
  }

  /** Begins a turn with a slot of its own, unless the instance takes one or no slot is free. */
  Optional<Turn> tryBegin(String instance) {
    Turn turn = new Turn(instance, slots::giveBack);
    return slots.tryTake() ? turn.begin() : Optional.empty();
  }

  /**
   * As {@link #tryBegin}, for the first turn of an instance: waits until few enough others are
   * under way, and not for longer than {@code patience}.
   */
  Optional<Turn> tryBeginStart(String instance, Duration patience) {
    Turn turn =
        new Turn(
            instance,
            () -> {
              starts.release();
              slots.giveBack();
            });
    if (!awaitStart(patience)) {
      return Optional.empty();
    }
    if (!slots.tryTake()) {
      starts.release();
      return Optional.empty();
    }
    return turn.begin();
  }

  private boolean awaitStart(Duration patience) {
    try {
      return starts.tryAcquire(patience.toNanos(), TimeUnit.NANOSECONDS);
    } catch (InterruptedException interrupt) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /**
   * Begins a turn, for which the caller has a slot, once the one under way has ended; empty if that
   * takes too long.
   */
  Optional<Turn> begin(String instance, Duration patience) throws InterruptedException {
    Optional<Turn> begun = new Turn(instance, () -> {}).begin();
    while (begun.isEmpty()) {
      Turn other = underWay.get(instance);
      if (other != null && !other.ended.await(patience.toNanos(), TimeUnit.NANOSECONDS)) {
        return Optional.empty();
      }
      begun = new Turn(instance, () -> {}).begin();
    }
    return begun;
  }
}
