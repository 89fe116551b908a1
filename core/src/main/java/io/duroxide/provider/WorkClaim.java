package io.duroxide.provider;

import java.time.Duration;
import java.util.Objects;
import java.util.Set;

/**
 * Which of the activities that a commit queues its caller runs itself, and so wants locked at once.
 *
 * @param lockTimeout how long their locks last
 * @param activityIds activities of the committed execution
 */
public record WorkClaim(Duration lockTimeout, Set<Long> activityIds) {
  /** Everything is left to whoever fetches it. */
  public static final WorkClaim NONE = new WorkClaim(Duration.ZERO, Set.of());

  public WorkClaim {
    Objects.requireNonNull(lockTimeout, "lockTimeout");
    activityIds = Set.copyOf(activityIds);
  }

  public boolean isEmpty() {
    return activityIds.isEmpty();
  }
}
