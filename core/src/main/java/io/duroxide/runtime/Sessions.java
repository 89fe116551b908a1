package io.duroxide.runtime;

import io.duroxide.provider.SessionFetchConfig;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
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

  Sessions(SessionOptions options, Optional<String> nodeId, String runtimeId) {
    this.options = options;
    this.ownerId = nodeId.orElse(runtimeId);
    this.oneAtATime = nodeId.isEmpty();
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

  /** How many sessions are in flight. */
  int distinct() {
    lock.lock();
    try {
      return lanes.size();
    } finally {
      lock.unlock();
    }
  }

  /** Counts an activity of a session in. */
  void register(String sessionId) {
    lock.lock();
    try {
      lanes.computeIfAbsent(sessionId, key -> new Lane()).inFlight++;
    } finally {
      lock.unlock();
    }
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

  /** Waits for the session's turn, where activities of one session run one after the other. */
  void enter(String sessionId) throws InterruptedException {
    if (oneAtATime) {
      lane(sessionId).acquire();
    }
  }

  void leave(String sessionId) {
    if (oneAtATime) {
      lane(sessionId).release();
    }
  }

  private Semaphore lane(String sessionId) {
    lock.lock();
    try {
      return lanes.computeIfAbsent(sessionId, key -> new Lane()).turn;
    } finally {
      lock.unlock();
    }
  }
}
