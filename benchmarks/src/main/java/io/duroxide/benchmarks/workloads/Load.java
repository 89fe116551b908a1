package io.duroxide.benchmarks.workloads;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Many orchestrations of one shape, some at a time.
 *
 * @param count how many in all
 * @param inFlight how many at a time
 */
record Load(Shape shape, int count, int inFlight) {

  /** Runs them all and measures. */
  Result on(Subject subject, String prefix) throws InterruptedException {
    long[] latencies = new long[count];
    AtomicInteger next = new AtomicInteger();
    Cost before = subject.cost();
    long began = System.nanoTime();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < inFlight; i++) {
      callers.add(
          Thread.ofVirtual()
              .start(() -> {
                for (int n = next.getAndIncrement(); n < count; n = next.getAndIncrement()) {
                  long start = System.nanoTime();
                  subject.run(shape, prefix + "-" + n);
                  latencies[n] = System.nanoTime() - start;
                }
              }));
    }
    for (Thread caller : callers) {
      caller.join();
    }
    double seconds = (System.nanoTime() - began) / 1e9;
    Arrays.sort(latencies);
    if (latencies[0] == 0) {
      throw new IllegalStateException(subject.name() + ": an orchestration did not end");
    }
    return new Result(
        this, seconds, Arrays.stream(latencies).boxed().toList(), subject.cost().since(before));
  }

  /** Runs them all again and again until the time is over: the compiler then has little to do. */
  void repeat(Subject subject, String prefix, Duration time) throws InterruptedException {
    long end = System.nanoTime() + time.toNanos();
    for (int i = 0; System.nanoTime() < end; i++) {
      on(subject, prefix + "-" + i);
    }
  }

  /** What came of it. */
  record Result(Load load, double seconds, List<Long> sortedLatencies, Cost cost) {
    double orchestrationsPerSecond() {
      return load.count() / seconds;
    }

    double stepsPerSecond() {
      return orchestrationsPerSecond() * load.shape().steps();
    }

    double percentileMillis(double percent) {
      int at = (int) Math.ceil(percent / 100 * sortedLatencies.size()) - 1;
      return sortedLatencies.get(Math.max(0, at)) / 1e6;
    }

    private double steps() {
      return (double) load.count() * load.shape().steps();
    }

    double cpuSecondsPerThousandSteps() {
      return cost.cpuSeconds() / steps() * 1000;
    }

    double bytesPerStep() {
      return cost.bytesWritten() / steps();
    }
  }
}
