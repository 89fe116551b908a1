package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.client.Client;
import io.duroxide.client.StartOptions;
import io.duroxide.client.StartOptions.Reuse;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Threads that start instances without a pause")
class StartStormTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int STARTERS = 256;
  private static final int WAITING = 21;
  private static final ExternalEvent<String> GO = ExternalEvent.of("go", String.class);
  private static final Orchestration<String, String> WAITER =
      Orchestration.of("Waiter", String.class, String.class);
  private static final Orchestration<String, String> QUICK =
      Orchestration.of("Quick", String.class, String.class);

  @TempDir private Path folder;

  /**
   * How long it takes from an event to the end of the instance that waits for it, in the median.
   */
  private static long medianNanos(Client client, String prefix) {
    List<Long> times = new ArrayList<>();
    for (int i = 0; i < WAITING; i++) {
      String id = prefix + i;
      long began = System.nanoTime();
      client.raiseEvent(id, GO, "now");
      client.waitFor(WAITER, id, PATIENCE);
      times.add(System.nanoTime() - began);
    }
    times.sort(null);
    return times.get(WAITING / 2);
  }

  private static void begin(Client client, String prefix) {
    for (int i = 0; i < WAITING; i++) {
      client.start(WAITER, prefix + i, "");
    }
  }

  @Test
  @DisplayName("RL-061 events of waiting instances are seen, and queued starts begin, meanwhile")
  void storm() throws InterruptedException {
    try (SqliteProvider store = SqliteProvider.open(folder.resolve("storm.db"));
        DuroxideRuntime runtime =
            DuroxideRuntime.builder(store)
                .orchestration(WAITER, (ctx, input) -> ctx.waitFor(GO).await())
                .orchestration(QUICK, (ctx, input) -> input)
                .start()) {
      assertThat(runtime).isNotNull();
      Client client = Client.of(store);
      begin(client, "calm-");
      begin(client, "storm-");
      long calm = medianNanos(client, "calm-");
      AtomicBoolean over = new AtomicBoolean();
      AtomicLong started = new AtomicLong();
      List<Thread> starters = new ArrayList<>();
      for (int i = 0; i < STARTERS; i++) {
        starters.add(
            Thread.ofPlatform()
                .start(() -> {
                  while (!over.get()) {
                    client.start(QUICK, "quick-" + started.incrementAndGet(), "");
                  }
                }));
      }
      long storm;
      String queued;
      try {
        await().atMost(PATIENCE).until(() -> started.get() > STARTERS);
        storm = medianNanos(client, "storm-");
        client.start(QUICK, "queued", "done", StartOptions.defaults().withReuse(Reuse.REJECT));
        queued = client.waitFor(QUICK, "queued", PATIENCE);
      } finally {
        over.set(true);
      }
      for (Thread starter : starters) {
        starter.join();
      }

      assertThat(queued).isEqualTo("done");
      assertThat(storm).as("calm %d ns", calm).isLessThanOrEqualTo(100 * calm);
    }
  }
}
