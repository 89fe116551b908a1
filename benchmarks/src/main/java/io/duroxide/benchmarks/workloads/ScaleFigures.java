package io.duroxide.benchmarks.workloads;

import io.duroxide.benchmarks.TemporaryFolder;
import io.duroxide.runtime.RuntimeOptions;
import java.io.IOException;
import java.io.PrintStream;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * What a step costs while one thing grows and the rest stays: history, instances in the store,
 * instances at a time, payload, nodes. Prints one line for each point of a curve.
 *
 * <p>The argument is a part of the names to run, such as {@code payload}; without one everything
 * runs.
 */
public final class ScaleFigures {
  private static final RuntimeOptions OPTIONS = RuntimeOptions.defaults();
  private static final Duration WARM_UP = Duration.ofSeconds(15);
  private static final int CHAIN = 20;
  private static final int CHAINS = 200;
  private static final int MAKERS = 256;

  private final PrintStream out;
  private final String wanted;
  private final Subjects subjects;

  private ScaleFigures(PrintStream out, String wanted, Subjects subjects) {
    this.out = out;
    this.wanted = wanted;
    this.subjects = subjects;
  }

  public static void main(String[] arguments) throws Exception {
    String wanted = arguments.length == 0 ? "" : arguments[0];
    try (TemporaryFolder folder = TemporaryFolder.create("duroxide-scale");
        Subjects subjects = new Subjects(folder.path())) {
      new ScaleFigures(System.out, wanted, subjects).run();
    }
  }

  private void run() throws IOException, InterruptedException {
    out.printf("%-20s %10s %10s %12s %11s%n", "", "", "steps/s", "cpu s/1000", "bytes/step");
    if ("history".contains(wanted)) {
      history();
    }
    if ("instances".contains(wanted)) {
      instances();
    }
    if ("at a time".contains(wanted)) {
      atATime();
    }
    if ("payload".contains(wanted)) {
      payload();
    }
    if ("nodes".contains(wanted)) {
      nodes();
    }
  }

  private void history() throws IOException, InterruptedException {
    try (Subject sqlite = warm()) {
      for (int steps : new int[] {200, 2_000, 20_000}) {
        Load one = new Load(Shape.chain(steps), 1, 1);
        print("history", steps, one.on(sqlite, "chain-" + steps));
      }
    }
  }

  private void instances() throws IOException, InterruptedException {
    try (Subject sqlite = warm()) {
      int there = 0;
      for (int wantedCount : new int[] {10_000, 50_000, 200_000}) {
        new Load(Shape.chain(1), wantedCount - there, MAKERS).on(sqlite, "made-" + wantedCount);
        there = wantedCount;
        print("instances", there, chains().on(sqlite, "among-" + there));
      }
    }
  }

  private void atATime() throws IOException, InterruptedException {
    try (Subject sqlite = warm()) {
      for (int inFlight : new int[] {1, 10, 100, 1_000}) {
        Load load = new Load(Shape.chain(CHAIN), Math.max(50, 2 * inFlight), inFlight);
        print("at a time", inFlight, load.on(sqlite, "beside-" + inFlight));
      }
    }
  }

  private void payload() throws IOException, InterruptedException {
    try (Subject sqlite = warm()) {
      for (int characters : new int[] {10, 1_000, 10_000, 100_000}) {
        Load load = new Load(new Shape(CHAIN, false, characters), 40, 40);
        print("payload", characters, load.on(sqlite, "sized-" + characters));
      }
    }
  }

  private void nodes() throws IOException, InterruptedException {
    for (int count : new int[] {1, 2, 4}) {
      List<Subject> nodes = subjects.openNodes(count, OPTIONS);
      try {
        chains().repeat(nodes.getFirst(), "warm", WARM_UP);
        print("nodes", count, chains().on(nodes.getFirst(), "shared"));
      } finally {
        nodes.forEach(Subject::close);
      }
    }
  }

  private static Load chains() {
    return new Load(Shape.chain(CHAIN), CHAINS, CHAINS);
  }

  private Subject warm() throws IOException, InterruptedException {
    Subject sqlite = subjects.open("sqlite", OPTIONS);
    chains().repeat(sqlite, "warm", WARM_UP);
    return sqlite;
  }

  private void print(String curve, int point, Load.Result result) {
    out.printf(
        Locale.ROOT,
        "%-20s %,10d %,10.0f %12.3f %,11.0f%n",
        curve,
        point,
        result.stepsPerSecond(),
        result.cpuSecondsPerThousandSteps(),
        result.bytesPerStep());
  }
}
