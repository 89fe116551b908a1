package io.duroxide.replay;

import io.duroxide.model.ExecutionKey;

/** Generated ids of children: unique over the life of the parent, the same on every replay. */
public final class ChildIds {
  private static final String PREFIX = "sub::";
  private static final String MARKER = "::sub::";

  private ChildIds() {}

  /** What history stores for a child without an explicit id. */
  static String suffix(ExecutionKey parent, long scheduleId) {
    return parent.executionId() == ExecutionKey.FIRST
        ? PREFIX + scheduleId
        : PREFIX + parent.executionId() + "_" + scheduleId;
  }

  /** The instance id that {@code recorded}, a suffix or an explicit id, stands for. */
  public static String full(ExecutionKey parent, String recorded) {
    return recorded.startsWith(PREFIX) ? parent.instance() + "::" + recorded : recorded;
  }

  /** Whether an explicit id could be taken for a generated one. */
  static boolean isReserved(String instanceId) {
    return instanceId.startsWith(PREFIX) || instanceId.contains(MARKER);
  }
}
