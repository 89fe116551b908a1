package io.duroxide.provider;

import org.jspecify.annotations.Nullable;

/**
 * What came of a committed turn.
 *
 * @param prune null unless the commit asked for a prune
 */
public record CommittedTurn(@Nullable PruneOutcome prune) {
  /** Nothing was pruned. */
  public static final CommittedTurn PLAIN = new CommittedTurn(null);
}
