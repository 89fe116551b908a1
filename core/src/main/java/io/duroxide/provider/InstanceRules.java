package io.duroxide.provider;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a commit asks of the store for its instance as a whole.
 *
 * @param prune which past executions of the instance to delete; null for none. A prune that fails
 *     does not fail the commit
 * @param mailboxes how much of its mailboxes is delivered from now on
 * @param mustBeEmpty queues for which no visible message may be left, whether there is room for it
 *     or not. If there is one that the commit does not consume, the commit is refused: its answer
 *     is empty and nothing has changed. Every provider keeps this: whoever was told that a message
 *     is accepted relies on it
 */
public record InstanceRules(
    @Nullable PruneOptions prune, MailboxRules mailboxes, List<String> mustBeEmpty) {
  /** Nothing is pruned, no mailbox has a bound and none has to be empty. */
  public static final InstanceRules NONE = new InstanceRules(null, MailboxRules.OPEN, List.of());

  public InstanceRules {
    Objects.requireNonNull(mailboxes, "mailboxes");
    mustBeEmpty = List.copyOf(mustBeEmpty);
  }
}
