package io.duroxide.provider.sqlite;

/** What a reported commit survives. */
public enum Durability {
  /** A crash of the process and a loss of power: every commit waits for the disk. */
  FULL,
  /**
   * A crash of the process. A loss of power may undo the last commits, never a part of one, and
   * never damages the file. Faster, because only checkpoints wait for the disk.
   */
  NORMAL
}
