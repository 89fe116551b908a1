package io.duroxide.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/**
 * What the SQLite provider costs by itself, durable, against a bare loop that writes the same rows
 * in groups of the same size, and against the disk's own fsync. Prints one table.
 */
public final class StorageFigures {
  private static final int[] CALLERS = {1, 8, 64};
  private static final Duration WARM_UP = Duration.ofSeconds(10);
  private static final Duration ROUND = Duration.ofSeconds(2);
  private static final int ROUNDS = 7;
  private static final int FSYNCS = 1_000;

  private StorageFigures() {}

  public static void main(String[] arguments) throws Exception {
    try (TemporaryFolder temporary = TemporaryFolder.create("duroxide-storage")) {
      Path folder = temporary.path();
      System.out.printf(
          "%8s %14s %14s %8s %12s %14s %16s%n",
          "callers", "turns/s", "bare turns/s", "ratio", "fsync µs", "commit/fsync", "bytes/turn");
      for (int callers : CALLERS) {
        report(folder, callers);
      }
    }
  }

  /** One round of it and of what it is compared with. */
  private record Round(Rate contract, Rate bare, double fsync) {
    double share() {
      return contract.turnsPerSecond() / bare.turnsPerSecond();
    }

    double commits() {
      return contract.commitMicros() / fsync;
    }
  }

  /** They run in turn, so that the machine is the same to all; medians are printed. */
  private static void report(Path folder, int callers) throws Exception {
    List<Round> rounds = new ArrayList<>();
    try (ProviderTurns contract =
            new ProviderTurns(folder.resolve("provider-" + callers), callers);
        BareTurns bare = new BareTurns(folder.resolve("bare-" + callers), callers)) {
      contract.run(WARM_UP);
      bare.run(WARM_UP);
      for (int i = 0; i < ROUNDS; i++) {
        rounds.add(new Round(contract.run(ROUND), bare.run(ROUND), fsyncMicros(folder)));
      }
    }
    System.out.printf(
        Locale.ROOT,
        "%8d %,14.0f %,14.0f %8.2f %12.0f %14s %,16.0f%n",
        callers,
        median(rounds, round -> round.contract().turnsPerSecond()),
        median(rounds, round -> round.bare().turnsPerSecond()),
        median(rounds, Round::share),
        median(rounds, Round::fsync),
        callers == 1 ? String.format(Locale.ROOT, "%.2f", median(rounds, Round::commits)) : "",
        median(rounds, round -> round.contract().bytesPerTurn()));
  }

  private static double median(List<Round> rounds, ToDoubleFunction<Round> figure) {
    double[] figures = rounds.stream().mapToDouble(figure).sorted().toArray();
    return figures[figures.length / 2];
  }

  /** Appending a page and forcing it out. */
  private static double fsyncMicros(Path folder) throws IOException {
    try (FileChannel file =
        FileChannel.open(
            folder.resolve("fsync"), StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      ByteBuffer page = ByteBuffer.allocateDirect(4096);
      long began = System.nanoTime();
      for (int i = 0; i < FSYNCS; i++) {
        page.clear();
        file.write(page);
        file.force(false);
      }
      return (System.nanoTime() - began) / 1e3 / FSYNCS;
    }
  }
}
