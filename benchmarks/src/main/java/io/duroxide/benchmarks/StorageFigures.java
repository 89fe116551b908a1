package io.duroxide.benchmarks;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.Locale;

/**
 * What the SQLite provider costs by itself, durable, against a bare loop that writes the same rows
 * in groups of the same size, and against the disk's own fsync. Prints one table.
 */
public final class StorageFigures {
  private static final int[] CALLERS = {1, 8, 64};
  private static final Duration WARM_UP = Duration.ofSeconds(10);
  private static final Duration MEASURED = Duration.ofSeconds(6);
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

  private static void report(Path folder, int callers) throws Exception {
    Rate contract;
    double before;
    double after;
    try (ProviderTurns turns = new ProviderTurns(folder.resolve("provider-" + callers), callers)) {
      turns.run(WARM_UP);
      before = fsyncMicros(folder);
      contract = turns.run(MEASURED);
      after = fsyncMicros(folder);
    }
    double fsync = (before + after) / 2;
    Rate bare;
    try (BareTurns turns = new BareTurns(folder.resolve("bare-" + callers), callers)) {
      turns.run(WARM_UP);
      bare = turns.run(MEASURED);
    }
    System.out.printf(
        Locale.ROOT,
        "%8d %,14.0f %,14.0f %8.2f %12.0f %14s %,16.0f%n",
        callers,
        contract.turnsPerSecond(),
        bare.turnsPerSecond(),
        contract.turnsPerSecond() / bare.turnsPerSecond(),
        fsync,
        callers == 1 ? String.format(Locale.ROOT, "%.2f", contract.commitMicros() / fsync) : "",
        contract.bytesPerTurn());
  }

  /** Appending a page and forcing it out, right before and after what it is compared with. */
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
