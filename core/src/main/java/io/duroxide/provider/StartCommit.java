package io.duroxide.provider;

import io.duroxide.model.WorkItem;
import java.util.Objects;

/**
 * A new instance and its first turn, computed by a node before either is stored.
 *
 * @param start what a client asks for
 * @param turn what the turn changes; it names the instance
 * @param claim which of its activities the caller runs itself
 */
public record StartCommit(WorkItem.StartOrchestration start, TurnCommit turn, WorkClaim claim) {
  public StartCommit {
    Objects.requireNonNull(start, "start");
    Objects.requireNonNull(turn, "turn");
    Objects.requireNonNull(claim, "claim");
  }
}
