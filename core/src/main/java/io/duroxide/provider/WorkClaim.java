package io.duroxide.provider;

import io.duroxide.model.ActivityKey;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;

/**
 * Which of the activities that a commit queues its caller runs itself, and so wants locked at once.
 * Those that the same commit cancels do not come back.
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

  /** Whether the committer of a turn of {@code instance} gets this activity locked. */
  public boolean includes(String instance, ActivityKey activity, TurnCommit commit) {
    CancelledActivities cancelled = commit.cancelled();
    boolean gone =
        cancelled.listed().contains(activity)
            || (cancelled.wholeExecution() && activity.executionId() == commit.executionId());
    return !gone
        && activityIds.contains(activity.activityId())
        && activity.instance().equals(instance);
  }

  public boolean isEmpty() {
    return activityIds.isEmpty();
  }
}
