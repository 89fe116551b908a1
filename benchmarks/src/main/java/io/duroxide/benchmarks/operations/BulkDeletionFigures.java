package io.duroxide.benchmarks.operations;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.benchmarks.TemporaryFolder;
import io.duroxide.client.Client;
import io.duroxide.management.Management;
import io.duroxide.provider.BulkDeletion;
import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import io.duroxide.telemetry.ExecutionEvent;
import io.duroxide.telemetry.TelemetryEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Work that runs beside the deletion of many finished instances, and the same work alone, on one
 * durable SQLite store. Prints one table.
 */
public final class BulkDeletionFigures {
  private static final int INSTANCES = 100_000;
  private static final int CALLERS = 16;
  private static final Duration WARM_UP = Duration.ofSeconds(5);
  private static final Duration ALONE = Duration.ofSeconds(15);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Activity<String, String> STEP =
      Activity.of("Step", String.class, String.class);
  private static final Orchestration<String, String> WORK =
      Orchestration.of("Work", String.class, String.class);

  private final Latencies turns = new Latencies();
  private final Latencies instances = new Latencies();
  private final AtomicInteger ids = new AtomicInteger();

  private final int instancesDeleted;

  private BulkDeletionFigures(int instancesDeleted) {
    this.instancesDeleted = instancesDeleted;
  }

  public static void main(String[] arguments) throws Exception {
    try (TemporaryFolder folder = TemporaryFolder.create("duroxide-deletion");
        SqliteProvider store = SqliteProvider.open(folder.path().resolve("store.db"))) {
      int deleted = Scale.of(arguments, INSTANCES);
      new Population(store).make(deleted + deleted / 4);
      new BulkDeletionFigures(deleted).run(store);
    }
  }

  private void run(SqliteProvider store) throws InterruptedException {
    try (DuroxideRuntime runtime =
        DuroxideRuntime.builder(store)
            .options(RuntimeOptions.builder().telemetry(this::hear).build())
            .activity(STEP, (ctx, in) -> in)
            .orchestration(WORK, (ctx, in) -> ctx.call(STEP, in).await())
            .start()) {
      AtomicBoolean over = new AtomicBoolean();
      List<Thread> callers = start(Client.of(store), over);
      System.out.printf(
          "%-18s %8s %12s %12s %12s %12s %12s%n",
          "", "s", "turns/s", "turn, p50", "turn, p99", "work, p50", "work, p99");
      measure("warm-up", () -> sleep(WARM_UP));
      measure("alone", () -> sleep(ALONE));
      measure("during deletion", () -> delete(Management.of(store)));
      measure("alone again", () -> sleep(ALONE));
      over.set(true);
      for (Thread caller : callers) {
        caller.join();
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

  /** Each starts an instance, waits for its end, and starts the next. */
  private List<Thread> start(Client client, AtomicBoolean over) {
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < CALLERS; i++) {
      callers.add(
          Thread.ofVirtual()
              .start(() -> {
                while (!over.get()) {
                  String id = "work-" + ids.incrementAndGet();
                  long began = System.nanoTime();
                  client.start(WORK, id, "x");
                  client.waitFor(WORK, id, PATIENCE);
                  instances.add(System.nanoTime() - began);
                }
              }));
    }
    return callers;
  }

  private void measure(String what, Runnable meanwhile) {
    turns.clear();
    instances.clear();
    long began = System.nanoTime();
    meanwhile.run();
    double seconds = (System.nanoTime() - began) / 1e9;
    System.out.printf(
        Locale.ROOT,
        "%-18s %8.1f %,12.0f %9.2f ms %9.2f ms %9.2f ms %9.2f ms%n",
        what,
        seconds,
        turns.count() / seconds,
        turns.percentileMillis(50),
        turns.percentileMillis(99),
        instances.percentileMillis(50),
        instances.percentileMillis(99));
  }

  private void delete(Management management) {
    DeleteResult result =
        management.deleteBulk(
            InstanceFilter.finished().withIdPrefix("order-"),
            BulkDeletion.DEFAULT.withLimit(instancesDeleted));
    if (result.instancesDeleted() != instancesDeleted) {
      throw new IllegalStateException("deleted " + result);
    }
  }

  private static void sleep(Duration duration) {
    try {
      Thread.sleep(duration);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }
}
