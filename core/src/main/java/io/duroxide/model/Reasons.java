package io.duroxide.model;

/** The texts recorded with decisions and sent with cancels. They are stored: never change one. */
public final class Reasons {
  /** A select loser, an explicit cancel, a discarded branch. */
  public static final String DROPPED_FUTURE = "dropped_future";

  /** A wait or a dequeue that was open when the execution ended. */
  public static final String ORCHESTRATION_TERMINAL = "orchestration_terminal";

  /** Sent to a child whose parent gave up its future. */
  public static final String PARENT_DROPPED = "parent dropped sub-orchestration future";

  /** Sent to the children of an execution that failed. */
  public static final String PARENT_FAILED = "parent failed";

  private Reasons() {}
}
