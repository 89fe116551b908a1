package io.duroxide.provider;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What came of a committed turn.
 *
 * @param commitToken names the commit, for the caller's next {@link CachedHistory.Tip}; of a turn
 *     that was fetched it is the lock token
 * @param prune null unless the commit asked for a prune
 * @param claimed the activities that are the caller's to run, in the order of the commit
 */
public record CommittedTurn(
    String commitToken, @Nullable PruneOutcome prune, List<LockedWork> claimed) {
  public CommittedTurn {
    Objects.requireNonNull(commitToken, "commitToken");
    claimed = List.copyOf(claimed);
  }

  /** Nothing was pruned, nothing claimed. */
  public static CommittedTurn plain(String commitToken) {
    return new CommittedTurn(commitToken, null, List.of());
  }
}
