package io.duroxide.replay;

import java.util.List;

/**
 * What a turn that completes its execution says of the mailboxes.
 *
 * @param mustBeRead queues that have to be empty for the end
 * @param leavesNew whether messages of these queues arrived with this turn that the code did not
 *     read
 */
public record MailAtEnd(List<String> mustBeRead, boolean leavesNew) {
  /** The end has nothing to do with any mailbox. */
  public static final MailAtEnd NONE = new MailAtEnd(List.of(), false);

  public MailAtEnd {
    mustBeRead = List.copyOf(mustBeRead);
  }
}
