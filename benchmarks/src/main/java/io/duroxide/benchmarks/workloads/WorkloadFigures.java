package io.duroxide.benchmarks.workloads;

import io.duroxide.benchmarks.TemporaryFolder;
import io.duroxide.runtime.RuntimeOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Runs the standard workloads and prints one table; writes a chart of steps per second to {@code
 * target/workloads.svg}.
 *
 * <p>The argument is a part of the names to run, such as {@code W2} or {@code sqlite}, or several
 * with commas between them; without one everything runs.
 */
public final class WorkloadFigures {
  private static final Duration WARM_UP = Duration.ofSeconds(10);

  /** What has no disk keeps everything in the heap, and would fill it. */
  private static final Duration SHORT_WARM_UP = Duration.ofSeconds(4);

  private static final Load HELLO = new Load(Shape.chain(1), 2000, 64);
  private static final int ROUNDS = 5;
  private static final Duration MEASURED = Duration.ofSeconds(10);
  private static final Duration RAW = Duration.ofSeconds(5);
  private static final int RAW_GROUP = 32;
  private static final int EDGE = 500;
  private static final RuntimeOptions OPTIONS = RuntimeOptions.defaults();

  private final PrintStream out;
  private final List<String> wanted;
  private final Subjects subjects;
  private final List<Chart.Bar> bars = new ArrayList<>();

  private WorkloadFigures(PrintStream out, List<String> wanted, Path folder) {
    this.out = out;
    this.wanted = wanted;
    this.subjects = new Subjects(folder);
  }

  public static void main(String[] arguments) throws Exception {
    List<String> wanted = List.of((arguments.length == 0 ? "" : arguments[0]).split(",", -1));
    try (TemporaryFolder folder = TemporaryFolder.create("duroxide-workloads")) {
      WorkloadFigures figures = new WorkloadFigures(System.out, wanted, folder.path());
      figures.run(folder.path());
      figures.subjects.close();
    }
  }

  private void run(Path folder) throws Exception {
    out.printf(
        "%-16s %10s %10s %9s %9s %12s %11s %8s%n",
        "", "orch/s", "steps/s", "p50 ms", "p99 ms", "cpu s/1000", "bytes/step", "heap MB");
    for (List<String> on : Subjects.ALL) {
      measure("W1 hello", on, HELLO);
      measure("W2 chain", on, new Load(Shape.chain(20), 200, 200));
      measure("W3 fan-out", on, new Load(Shape.fanOut(100), 20, 20));
      measureLong(on, 2_000);
      measureLong(on, 20_000);
      measure("W5 idle", on, new Load(Shape.chain(1), 300, 1));
      measureStress(on, 1);
      measureStress(on, 2);
      measure("W8 payload", on, new Load(new Shape(20, false, 50_000), 40, 5));
    }
    raw(folder);
    Files.createDirectories(Path.of("target"));
    Files.writeString(Path.of("target/workloads.svg"), Chart.of("steps per second", bars));
  }

  private boolean isWanted(String workload, String on) {
    return wanted.stream().anyMatch((workload + " " + on)::contains);
  }

  /** Opens what is wanted of these. */
  private List<Subject> open(String workload, List<String> on, RuntimeOptions options)
      throws IOException {
    List<Subject> opened = new ArrayList<>();
    for (String name : on) {
      if (isWanted(workload, name)) {
        opened.add(subjects.open(name, options));
      }
    }
    return opened;
  }

  private void measure(String workload, List<String> on, Load load)
      throws IOException, InterruptedException {
    List<Subject> opened = open(workload, on, OPTIONS);
    try {
      for (Subject subject : opened) {
        warmUp(subject, load);
      }
      report(workload, inTurn(opened, load, any -> {}));
    } finally {
      opened.forEach(Subject::close);
    }
  }

  /**
   * Rounds of each, one after the other, for as long as it takes; the medians.
   *
   * @param afterRound called when a subject has ended a round
   */
  private static Map<String, Load.Result> inTurn(
      List<Subject> opened, Load load, Consumer<Subject> afterRound) throws InterruptedException {
    Map<String, List<Load.Result>> rounds = new LinkedHashMap<>();
    boolean keepsAll = opened.stream().anyMatch(subject -> subject.name().equals(Subjects.MEMORY));
    long end = System.nanoTime() + (keepsAll ? 0 : MEASURED.toNanos() * opened.size());
    for (int i = 0; !opened.isEmpty() && (i < ROUNDS || System.nanoTime() < end); i++) {
      for (Subject subject : opened) {
        Stamps.clear();
        rounds
            .computeIfAbsent(subject.name(), any -> new ArrayList<>())
            .add(load.on(subject, "run-" + i));
        afterRound.accept(subject);
      }
    }
    Map<String, Load.Result> medians = new LinkedHashMap<>();
    rounds.forEach((name, results) -> medians.put(name, median(results)));
    return medians;
  }

  private void report(String workload, Map<String, Load.Result> results) {
    results.forEach((name, result) -> print(workload + " " + name, result));
    if (results.size() > 1) {
      List<Load.Result> both = List.copyOf(results.values());
      out.printf(
          Locale.ROOT,
          "%32s rate %.2f, latency %.2f times %s's%n",
          "",
          both.getFirst().stepsPerSecond() / both.getLast().stepsPerSecond(),
          both.getFirst().percentileMillis(50) / both.getLast().percentileMillis(50),
          Subjects.DBOS);
    }
  }

  /** What is measured is a node that has run a while. */
  private static void warmUp(Subject subject, Load load) throws InterruptedException {
    Duration time = subject.name().equals(Subjects.MEMORY) ? SHORT_WARM_UP : WARM_UP;
    HELLO.repeat(subject, "hello", time);
    load.repeat(subject, "warm", time);
  }

  private static Load.Result median(List<Load.Result> rounds) {
    return rounds.stream()
        .sorted(Comparator.comparingDouble(Load.Result::seconds))
        .toList()
        .get(rounds.size() / 2);
  }

  /** One orchestration of many steps; the last ones must not cost more than the first. */
  private void measureLong(List<String> on, int steps) throws IOException, InterruptedException {
    String workload = "W4 long " + steps;
    List<Subject> opened = open(workload, on, OPTIONS);
    try {
      Load load = new Load(Shape.chain(steps), 1, 1);
      for (Subject subject : opened) {
        warmUp(subject, load);
      }
      Map<String, List<Double>> slowdowns = new LinkedHashMap<>();
      report(
          workload,
          inTurn(
              opened,
              load,
              subject ->
                  slowdowns
                      .computeIfAbsent(subject.name(), any -> new ArrayList<>())
                      .add(Stamps.slowdown(steps, EDGE))));
      slowdowns.forEach((name, each) ->
          out.printf(
              Locale.ROOT,
              "%32s %s: one of the last %d steps / one of the first: %.2f%n",
              "",
              name,
              EDGE,
              each.stream().sorted().toList().get(each.size() / 2)));
    } finally {
      opened.forEach(Subject::close);
    }
  }

  /** The shape of the reference's own stress test: 5 activities of 10 ms, 20 at a time. */
  private void measureStress(List<String> on, int concurrency)
      throws IOException, InterruptedException {
    RuntimeOptions options =
        RuntimeOptions.builder()
            .orchestrationConcurrency(concurrency)
            .workerConcurrency(concurrency)
            .build();
    String workload = "W6 stress " + concurrency + "/" + concurrency;
    for (Subject subject : open(workload, on, options)) {
      try (subject) {
        Load load = new Load(Shape.fanOut(5).withDelay(Duration.ofMillis(10)), 100, 20);
        print(workload + " " + subject.name(), load.on(subject, "run"));
      }
    }
  }

  private void raw(Path folder) throws Exception {
    if (!isWanted("raw", "sqlite")) {
      return;
    }
    try (RawSteps steps = new RawSteps(folder.resolve("raw.db"), RAW_GROUP)) {
      steps.run(RAW);
      double rate = steps.run(RAW);
      out.printf(Locale.ROOT, "%-16s %10s %,10.0f%n", "raw sqlite", "", rate);
      bars.add(new Chart.Bar("raw sqlite", rate));
    }
  }

  private void print(String name, Load.Result result) {
    out.printf(
        Locale.ROOT,
        "%-16s %,10.0f %,10.0f %9.2f %9.2f %12.3f %,11.0f %8d%n",
        name,
        result.orchestrationsPerSecond(),
        result.stepsPerSecond(),
        result.percentileMillis(50),
        result.percentileMillis(99),
        result.cpuSecondsPerThousandSteps(),
        result.bytesPerStep(),
        heapMegabytes());
    bars.add(new Chart.Bar(name, result.stepsPerSecond()));
  }

  private static long heapMegabytes() {
    Runtime runtime = Runtime.getRuntime();
    return (runtime.totalMemory() - runtime.freeMemory()) >> 20;
  }
}
