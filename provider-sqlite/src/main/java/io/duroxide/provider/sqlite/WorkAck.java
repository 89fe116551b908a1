package io.duroxide.provider.sqlite;

import io.duroxide.model.WorkItem;
import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/** The end of one activity: its removal and its outcome in one step. Run by the writer. */
final class WorkAck implements Command<Boolean> {
  private static final String OPERATION = "ackWorkItem";

  private final String token;
  private final @Nullable NewMessage outcome;

  WorkAck(String token, @Nullable WorkItem completion) {
    this.token = token;
    this.outcome = completion == null ? null : NewMessage.of(OPERATION, checked(completion));
  }

  private static WorkItem checked(WorkItem completion) {
    if (completion instanceof WorkItem.ActivityCompleted
        || completion instanceof WorkItem.ActivityFailed) {
      return completion;
    }
    throw Refusal.invalid(
        OPERATION,
        completion.instance() + ": an activity completes or fails, it cannot end as " + completion);
  }

  @Override
  public Boolean run(Tables tables) throws SQLException {
    tables.workers().complete(OPERATION, token);
    if (outcome != null) {
      tables.orchestratorQueue().enqueueCommitted(outcome);
    }
    return true;
  }
}
