package io.duroxide.model;

import java.util.Objects;

/**
 * How past executions are pruned when an instance continues as new.
 *
 * @param retention which are kept
 * @param everyExecutions prune when the new execution's id is divisible by this; 1 prunes at each
 *     continue-as-new
 * @param keepPreviousVersion how many of the newest executions of the orchestration's version
 *     before the current one stay besides
 */
public record AutoPrunePolicy(Retention retention, int everyExecutions, int keepPreviousVersion)
    implements AutoPrune {
  public AutoPrunePolicy {
    Objects.requireNonNull(retention, "retention");
    if (everyExecutions < 1) {
      throw new IllegalArgumentException(
          "everyExecutions must be at least 1, not " + everyExecutions);
    }
    if (keepPreviousVersion < 0) {
      throw new IllegalArgumentException(
          "keepPreviousVersion must not be negative, not " + keepPreviousVersion);
    }
  }

  /** At each continue-as-new; the last execution of the version before stays. */
  public static AutoPrunePolicy of(Retention retention) {
    return new AutoPrunePolicy(retention, 1, 1);
  }

  /** Only when the new execution's id is divisible by {@code executions}. */
  public AutoPrunePolicy every(int executions) {
    return new AutoPrunePolicy(retention, executions, keepPreviousVersion);
  }

  public AutoPrunePolicy withKeepPreviousVersion(int count) {
    return new AutoPrunePolicy(retention, everyExecutions, count);
  }

  /** Whether the start of this execution is one that prunes. */
  public boolean isDue(long executionId) {
    return executionId % everyExecutions == 0;
  }
}
