package io.duroxide.provider.memory;

import io.duroxide.model.WorkItem;
import org.jspecify.annotations.Nullable;

/** The end of one activity: its removal and its outcome in one step. Guarded by the gate. */
final class WorkAck {
  private static final String OPERATION = "ackWorkItem";

  private WorkAck() {}

  static void commit(Tables tables, String token, @Nullable WorkItem completion) {
    WorkItem.ForOrchestrator outcome = completion == null ? null : check(completion);
    Task task = tables.workerQueue().validHolder(OPERATION, token);
    tables.workerQueue().remove(task);
    tables.sessions().touch(task.lane().session());
    if (outcome != null) {
      tables.orchestratorQueue().enqueueCommitted(outcome);
    }
  }

  private static WorkItem.ForOrchestrator check(WorkItem completion) {
    if (completion instanceof WorkItem.ActivityCompleted completed) {
      return completed;
    }
    if (completion instanceof WorkItem.ActivityFailed failed) {
      return failed;
    }
    throw Refusal.invalid(
        OPERATION,
        completion.instance() + ": an activity completes or fails, it cannot end as " + completion);
  }
}
