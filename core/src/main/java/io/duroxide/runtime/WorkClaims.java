package io.duroxide.runtime;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WorkClaim;
import java.util.HashSet;
import java.util.Set;

/**
 * Decides which activities of a commit this node runs itself: those it would fetch anyway and has
 * free slots for. Thread-safe.
 */
final class WorkClaims {
  private final RuntimeParts parts;
  private final RuntimeOptions options;
  private final Slots slots;

  WorkClaims(RuntimeParts parts, Slots slots) {
    this.parts = parts;
    this.options = parts.options();
    this.slots = slots;
  }

  /**
   * Takes a slot for each activity that shall come back locked.
   *
   * @param owned slots that the caller has already; they are used first
   */
  WorkClaim reserve(TurnCommit commit, int owned) {
    if (options.localSteps() == 0 || slots.isClosed() || commit.workerItems().isEmpty()) {
      return WorkClaim.NONE;
    }
    int taken = 0;
    try {
      Set<Long> ids = new HashSet<>();
      for (WorkItem item : commit.workerItems()) {
        if (item instanceof WorkItem.ActivityExecute activity && isOurs(activity)) {
          if (ids.size() >= owned) {
            if (!slots.tryTake()) {
              break;
            }
            taken++;
          }
          ids.add(activity.key().activityId());
        }
      }
      return ids.isEmpty() ? WorkClaim.NONE : new WorkClaim(options.workerLockTimeout(), ids);
    } catch (RuntimeException | Error e) {
      giveBack(taken);
      throw e;
    }
  }

  private void giveBack(int count) {
    for (int i = 0; i < count; i++) {
      slots.giveBack();
    }
  }

  /** Gives back the slots of activities that did not come back. */
  void settle(WorkClaim claim, int owned, int claimed) {
    int taken = Math.max(0, claim.activityIds().size() - owned);
    int used = Math.max(0, claimed - owned);
    giveBack(taken - used);
  }

  /** Sessions are left to the fetch, which knows their owners. */
  private boolean isOurs(WorkItem.ActivityExecute activity) {
    return activity.routing().sessionId() == null
        && options.tags().admits(activity.routing().tag())
        && parts.activities().resolve(activity.name()).isPresent();
  }
}
