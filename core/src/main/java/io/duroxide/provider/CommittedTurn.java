package io.duroxide.provider;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What came of a committed turn.
 *
 * @param prune null unless the commit asked for a prune
 * @param claimed the activities that are the caller's to run, in the order of the commit
 */
public record CommittedTurn(@Nullable PruneOutcome prune, List<LockedWork> claimed) {
  /** Nothing was pruned, nothing claimed. */
  public static final CommittedTurn PLAIN = new CommittedTurn(null, List.of());

  public CommittedTurn {
    claimed = List.copyOf(claimed);
  }
}
