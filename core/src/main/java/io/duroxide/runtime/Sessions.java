package io.duroxide.runtime;

import io.duroxide.provider.SessionFetchConfig;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The sessions with activities in flight on this node.
 *
 * <p>A node with a stable id runs activities of one session side by side. A node without one runs
 * them one after the other, and those that wait for their turn lend their slots to others.
 * Thread-safe.
 */
final class Sessions {
  /** How many sessions are remembered after they left. */
  private static final int REMEMBERED = 1_000;

  /** With so many that wait for their turn, more of them are left in the store. */
  static final int MOST_WAITING = 1_000;

  /** A session in flight. */
  private static final class Lane {
    final Semaphore turn = new Semaphore(1, true);
    int inFlight;
  }

  private final SessionOptions options;
  private final String ownerId;
  private final boolean oneAtATime;
  private final ReentrantLock lock = new ReentrantLock();
  private final Map<String, Lane> lanes = new HashMap<>();
  private final SequencedSet<String> served = new LinkedHashSet<>();
  private final AtomicInteger waiting = new AtomicInteger();
  private final Slots slots;
  private final Signals signals;

  Sessions(RuntimeOptions options, String runtimeId, Slots slots, Signals signals) {
    this.slots = slots;
    this.options = options.sessions();
    this.ownerId = options.workerNodeId().orElse(runtimeId);
    this.oneAtATime = options.workerNodeId().isEmpty();
    this.signals = signals;
  }

  String ownerId() {
    return ownerId;
  }

  /**
   * What the next fetch may claim: with as many sessions as allowed only those this node owns
   * already, and nothing of sessions while too much waits.
   */
  @Nullable SessionFetchConfig fetchConfig() {
    if (options.maxSessions() == 0 || waiting.get() >= MOST_WAITING) {
      return null;
    }
    int free = Math.max(0, options.maxSessions() - distinct());
    return new SessionFetchConfig(ownerId, options.lockTimeout(), free);
  }

  /** Whether the end of an activity may allow the next fetch more. */
  boolean atCapacity() {
    return options.maxSessions() > 0
        && (waiting.get() >= MOST_WAITING || distinct() >= options.maxSessions());
  }

  /** How many activities wait for the turn of their session. */
  int waiting() {
    return waiting.get();
  }

  /** Whether nobody can take over these sessions under the same name after a restart. */
  boolean endWithThisProcess() {
    return oneAtATime;
  }

  /** How many sessions are in flight. */
  int distinct() {
    lock.lock();
    try {
      return lanes.size();
    } finally {
      lock.unlock();
    }
  }

  /**
   * Counts an activity of a session in; false if that would be one session too many, as happens to
   * sessions that this node owns but that rested while others took their place.
   */
  boolean register(String sessionId) {
    lock.lock();
    try {
      if (!lanes.containsKey(sessionId)) {
        if (lanes.size() >= options.maxSessions()) {
          return false;
        }
        claimed(sessionId);
      }
      lanes.computeIfAbsent(sessionId, key -> new Lane()).inFlight++;
      return true;
    } finally {
      lock.unlock();
    }
  }

  private void claimed(String sessionId) {
    boolean again = served.remove(sessionId);
    served.addLast(sessionId);
    if (served.size() > REMEMBERED) {
      served.removeFirst();
    }
    signals.sessionClaimed(sessionId, again);
  }

  /** Counts it out. */
  void unregister(String sessionId) {
    lock.lock();
    try {
      Lane lane = lanes.get(sessionId);
      if (lane != null && --lane.inFlight == 0) {
        lanes.remove(sessionId);
      }
    } finally {
      lock.unlock();
    }
  }

  /**
   * The right to run an activity of a session.
   *
   * @param late whether the node was stopped while somebody waited for it
   * @param giveBack lets the next one run
   */
  record Turn(boolean late, Runnable giveBack) {
    void end() {
      giveBack.run();
    }
  }

  /**
   * Waits for the session's turn, where activities of one session run one after the other. The
   * caller has a slot before and after, also if it is interrupted, but not while it waits.
   */
  Turn enter(String sessionId) throws InterruptedException {
    Lane lane = lane(sessionId);
    if (!oneAtATime || lane == null) {
      return new Turn(false, () -> {});
    }
    boolean busy = !lane.turn.tryAcquire(0, TimeUnit.NANOSECONDS);
    if (busy) {
      queue(lane);
    }
    return new Turn(busy && slots.isClosed(), lane.turn::release);
  }

  private void queue(Lane lane) throws InterruptedException {
    waiting.incrementAndGet();
    slots.giveBack();
    try {
      lane.turn.acquire();
    } finally {
      slots.takeAgain();
      waiting.decrementAndGet();
    }
  }

  /** Absent once the last activity was counted out, which may be left running after its grace. */
  private @Nullable Lane lane(String sessionId) {
    lock.lock();
    try {
      return lanes.get(sessionId);
    } finally {
      lock.unlock();
    }
  }
}
