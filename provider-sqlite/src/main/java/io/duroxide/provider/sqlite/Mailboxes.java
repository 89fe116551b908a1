package io.duroxide.provider.sqlite;

import io.duroxide.provider.MailboxRules;
import org.jspecify.annotations.Nullable;

/**
 * The mailboxes of an instance.
 *
 * @param rules how much of them may be delivered
 * @param hasParked whether there may be messages that have no room
 */
record Mailboxes(MailboxRules rules, boolean hasParked) {
  static final Mailboxes NONE = new Mailboxes(MailboxRules.FIRST, false);

  private static final String OPEN = "";

  /** The rules as they are stored; those of nearly all instances are short. */
  @Nullable String storedRules() {
    if (rules.equals(MailboxRules.FIRST)) {
      return null;
    }
    return rules.equals(MailboxRules.OPEN) ? OPEN : rules.stored();
  }

  static MailboxRules readRules(@Nullable String stored) {
    return OPEN.equals(stored) ? MailboxRules.OPEN : MailboxRules.ofStored(stored);
  }
}
