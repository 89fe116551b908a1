package io.duroxide.cli;

import static org.awaitility.Awaitility.await;

import io.duroxide.api.Activity;
import io.duroxide.api.EventQueue;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.client.Client;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;

/** A SQLite file with a runtime on it that knows a few orchestrations. */
final class Workplace implements AutoCloseable {
  static final Duration PATIENCE = Duration.ofSeconds(60);

  static final Activity<String, String> GREET = Activity.of("Greet", String.class, String.class);
  static final Activity<String, String> NOWHERE =
      Activity.of("Nowhere", String.class, String.class);
  static final ExternalEvent<String> APPROVAL = ExternalEvent.of("Approval", String.class);
  static final EventQueue<String> MAIL = EventQueue.of("mail", String.class);

  static final Orchestration<String, String> HELLO =
      Orchestration.of("Hello", String.class, String.class);
  static final Orchestration<String, String> ASK =
      Orchestration.of("Ask", String.class, String.class);
  static final Orchestration<String, String> READ =
      Orchestration.of("Read", String.class, String.class);
  static final Orchestration<String, String> FAMILY =
      Orchestration.of("Family", String.class, String.class);
  static final Orchestration<Integer, Integer> COUNT =
      Orchestration.of("Count", Integer.class, Integer.class);
  static final Orchestration<String, String> BREAK =
      Orchestration.of("Break", String.class, String.class);
  static final Orchestration<String, String> LONELY =
      Orchestration.of("Lonely", String.class, String.class);
  static final Orchestration<String, String> NAP =
      Orchestration.of("Nap", String.class, String.class);

  final Path file;
  final Client client;
  private final SqliteProvider store;
  private final DuroxideRuntime runtime;

  Workplace(Path folder) {
    this.file = folder.resolve("work.db");
    this.store = SqliteProvider.open(file);
    this.client = Client.of(store);
    this.runtime =
        DuroxideRuntime.builder(store)
            .activity(GREET, (ctx, name) -> "Hello, " + name + "!")
            .orchestration(HELLO, (ctx, name) -> ctx.call(GREET, name).await())
            .orchestration(
                ASK,
                (ctx, what) -> {
                  ctx.setCustomStatus("asking");
                  return ctx.waitFor(APPROVAL).await();
                })
            .orchestration(READ, (ctx, none) -> ctx.dequeue(MAIL).await())
            .orchestration(FAMILY, (ctx, name) -> ctx.call(HELLO, name).await())
            .orchestration(COUNT, (ctx, n) -> n < 3 ? ctx.continueAsNew(n + 1) : n)
            .orchestration(
                BREAK,
                (ctx, why) -> {
                  throw new IllegalStateException(why);
                })
            .orchestration(LONELY, (ctx, in) -> ctx.call(NOWHERE, in).await())
            .orchestration(
                NAP,
                (ctx, in) -> {
                  ctx.timer(Duration.ofDays(10)).await();
                  return in;
                })
            .start();
  }

  /** Runs an instance to its end. */
  <I> void ended(Orchestration<I, ?> orchestration, String id, I input) {
    client.start(orchestration, id, input);
    client.waitForCompletion(id, PATIENCE);
  }

  /** Starts an instance and waits until its first turn is stored. */
  <I> void begun(Orchestration<I, ?> orchestration, String id, I input) {
    client.start(orchestration, id, input);
    until(() -> client.stats(id).map(stats -> stats.historyEventCount() > 1).orElse(false));
  }

  static void until(BooleanSupplier condition) {
    await().atMost(PATIENCE).until(condition::getAsBoolean);
  }

  @Override
  public void close() {
    runtime.close();
    store.close();
  }
}
