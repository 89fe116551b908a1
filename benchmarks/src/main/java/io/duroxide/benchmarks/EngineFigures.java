package io.duroxide.benchmarks;

import java.util.Collection;
import java.util.Locale;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.openjdk.jmh.util.Statistics;

/** Runs the engine's benchmarks and prints their figures as one table. */
public final class EngineFigures {
  private EngineFigures() {}

  public static void main(String[] arguments) throws RunnerException, InterruptedException {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include(EngineBenchmark.class.getName())
                    .verbosity(VerboseMode.SILENT)
                    .build())
            .run();
    long helloBytes = ParkedMemory.hello();
    System.out.printf("%-34s %10s %14s %14s%n", "what", "events", "median", "best");
    for (RunResult result : results) {
      Statistics micros = result.getPrimaryResult().getStatistics();
      boolean replay = result.getParams().getBenchmark().endsWith("replay");
      System.out.printf(
          Locale.ROOT,
          "%-34s %,10d %14s %14s%n",
          replay ? "cold replay, events/s" : "turn of a parked execution, µs",
          Integer.parseInt(result.getParams().getParam("events")),
          figure(replay, micros.getPercentile(50)),
          figure(replay, micros.getMin()));
    }
    System.out.printf(
        Locale.ROOT, "%-34s %10s %,14d%n", "parked hello, bytes of heap", "", helloBytes);
  }

  private static String figure(boolean perSecond, double micros) {
    return perSecond
        ? String.format(Locale.ROOT, "%,.0f", 1_000_000 / micros)
        : String.format(Locale.ROOT, "%.1f", micros);
  }
}
