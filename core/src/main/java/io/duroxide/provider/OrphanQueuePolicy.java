package io.duroxide.provider;

/** What becomes of mailbox messages for an instance that neither exists nor has a start queued. */
public enum OrphanQueuePolicy {
  /** The first fetch that meets them removes them, with a warning. */
  DROP,
  /** They wait for the start, as every other kind of message does, until they are purged. */
  HOLD
}
