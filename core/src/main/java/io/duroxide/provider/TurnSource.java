package io.duroxide.provider;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import java.util.Objects;

/** What caused a turn, and with it the right to commit that turn. */
public sealed interface TurnSource {

  /**
   * The turn of an instance that was fetched.
   *
   * @param lockToken of the fetch
   */
  record Fetched(String lockToken) implements TurnSource {
    public Fetched {
      Objects.requireNonNull(lockToken, "lockToken");
    }
  }

  /**
   * The turn that the outcome of an activity causes, computed by a node that keeps the execution.
   * The events of the turn begin with the outcome.
   *
   * @param workToken the lock of the activity, which ends with the commit
   * @param execution must still be the current one
   * @param tip the newest event that the caller knew; nothing may have been recorded since
   */
  record AfterActivity(String workToken, ExecutionKey execution, CachedHistory.Tip tip)
      implements TurnSource {
    public AfterActivity {
      Objects.requireNonNull(workToken, "workToken");
      Objects.requireNonNull(execution, "execution");
      Objects.requireNonNull(tip, "tip");
    }
  }

  /**
   * The first turn of an instance that is not stored yet. The commit names the instance.
   *
   * @param start what a client asks for
   */
  record NewInstance(WorkItem.StartOrchestration start) implements TurnSource {
    public NewInstance {
      Objects.requireNonNull(start, "start");
    }
  }
}
