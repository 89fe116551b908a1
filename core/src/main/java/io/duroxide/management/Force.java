package io.duroxide.management;

/** Whether an operation may reach what still runs. */
public enum Force {
  /** What has not finished, or is in use, is refused. */
  NO,
  /** It is done all the same; running code notices when it next reports to the store. */
  YES
}
