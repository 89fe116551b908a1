package io.duroxide.benchmarks.operations;

import static io.duroxide.api.ContinueOptions.prune;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.benchmarks.TemporaryFolder;
import io.duroxide.client.Client;
import io.duroxide.management.Management;
import io.duroxide.model.Retention;
import io.duroxide.provider.InstanceQuery;
import io.duroxide.provider.SystemMetrics;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import io.duroxide.telemetry.ExecutionEvent;
import io.duroxide.telemetry.TelemetryEvent;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * One orchestration that continues as new over and over and keeps its last execution: what it holds
 * in the store and how long its turns take, at intervals. Prints one table.
 */
public final class EternalFigures {
  private static final int EXECUTIONS = 100_000;
  private static final int STRETCHES = 10;
  private static final String ID = "eternal";
  private static final Activity<Integer, Integer> WORK =
      Activity.of("Work", Integer.class, Integer.class);
  private static final Orchestration<Integer, Integer> ETERNAL =
      Orchestration.of("Eternal", Integer.class, Integer.class);

  private final Latencies turns = new Latencies();

  private final int executions;

  private EternalFigures(int executions) {
    this.executions = executions;
  }

  public static void main(String[] arguments) throws Exception {
    try (TemporaryFolder folder = TemporaryFolder.create("duroxide-eternal")) {
      new EternalFigures(Scale.of(arguments, EXECUTIONS)).run(folder.path());
    }
  }

  private Integer loop(OrchestrationContext ctx, int round) {
    ctx.call(WORK, round).await();
    return round < executions ? ctx.continueAsNew(round + 1, prune(Retention.keepLast(1))) : round;
  }

  private void run(Path folder) throws Exception {
    try (SqliteProvider store = SqliteProvider.open(folder.resolve("store.db"));
        DuroxideRuntime runtime =
            DuroxideRuntime.builder(store)
                .options(RuntimeOptions.builder().telemetry(this::hear).build())
                .activity(WORK, (ctx, n) -> n)
                .orchestration(ETERNAL, this::loop)
                .start()) {
      System.out.printf(
          "%10s %12s %10s %8s %12s %12s %12s%n",
          "execution", "executions", "events", "KiB", "turn, p50", "turn, p99", "s");
      Client.of(store).start(ETERNAL, ID, 1);
      Management management = Management.of(store);
      long began = System.nanoTime();
      for (int stretch = 1; stretch <= STRETCHES; stretch++) {
        awaitExecution(management, (long) executions * stretch / STRETCHES);
        report(management, folder, (System.nanoTime() - began) / 1e9);
        turns.clear();
        began = System.nanoTime();
      }
      if (!runtime.health().problems().isEmpty()) {
        System.out.println(runtime.health());
      }
    }
  }

  private void hear(TelemetryEvent event) {
    if (event instanceof ExecutionEvent.TurnFinished turn) {
      turns.add(turn.took().toNanos());
    }
  }

  private static void awaitExecution(Management management, long execution)
      throws InterruptedException {
    while (!reached(management, execution)) {
      Thread.sleep(10);
    }
  }

  private static boolean reached(Management management, long execution) {
    return management.list(InstanceQuery.firstPage(1)).rows().stream()
        .anyMatch(row -> row.current().executionId() >= execution);
  }

  private void report(Management management, Path folder, double seconds) throws IOException {
    SystemMetrics metrics = management.metrics();
    System.out.printf(
        Locale.ROOT,
        "%,10d %12d %10d %,8d %9.2f ms %9.2f ms %12.1f%n",
        management.instance(ID).current().executionId(),
        metrics.totalExecutions(),
        metrics.totalEvents(),
        bytes(folder) >> 10,
        turns.percentileMillis(50),
        turns.percentileMillis(99),
        seconds);
  }

  private static long bytes(Path folder) throws IOException {
    long sum = 0;
    try (Stream<Path> files = Files.list(folder)) {
      for (Path file : files.toList()) {
        sum += Files.size(file);
      }
    }
    return sum;
  }
}
