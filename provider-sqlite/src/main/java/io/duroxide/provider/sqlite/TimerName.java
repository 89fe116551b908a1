package io.duroxide.provider.sqlite;

/** How a timer is named in its row: by the execution that set it and its event. */
final class TimerName {
  private static final char SEPARATOR = '/';

  private TimerName() {}

  static String of(long execution, long event) {
    return from(execution) + event;
  }

  /** No name of a timer of an execution is smaller. */
  static String from(long execution) {
    return Long.toString(execution) + SEPARATOR;
  }

  /** All names of timers of an execution are smaller. */
  static String to(long execution) {
    return Long.toString(execution) + (char) (SEPARATOR + 1);
  }
}
