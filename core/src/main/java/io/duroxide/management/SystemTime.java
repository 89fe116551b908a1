package io.duroxide.management;

/** The steady clock; the only place of management that takes the time. */
final class SystemTime {
  private SystemTime() {}

  static long nanoTime() {
    return System.nanoTime();
  }
}
