package io.duroxide.client;

/** The steady clock of waits; the only place of the client that takes the time. */
final class SystemTime {
  private SystemTime() {}

  static long nanoTime() {
    return System.nanoTime();
  }
}
