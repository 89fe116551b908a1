package io.duroxide.benchmarks.workloads;

import io.duroxide.benchmarks.TemporaryFolder;
import io.duroxide.runtime.RuntimeOptions;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Locale;

/**
 * A process that runs rounds of one workload on one store when it is told to, so that builds which
 * share no process can take turns. Each line of input is a round; each line of output is its rate
 * in steps a second, its median latency and its 99th percentile in milliseconds.
 */
final class RoundWorker {
  private static final Duration WARM_UP = Duration.ofSeconds(8);

  private RoundWorker() {}

  public static void main(String[] arguments) throws IOException, InterruptedException {
    Load load = load(arguments[0]);
    PrintStream answers = System.out;
    try (TemporaryFolder folder = TemporaryFolder.create("duroxide-rounds");
        Subjects subjects = new Subjects(folder.path());
        Subject subject = subjects.open(arguments[1], RuntimeOptions.defaults());
        BufferedReader rounds =
            new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      load.repeat(subject, "warm", WARM_UP);
      answers.println("warm");
      int round = 0;
      while (rounds.readLine() != null) {
        Load.Result result = load.on(subject, "round-" + round++);
        answers.printf(
            Locale.ROOT,
            "%f %f %f%n",
            result.stepsPerSecond(),
            result.percentileMillis(50),
            result.percentileMillis(99));
      }
    }
  }

  private static Load load(String workload) {
    return switch (workload) {
      case "W1" -> new Load(Shape.chain(1), 4000, 64);
      case "W2" -> new Load(Shape.chain(20), 400, 200);
      case "W3" -> new Load(Shape.fanOut(100), 40, 20);
      case "W4" -> new Load(Shape.chain(2_000), 1, 1);
      case "W5" -> new Load(Shape.chain(1), 600, 1);
      default -> throw new IllegalArgumentException("no such workload: " + workload);
    };
  }
}
