package io.duroxide.provider.sqlite;

import io.duroxide.model.ExecutionStatus;
import org.jspecify.annotations.Nullable;

/**
 * What few turns change of an instance.
 *
 * @param status of its current execution
 * @param completedAt when its current execution ended; null while it has not
 */
record Standing(
    Face face, ExecutionStatus status, @Nullable Long completedAt, Mailboxes mailboxes) {
  static final Standing NONE =
      new Standing(Face.NONE, ExecutionStatus.RUNNING, null, Mailboxes.NONE);

  Standing with(Mailboxes newMailboxes) {
    return new Standing(face, status, completedAt, newMailboxes);
  }
}
