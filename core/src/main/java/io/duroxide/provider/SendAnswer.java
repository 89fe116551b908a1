package io.duroxide.provider;

/** What became of a {@link Sending}. */
public enum SendAnswer {
  /** Everything is stored that was not there already. */
  ACCEPTED,
  /** The instance has ended; nothing is stored. */
  ENDED,
  /** Nobody knows the instance, and messages for it are not held; nothing is stored. */
  UNKNOWN,
  /** The start was to make a new instance, and found one or another start; nothing is stored. */
  EXISTS
}
