package io.duroxide.runtime;

import io.duroxide.provider.SessionFetchConfig;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The sessions with activities in flight on this node.
 *
 * <p>A node with a stable id runs activities of one session side by side. A node without one runs
 * them one after the other. Thread-safe.
 */
final class Sessions {
  /** How many sessions are remembered after they left. */
  private static final int REMEMBERED = 1_000;

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
  private final Signals signals;

  Sessions(RuntimeOptions options, String runtimeId, Signals signals) {
    this.options = options.sessions();
    this.ownerId = options.workerNodeId().orElse(runtimeId);
    this.oneAtATime = options.workerNodeId().isEmpty();
    this.signals = signals;
  }

  String ownerId() {
    return ownerId;
  }

  /** What the next fetch may claim: at capacity only sessions this node owns already. */
  @Nullable SessionFetchConfig fetchConfig() {
    if (options.maxSessions() == 0) {
      return null;
    }
    int free = Math.max(0, options.maxSessions() - distinct());
    return new SessionFetchConfig(ownerId, options.lockTimeout(), free);
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

  /** The right to run an activity of a session. */
  interface Turn {
    /** Gives it back. */
    void end();
  }

  /** Waits for the session's turn, where activities of one session run one after the other. */
  Turn enter(String sessionId) throws InterruptedException {
    Lane lane = lane(sessionId);
    if (!oneAtATime || lane == null) {
      return () -> {};
    }
    lane.turn.acquire();
    return lane.turn::release;
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
