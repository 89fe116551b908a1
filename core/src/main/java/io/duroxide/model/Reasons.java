package io.duroxide.model;

/** The texts recorded with decisions and sent with cancels. They are stored: never change one. */
public final class Reasons {
  /** A select loser, an explicit cancel, a discarded branch. */
  public static final String DROPPED_FUTURE = "dropped_future";

  /** A wait or a dequeue that was open when the execution ended. */
  public static final String ORCHESTRATION_TERMINAL = "orchestration_terminal";

  /** An activity or child that was open when its execution completed. */
  public static final String TERMINAL_COMPLETED = "orchestration_terminal_completed";

  /** An activity or child that was open when its execution failed. */
  public static final String TERMINAL_FAILED = "orchestration_terminal_failed";

  /** An activity or child that was open when its execution was cancelled. */
  public static final String TERMINAL_CANCELLED = "orchestration_terminal_cancelled";

  /** An activity or child that was open when its execution continued as new. */
  public static final String TERMINAL_CONTINUED = "orchestration_terminal_continued_as_new";

  /** Sent to a child whose parent gave up its future. */
  public static final String PARENT_DROPPED = "parent dropped sub-orchestration future";

  /** Sent to the children of an execution that failed. */
  public static final String PARENT_FAILED = "parent failed";

  /** Sent to the children of an execution that completed. */
  public static final String PARENT_COMPLETED = "parent completed";

  /** Sent to the children of an execution that was cancelled. */
  public static final String PARENT_CANCELED = "parent canceled";

  /** Sent to the children of an execution that continued as new. */
  public static final String PARENT_CONTINUED = "parent continued as new";

  private Reasons() {}
}
