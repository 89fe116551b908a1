package io.duroxide.benchmarks.workloads;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;

/**
 * Compares this build with an earlier one: each workload runs in two processes, one with the
 * classes of each, which take turns round by round, so that the machine is the same to both.
 *
 * <p>The argument is the folder of the earlier build, compiled, and optionally parts of what to run
 * such as {@code W4} or {@code W1 sqlite}, with commas between them.
 */
public final class BuildComparison {
  private static final int ROUNDS = 41;
  private static final List<String> STORES = List.of("sqlite", "postgres");
  private static final List<String> WORKLOADS = List.of("W1", "W2", "W3", "W4", "W5");
  private static final List<String> MODULES =
      List.of("core", "provider-sqlite", "provider-postgres");

  private BuildComparison() {}

  /** One of the two builds at work. */
  private static final class Side implements AutoCloseable {
    private final Process process;
    private final PrintStream commands;
    private final BufferedReader answers;
    private final List<Round> rounds = new ArrayList<>();

    Side(String classPath, String workload, String store) throws IOException {
      process =
          new ProcessBuilder(
                  Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                  "--enable-native-access=ALL-UNNAMED",
                  "-cp",
                  classPath,
                  RoundWorker.class.getName(),
                  workload,
                  store)
              .redirectError(ProcessBuilder.Redirect.INHERIT)
              .start();
      commands = new PrintStream(process.getOutputStream(), true, StandardCharsets.UTF_8);
      answers = process.inputReader(StandardCharsets.UTF_8);
    }

    /** Lines of a logger come between; answers are numbers. */
    String answer() throws IOException {
      for (String line = answers.readLine(); line != null; line = answers.readLine()) {
        if (line.equals("warm") || line.matches("[0-9. ]+")) {
          return line;
        }
      }
      throw new IOException("a build ended before its time");
    }

    void round() throws IOException {
      commands.println("go");
      double[] figures =
          Arrays.stream(answer().split(" ", -1)).mapToDouble(Double::parseDouble).toArray();
      rounds.add(new Round(figures[0], figures[1], figures[2]));
    }

    double median(ToDoubleFunction<Round> figure) {
      return rounds.stream().mapToDouble(figure).sorted().toArray()[rounds.size() / 2];
    }

    @Override
    public void close() {
      commands.close();
      try {
        process.waitFor();
      } catch (InterruptedException e) {
        process.destroyForcibly();
        Thread.currentThread().interrupt();
      }
    }
  }

  private record Round(double rate, double p50, double p99) {}

  public static void main(String[] arguments) throws IOException {
    List<String> given = List.of(arguments[0].split(",", -1));
    List<String> wanted = given.size() == 1 ? List.of("") : given.subList(1, given.size());
    String here = System.getProperty("java.class.path");
    String earlier = classesOf(Path.of(given.getFirst())) + File.pathSeparator + here;
    PrintStream out = System.out;
    out.printf("%-12s %12s %12s %8s %8s %8s%n", "", "earlier/s", "now/s", "rate", "p50", "p99");
    for (String store : STORES) {
      for (String workload : WORKLOADS) {
        if (wanted.stream().anyMatch((workload + " " + store)::contains)) {
          compare(out, workload, store, List.of(earlier, here));
        }
      }
    }
  }

  private static String classesOf(Path build) {
    return MODULES.stream()
        .map(module -> build.resolve(module).resolve("target/classes").toString())
        .collect(Collectors.joining(File.pathSeparator));
  }

  private static void compare(PrintStream out, String workload, String store, List<String> paths)
      throws IOException {
    try (Side earlier = new Side(paths.getFirst(), workload, store)) {
      earlier.answer();
      try (Side now = new Side(paths.getLast(), workload, store)) {
        now.answer();
        for (int round = 0; round < ROUNDS; round++) {
          for (Side side : inTurn(round, earlier, now)) {
            side.round();
          }
        }
        out.printf(
            Locale.ROOT,
            "%-12s %,12.0f %,12.0f %8.2f %8.2f %8.2f%n",
            workload + " " + store,
            earlier.median(Round::rate),
            now.median(Round::rate),
            now.median(Round::rate) / earlier.median(Round::rate),
            now.median(Round::p50) / earlier.median(Round::p50),
            now.median(Round::p99) / earlier.median(Round::p99));
      }
    }
  }

  /** The second one finds the machine warm, so they change places. */
  private static List<Side> inTurn(int round, Side earlier, Side now) {
    return round % 2 == 0 ? List.of(earlier, now) : List.of(now, earlier);
  }
}
