package io.duroxide.benchmarks.nodes;

import com.sun.management.OperatingSystemMXBean;
import io.duroxide.benchmarks.Heap;
import io.duroxide.benchmarks.TemporaryFolder;
import java.io.PrintStream;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.LongSupplier;

/**
 * What a node on SQLite costs while it has nothing to do, and while very many instances wait.
 *
 * <p>The argument is a part of the names to run, such as {@code idle}; without one everything runs.
 * {@code -Dwaiting} says how many wait at most.
 */
public final class NodeFigures {
  private static final Duration IDLE = Duration.ofSeconds(30);
  private static final int PARKED = 10_000;
  private static final int WAITING = Integer.getInteger("waiting", 1_000_000);
  private static final int SAMPLES = 500;
  private static final double MEGABYTE = 1 << 20;

  private final PrintStream out;
  private final Path folder;

  private NodeFigures(PrintStream out, Path folder) {
    this.out = out;
    this.folder = folder;
  }

  public static void main(String[] arguments) throws Exception {
    String wanted = arguments.length == 0 ? "" : arguments[0];
    try (TemporaryFolder folder = TemporaryFolder.create("duroxide-nodes")) {
      NodeFigures figures = new NodeFigures(System.out, folder.path());
      if ("idle".contains(wanted)) {
        figures.idle();
      }
      if ("parked".contains(wanted)) {
        figures.parked(Node.Kind.SLEEPER);
        figures.parked(Node.Kind.LISTENER);
      }
      if ("waiting".contains(wanted)) {
        figures.waiting();
      }
    }
  }

  private void idle() throws InterruptedException {
    Statements statements = new Statements();
    try (Node node = new Node(folder.resolve("idle.db"))) {
      pickUp(node, "warm");
      Thread.sleep(IDLE.dividedBy(3));
      long cpu = cpuNanos();
      long before = statements.count();
      Thread.sleep(IDLE);
      print("idle: percent of a core", 100.0 * (cpuNanos() - cpu) / IDLE.toNanos());
      print(
          "idle: SQL statements a second",
          (double) (statements.count() - before) / IDLE.toSeconds());
      latency("idle: a start until its code runs", pickUp(node, "measured"));
    }
  }

  private static long[] pickUp(Node node, String prefix) {
    int[] number = {0};
    return samples(() -> node.runHello(prefix + "-" + number[0]++));
  }

  private static long[] samples(LongSupplier measured) {
    long[] nanos = new long[SAMPLES];
    Arrays.setAll(nanos, any -> measured.getAsLong());
    Arrays.sort(nanos);
    return nanos;
  }

  private void parked(Node.Kind kind) throws InterruptedException {
    try (Node node = new Node(folder.resolve("parked-" + kind))) {
      pickUp(node, "warm");
      long before = Heap.used();
      node.startWaiting(kind, PARKED);
      print(
          "parked: megabytes of heap for %,d x %s".formatted(PARKED, kind),
          (Heap.used() - before) / MEGABYTE);
    }
  }

  private void waiting() throws InterruptedException {
    Path file = folder.resolve("waiting.db");
    long[] empty;
    long began = System.nanoTime();
    try (Node node = new Node(file)) {
      pickUp(node, "warm");
      empty = pickUp(node, "empty");
      node.startWaiting(Node.Kind.SLEEPER, WAITING / 2);
      node.startWaiting(Node.Kind.LISTENER, WAITING / 2);
    }
    print("waiting: seconds to start %,d".formatted(WAITING), since(began));
    began = System.nanoTime();
    try (Node node = new Node(file)) {
      node.runHello("first");
      print("waiting: seconds from opening to the first end", since(began));
      latency("waiting: a start until its code runs, empty store", empty);
      latency("waiting: the same beside those that wait", pickUp(node, "beside"));
      int[] next = {0};
      int apart = WAITING / 2 / SAMPLES;
      latency(
          "waiting: an event until its instance has ended",
          samples(() -> node.wake(apart * next[0]++)));
    }
  }

  private static double since(long began) {
    return (System.nanoTime() - began) / 1e9;
  }

  private static long cpuNanos() {
    return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean())
        .getProcessCpuTime();
  }

  private void latency(String what, long[] sorted) {
    print(what + ", ms, p50", sorted[sorted.length / 2] / 1e6);
    print(what + ", ms, p99", sorted[sorted.length * 99 / 100] / 1e6);
  }

  private void print(String what, double value) {
    out.printf(Locale.ROOT, "%-64s %8.2f%n", what, value);
  }
}
