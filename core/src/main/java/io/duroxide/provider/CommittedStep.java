package io.duroxide.provider;

import java.util.Objects;

/**
 * What came of a {@link StepCommit} or a {@link StartCommit}.
 *
 * @param commitToken names the commit, for the caller's next {@link CachedHistory.Tip}
 * @param turn what came of its turn
 */
public record CommittedStep(String commitToken, CommittedTurn turn) {
  public CommittedStep {
    Objects.requireNonNull(commitToken, "commitToken");
    Objects.requireNonNull(turn, "turn");
  }
}
