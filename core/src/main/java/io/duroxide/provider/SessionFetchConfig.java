package io.duroxide.provider;

import java.time.Duration;
import java.util.Objects;

/**
 * Under which name and for how long a fetch claims sessions.
 *
 * @param ownerId callers that share it are one owner
 * @param lockTimeout length of the session lease
 * @param maxNewSessions how many sessions not yet owned one fetch may claim; 0 serves owned ones
 *     alone
 */
public record SessionFetchConfig(String ownerId, Duration lockTimeout, int maxNewSessions) {
  public SessionFetchConfig {
    Objects.requireNonNull(ownerId, "ownerId");
    Objects.requireNonNull(lockTimeout, "lockTimeout");
  }

  public SessionFetchConfig(String ownerId, Duration lockTimeout) {
    this(ownerId, lockTimeout, Integer.MAX_VALUE);
  }
}
