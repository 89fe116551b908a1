package io.duroxide.management;

/** Whether an operation may reach what still runs. */
public enum Force {
  /** What has not finished is refused. */
  NO,
  /** Stored state is removed at once; running code notices when it next reports to the store. */
  YES
}
