package io.duroxide.provider.sqlite;

import io.duroxide.model.ExecutionStatus;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The current execution as its instance repeats it.
 *
 * @param execution its id; 0 before the first commit
 * @param lastEvent the id of its newest event; 0 for none
 * @param pin the framework version it is pinned to
 * @param completedAt when it ended; null while it has not
 */
record Current(
    long execution,
    long lastEvent,
    @Nullable String pin,
    ExecutionStatus status,
    @Nullable Long completedAt) {
  static final Current NONE = new Current(0, 0, null, ExecutionStatus.RUNNING, null);

  Current withLastEvent(long newest) {
    return new Current(execution, Math.max(lastEvent, newest), pin, status, completedAt);
  }

  /** Whether the parts that rarely change are the same. */
  boolean isLike(Current other) {
    return status == other.status
        && Objects.equals(pin, other.pin)
        && Objects.equals(completedAt, other.completedAt);
  }
}
