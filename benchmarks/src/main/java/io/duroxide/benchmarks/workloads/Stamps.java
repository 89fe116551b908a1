package io.duroxide.benchmarks.workloads;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/** When each step of a long orchestration ran. Thread-safe. */
final class Stamps {
  private static final long[] NANOS = new long[1 << 20];
  private static final double[] CPU_SECONDS = new double[1 << 20];
  private static final AtomicInteger COUNT = new AtomicInteger();

  private Stamps() {}

  static void note() {
    int place = COUNT.getAndIncrement() & (NANOS.length - 1);
    NANOS[place] = System.nanoTime();
    CPU_SECONDS[place] = Cost.cpuSecondsOfThisProcess();
  }

  static void clear() {
    COUNT.set(0);
  }

  /** How long a step from one to another took, in seconds, the median of them. */
  static double medianSeconds(int from, int to) {
    long[] steps = new long[to - from - 1];
    for (int i = 0; i < steps.length; i++) {
      steps[i] = NANOS[from + i + 1] - NANOS[from + i];
    }
    Arrays.sort(steps);
    return steps[steps.length / 2] / 1e9;
  }

  /** The processor time of a step from one to another, in seconds, their mean. */
  static double cpuSeconds(int from, int to) {
    return (CPU_SECONDS[to - 1] - CPU_SECONDS[from]) / (to - 1 - from);
  }

  /** What one of the last {@code edge} of so many steps took, as a multiple of one of the first. */
  static double slowdown(int steps, int edge) {
    return medianSeconds(steps - edge, steps) / medianSeconds(0, edge);
  }
}
