package io.duroxide.provider;

import io.duroxide.model.ExecutionKey;
import java.util.Objects;

/**
 * The turn that an activity's outcome causes, computed by a node that keeps the execution.
 *
 * @param execution the execution, which must still be the current one
 * @param tip the newest event the caller knew; nothing may have been recorded since
 * @param turn what the turn changes; its events begin with the activity's outcome
 * @param claim which of its activities the caller runs itself
 */
public record StepCommit(
    ExecutionKey execution, CachedHistory.Tip tip, TurnCommit turn, WorkClaim claim) {
  public StepCommit {
    Objects.requireNonNull(execution, "execution");
    Objects.requireNonNull(tip, "tip");
    Objects.requireNonNull(turn, "turn");
    Objects.requireNonNull(claim, "claim");
  }
}
