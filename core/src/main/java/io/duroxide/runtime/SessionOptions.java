package io.duroxide.runtime;

import java.time.Duration;

/**
 * How a node owns sessions.
 *
 * @param lockTimeout length of a lease; bounds how long a dead owner holds its sessions
 * @param idleTimeout a session unused for this long is not renewed any more
 * @param cleanupInterval how often expired sessions are swept
 * @param maxSessions most distinct sessions in flight on this node; 0 takes no session work
 */
public record SessionOptions(
    Duration lockTimeout, Duration idleTimeout, Duration cleanupInterval, int maxSessions) {
  /** Leases of 30 s, idle after 5 min, swept every 5 min, 10 sessions in flight. */
  public static final SessionOptions DEFAULT =
      new SessionOptions(Duration.ofSeconds(30), Duration.ofMinutes(5), Duration.ofMinutes(5), 10);

  public SessionOptions {
    if (lockTimeout.compareTo(Duration.ZERO) <= 0) {
      throw new IllegalArgumentException("session lockTimeout must be positive: " + lockTimeout);
    }
    if (cleanupInterval.compareTo(Duration.ZERO) <= 0) {
      throw new IllegalArgumentException(
          "session cleanupInterval must be positive: " + cleanupInterval);
    }
    if (maxSessions < 0) {
      throw new IllegalArgumentException("maxSessions must not be negative: " + maxSessions);
    }
  }

  public SessionOptions withMaxSessions(int count) {
    return new SessionOptions(lockTimeout, idleTimeout, cleanupInterval, count);
  }
}
