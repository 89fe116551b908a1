package io.duroxide.replay;

import java.util.List;

/**
 * How the mailboxes of an execution stand after a turn.
 *
 * @param counts what it has to do with each queue; none if the turn fails
 * @param atEnd what the end demands, if the turn completes the execution
 */
public record MailboxState(List<MailboxCount> counts, MailAtEnd atEnd) {
  /** Nothing is known and nothing demanded. */
  public static final MailboxState NONE = new MailboxState(List.of(), MailAtEnd.NONE);

  public MailboxState {
    counts = List.copyOf(counts);
  }
}
