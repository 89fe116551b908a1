package io.duroxide.replay;

/** The machine's time; the only place of this package that takes it. */
final class SystemTime {
  private SystemTime() {}

  /** For measuring durations. */
  static long nanoTime() {
    return System.nanoTime();
  }
}
