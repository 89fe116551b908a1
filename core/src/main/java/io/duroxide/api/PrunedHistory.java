package io.duroxide.api;

import org.jspecify.annotations.Nullable;

/**
 * What {@link OrchestrationContext#pruneHistory} did.
 *
 * @param executionsDeleted past executions that are gone
 * @param eventsDeleted their events
 * @param error why nothing was deleted; null if all went well
 */
public record PrunedHistory(long executionsDeleted, long eventsDeleted, @Nullable String error) {

  /** This, or a failure of the orchestration if there was an error. */
  public PrunedHistory orThrow() {
    if (error != null) {
      throw new OrchestrationFailure("history was not pruned: " + error);
    }
    return this;
  }
}
