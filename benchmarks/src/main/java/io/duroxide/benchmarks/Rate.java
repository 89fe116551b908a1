package io.duroxide.benchmarks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * How fast something went.
 *
 * @param bytesPerTurn bytes handed to the operating system by this process for each turn
 * @param commitMicros how long the commit of a turn took
 */
record Rate(double turnsPerSecond, double bytesPerTurn, double commitMicros) {

  /** A run being measured. */
  static final class Meter {
    private final long began = System.nanoTime();
    private final long written = bytesWritten();

    Rate rate(long turns, long commitNanos) {
      double seconds = (System.nanoTime() - began) / 1e9;
      return new Rate(
          turns / seconds, (double) (bytesWritten() - written) / turns, commitNanos / 1e3 / turns);
    }
  }

  /** Linux counts what a process writes; elsewhere there is no figure. */
  private static long bytesWritten() {
    try {
      return Files.readAllLines(Path.of("/proc/self/io")).stream()
          .filter(line -> line.startsWith("wchar:"))
          .mapToLong(line -> Long.parseLong(line.substring(7).trim()))
          .findFirst()
          .orElse(0);
    } catch (IOException e) {
      return 0;
    }
  }
}
