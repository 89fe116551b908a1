package io.duroxide.provider;

import org.jspecify.annotations.Nullable;

/**
 * What came of the prune that a commit asked for.
 *
 * @param error why nothing was pruned, although the turn was committed; null if all went well
 */
public record PruneOutcome(long executionsDeleted, long eventsDeleted, @Nullable String error) {
  /** Everything went well. */
  public static PruneOutcome of(PruneResult result) {
    return new PruneOutcome(result.executionsDeleted(), result.eventsDeleted(), null);
  }

  public static PruneOutcome failed(String error) {
    return new PruneOutcome(0, 0, error);
  }
}
