package io.duroxide.benchmarks.cluster;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.client.Client;
import io.duroxide.provider.postgres.PostgresOptions;
import io.duroxide.provider.postgres.PostgresProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.IntConsumer;

/** A runtime with default options and a client on one schema. Thread-safe. */
final class ClusterNode implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final Activity<Integer, Integer> STEP =
      Activity.of("Step", Integer.class, Integer.class);

  /** Takes one turn. */
  private static final Orchestration<String, String> HELLO =
      Orchestration.of("Hello", String.class, String.class);

  /** Takes so many steps, one after the other. */
  private static final Orchestration<Integer, Integer> CHAIN =
      Orchestration.of("Chain", Integer.class, Integer.class);

  private final CountedSource counted = new CountedSource();
  private final HikariDataSource pool;
  private final PostgresProvider store;
  private final Client client;
  private final DuroxideRuntime runtime;
  private final AtomicLong begun = new AtomicLong();

  ClusterNode(String url, PostgresOptions options) {
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(url);
    config.setMaximumPoolSize(options.connections() + 1);
    this.pool = new HikariDataSource(config);
    this.store = PostgresProvider.open(counted.on(pool), options);
    this.client = Client.of(store);
    this.runtime =
        DuroxideRuntime.builder(store)
            .activity(STEP, (ctx, number) -> number + 1)
            .orchestration(
                HELLO,
                (ctx, input) -> {
                  begun.set(System.nanoTime());
                  return input;
                })
            .orchestration(
                CHAIN,
                (ctx, steps) -> {
                  int sum = 0;
                  for (int i = 0; i < steps; i++) {
                    sum = ctx.call(STEP, sum).await();
                  }
                  return sum;
                })
            .start();
  }

  long trips() {
    return counted.trips();
  }

  /** Runs so many of one turn each, so many at a time. */
  void turns(String prefix, int count, int atATime) throws InterruptedException {
    each(
        count,
        atATime,
        number -> {
          String instance = prefix + "-" + number;
          client.start(HELLO, instance, "x");
          client.waitFor(HELLO, instance, PATIENCE);
        });
  }

  /** Runs so many chains of steps, so many at a time. */
  void chains(String prefix, int count, int steps, int atATime) throws InterruptedException {
    each(
        count,
        atATime,
        number -> {
          String instance = prefix + "-" + number;
          client.start(CHAIN, instance, steps);
          client.waitFor(CHAIN, instance, PATIENCE);
        });
  }

  private static void each(int count, int atATime, IntConsumer one) throws InterruptedException {
    AtomicInteger next = new AtomicInteger();
    List<Thread> callers = new ArrayList<>();
    for (int i = 0; i < atATime; i++) {
      callers.add(
          Thread.ofVirtual()
              .start(() -> {
                for (int n = next.getAndIncrement(); n < count; n = next.getAndIncrement()) {
                  one.accept(n);
                }
              }));
    }
    for (Thread caller : callers) {
      caller.join();
    }
  }

  /** The nanoseconds from a start on another node until the code runs on this one. */
  long pickUp(Client other, String instance) {
    long before = System.nanoTime();
    other.start(HELLO, instance, "x");
    client.waitFor(HELLO, instance, PATIENCE);
    return begun.get() - before;
  }

  @Override
  public void close() {
    runtime.close();
    store.close();
    pool.close();
  }
}
