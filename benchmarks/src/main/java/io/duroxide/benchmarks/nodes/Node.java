package io.duroxide.benchmarks.nodes;

import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.client.Client;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/** A runtime with default options and a client on one SQLite file. Thread-safe. */
final class Node implements AutoCloseable {
  private static final ExternalEvent<String> GO = ExternalEvent.of("go", String.class);
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final int STARTERS = 256;

  /** What the orchestrations of a node do. */
  enum Kind {
    /** Ends at once. */
    HELLO,
    /** Sleeps for a month. */
    SLEEPER,
    /** Waits for an event. */
    LISTENER;

    Orchestration<String, String> handle() {
      return Orchestration.of(name(), String.class, String.class);
    }
  }

  private final SqliteProvider store;
  private final DuroxideRuntime runtime;
  private final Client client;
  private final Map<String, Long> begun = new ConcurrentHashMap<>();
  private volatile CountDownLatch toBegin = new CountDownLatch(0);

  Node(Path file) {
    this.store = SqliteProvider.open(file);
    this.client = Client.of(store);
    this.runtime =
        DuroxideRuntime.builder(store)
            .orchestration(
                Kind.HELLO.handle(),
                (ctx, input) -> {
                  begun.put(ctx.instanceId(), System.nanoTime());
                  return input;
                })
            .orchestration(
                Kind.SLEEPER.handle(),
                (ctx, input) -> {
                  toBegin.countDown();
                  return ctx.timer(Duration.ofDays(30)).map(fired -> input).await();
                })
            .orchestration(
                Kind.LISTENER.handle(),
                (ctx, input) -> {
                  toBegin.countDown();
                  return ctx.waitFor(GO).await();
                })
            .start();
  }

  /** Starts many that wait, and returns when all of them do. */
  void startWaiting(Kind kind, int count) throws InterruptedException {
    toBegin = new CountDownLatch(count);
    AtomicInteger next = new AtomicInteger();
    List<Thread> starters = new ArrayList<>();
    for (int i = 0; i < STARTERS; i++) {
      starters.add(
          Thread.ofVirtual()
              .start(() -> {
                for (int n = next.getAndIncrement(); n < count; n = next.getAndIncrement()) {
                  client.start(kind.handle(), instance(kind, n), "x");
                }
              }));
    }
    for (Thread starter : starters) {
      starter.join();
    }
    toBegin.await();
    runHello("settled-" + kind);
  }

  static String instance(Kind kind, int number) {
    return kind + "-" + number;
  }

  /** Runs one that ends at once; returns the nanoseconds until its code ran. */
  long runHello(String instance) {
    long before = System.nanoTime();
    client.start(Kind.HELLO.handle(), instance, "x");
    client.waitFor(Kind.HELLO.handle(), instance, PATIENCE);
    Long at = begun.remove(instance);
    if (at == null) {
      throw new IllegalStateException(instance + " did not run here");
    }
    return at - before;
  }

  /** Sends one that waits its event; returns the nanoseconds until it has ended. */
  long wake(int number) {
    String instance = instance(Kind.LISTENER, number);
    long before = System.nanoTime();
    client.raiseEvent(instance, GO, "x");
    client.waitFor(Kind.LISTENER.handle(), instance, PATIENCE);
    return System.nanoTime() - before;
  }

  @Override
  public void close() {
    runtime.close();
    store.close();
  }
}
