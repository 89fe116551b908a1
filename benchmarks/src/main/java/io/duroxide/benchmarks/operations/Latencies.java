package io.duroxide.benchmarks.operations;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;

/** Durations, by their rank; the newest million of them. Thread-safe. */
final class Latencies {
  private final long[] nanos = new long[1 << 20];
  private final AtomicInteger count = new AtomicInteger();

  void add(long duration) {
    nanos[count.getAndIncrement() & (nanos.length - 1)] = duration;
  }

  void clear() {
    count.set(0);
  }

  int count() {
    return Math.min(count.get(), nanos.length);
  }

  double percentileMillis(double percent) {
    long[] sorted = Arrays.copyOf(nanos, count());
    Arrays.sort(sorted);
    int at = (int) Math.ceil(percent / 100 * sorted.length) - 1;
    return sorted.length == 0 ? Double.NaN : sorted[Math.max(0, at)] / 1e6;
  }
}
