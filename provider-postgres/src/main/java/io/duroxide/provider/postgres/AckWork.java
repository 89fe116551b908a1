package io.duroxide.provider.postgres;

import io.duroxide.model.WorkItem;
import org.jspecify.annotations.Nullable;

/** The end of one activity: its removal and its outcome in one step. */
final class AckWork extends Command<Boolean> {
  private static final String OPERATION = "ackWorkItem";

  private final Tokens.Work lock;
  private final @Nullable NewMessage outcome;

  /** What cannot be the outcome of an activity is refused. */
  AckWork(String token, @Nullable WorkItem completion) {
    super(OPERATION);
    this.outcome = completion == null ? null : NewMessage.of(OPERATION, checked(completion));
    this.lock = Tokens.work(OPERATION, token);
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

  Tokens.Work lock() {
    return lock;
  }

  @Nullable NewMessage outcome() {
    return outcome;
  }
}
