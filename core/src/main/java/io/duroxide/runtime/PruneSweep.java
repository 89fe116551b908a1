package io.duroxide.runtime;

import io.duroxide.model.ExecutionStatus;
import java.time.Duration;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;

/**
 * Pruning in the background: of instances that do not continue as new for a long time, and of
 * finished instances as a whole. Any number of nodes may do it.
 *
 * @param interval how long to rest between two sweeps
 * @param instanceRetention for how long finished instances are kept, by how they ended; those that
 *     are not mentioned are kept for ever
 * @param limit how many instances to deal with at a time
 */
public record PruneSweep(
    Duration interval, Map<ExecutionStatus, Duration> instanceRetention, int limit) {
  private static final int DEFAULT_LIMIT = 1000;

  public PruneSweep {
    Objects.requireNonNull(interval, "interval");
    if (!interval.isPositive()) {
      throw new IllegalArgumentException("interval must be positive, not " + interval);
    }
    if (limit < 1) {
      throw new IllegalArgumentException("limit must be at least 1, not " + limit);
    }
    instanceRetention = Map.copyOf(instanceRetention);
    instanceRetention.forEach(PruneSweep::check);
  }

  private static void check(ExecutionStatus status, Duration retention) {
    if (!status.endsInstance()) {
      throw new IllegalArgumentException(
          "only completed and failed instances can be deleted after a while, not " + status);
    }
    if (retention.isNegative()) {
      throw new IllegalArgumentException("a retention must not be negative: " + retention);
    }
  }

  /** Prunes executions; instances stay. */
  public static PruneSweep every(Duration interval) {
    return new PruneSweep(interval, Map.of(), DEFAULT_LIMIT);
  }

  /** Deletes instances that ended like this once they are this old, with all their children. */
  public PruneSweep deleting(ExecutionStatus status, Duration olderThan) {
    Map<ExecutionStatus, Duration> more = new EnumMap<>(ExecutionStatus.class);
    more.putAll(instanceRetention);
    more.put(status, olderThan);
    return new PruneSweep(interval, more, limit);
  }

  public PruneSweep withLimit(int newLimit) {
    return new PruneSweep(interval, instanceRetention, newLimit);
  }
}
