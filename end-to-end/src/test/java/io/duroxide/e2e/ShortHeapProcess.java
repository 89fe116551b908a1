package io.duroxide.e2e;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.client.Client;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.provider.Provider;
import io.duroxide.provider.sqlite.Durability;
import io.duroxide.provider.sqlite.SqliteOptions;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import io.duroxide.telemetry.Health;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;

/**
 * A node with a small heap, most of which is taken again and again while clients start instances
 * and wait for them. Says at the end whether it works, and which calls came back too late.
 */
final class ShortHeapProcess {
  static final int ROUNDS = 60;

  private static final long TAKEN_NANOS = Duration.ofMillis(200).toNanos();
  private static final int LARGEST = 1 << 20;
  private static final int SMALLEST = 1 << 14;
  private static final int PIECES = 10_000;
  private static final int CLIENTS = 2;
  private static final Duration LIMIT = Duration.ofSeconds(2);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Activity<String, String> ECHO =
      Activity.of("Echo", String.class, String.class);
  private static final Orchestration<String, String> TWICE =
      Orchestration.of("Twice", String.class, String.class);

  private final byte[][] pieces = new byte[PIECES][];
  private final RunningTime time = new RunningTime();
  private final Client client;
  private final DuroxideRuntime runtime;
  private final Queue<String> started = new ConcurrentLinkedQueue<>();
  private final AtomicInteger ids = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();
  private final AtomicLong slowest = new AtomicLong();
  private volatile boolean over;

  private ShortHeapProcess(Provider store) {
    this.client = Client.of(store);
    this.runtime =
        DuroxideRuntime.builder(store)
            .options(
                RuntimeOptions.builder()
                    .blockingLimit(LIMIT)
                    .orchestratorLockTimeout(Duration.ofSeconds(3))
                    .workerLockTimeout(Duration.ofSeconds(3))
                    .maxAttempts(1000)
                    .build())
            .activity(ECHO, (ctx, text) -> text)
            .orchestration(
                TWICE,
                (ctx, text) -> {
                  ctx.call(ECHO, text).await();
                  return ctx.call(ECHO, text).await();
                })
            .start();
  }

  /**
   * Runs to its end.
   *
   * @param arguments a SQLite file
   */
  public static void main(String[] arguments) throws InterruptedException {
    Provider store =
        SqliteProvider.open(
            Path.of(arguments[0]), SqliteOptions.DEFAULT.withDurability(Durability.NORMAL));
    new ShortHeapProcess(store).run();
    Runtime.getRuntime().halt(0);
  }

  private void run() throws InterruptedException {
    client.start(TWICE, "warm-up", "x");
    client.waitForCompletion("warm-up", PATIENCE);
    List<Thread> clients = new ArrayList<>();
    for (int i = 0; i < CLIENTS; i++) {
      clients.add(Thread.ofPlatform().daemon().start(this::load));
    }
    for (int round = 0; round < ROUNDS; round++) {
      take();
      pause(TAKEN_NANOS / 4);
    }
    over = true;
    for (Thread each : clients) {
      each.join();
    }
    String state = state();
    System.out.printf(
        "RESULT %s calls=%d slowest=%d%n", state, calls.get(), slowest.get() / 1_000_000);
  }

  /** Takes all of the heap for a moment, in pieces that a collection need not look into. */
  private void take() {
    int count = 0;
    for (int size = LARGEST; size >= SMALLEST; size /= 8) {
      count = fill(count, size);
    }
    pause(TAKEN_NANOS);
    Arrays.fill(pieces, null);
  }

  private int fill(int from, int size) {
    int count = from;
    try {
      while (count < pieces.length) {
        pieces[count] = new byte[size];
        count++;
      }
    } catch (OutOfMemoryError full) {
      return count;
    }
    return count;
  }

  private static void pause(long nanos) {
    long end = System.nanoTime() + nanos;
    for (long left = nanos; left > 0; left = end - System.nanoTime()) {
      LockSupport.parkNanos(left);
    }
  }

  private void load() {
    while (!over) {
      try {
        String id = "x" + ids.incrementAndGet();
        timed(() -> client.start(TWICE, id, "x"));
        started.add(id);
        timed(() -> client.waitForCompletion(id, LIMIT));
      } catch (RuntimeException | Error expected) {
        // Calls may fail while there is no heap; that they come back is what counts.
        LockSupport.parkNanos(1_000_000);
      }
    }
  }

  private void timed(Runnable call) {
    long began = time.nanos();
    try {
      call.run();
    } finally {
      long took = time.nanos() - began;
      calls.incrementAndGet();
      slowest.accumulateAndGet(took, Math::max);
    }
  }

  /** Whether everything that was started comes to its end, or the node says that it is down. */
  private String state() {
    long end = System.nanoTime() + PATIENCE.toNanos();
    String last = "";
    while (System.nanoTime() < end) {
      try {
        client.start(TWICE, "after-" + ids.incrementAndGet(), "x");
        last = unfinished();
        if (last == null) {
          return "WORKS";
        }
      } catch (RuntimeException | Error failure) {
        last = failure.toString();
      }
      if (runtime.health().status() == Health.Status.DOWN) {
        return "DOWN";
      }
    }
    return "STUCK " + last + " " + runtime.health();
  }

  /** Waits for what was started; null once all has ended, be it by an error that the code met. */
  private String unfinished() {
    for (String id = started.peek(); id != null; id = started.peek()) {
      OrchestrationStatus status = client.waitForCompletion(id, LIMIT);
      if (!(status instanceof OrchestrationStatus.Completed
          || status instanceof OrchestrationStatus.Failed)) {
        return id + ": " + status;
      }
      started.remove();
    }
    return null;
  }
}
