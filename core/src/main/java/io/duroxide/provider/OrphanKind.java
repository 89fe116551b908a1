package io.duroxide.provider;

/** Why nobody waits for a child any more. */
public enum OrphanKind {
  /** Its parent does not exist. */
  PARENT_GONE,
  /** Its parent completed or failed. */
  PARENT_FINISHED,
  /** Its parent is in a later execution than the one that asked for it. */
  PARENT_MOVED_ON
}
