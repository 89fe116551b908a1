package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.client.Client;
import io.duroxide.provider.sqlite.SqliteProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * Three processes share a file and work, while one after the other is killed and replaced.
 *
 * <p>{@code -Dkill.orchestrations=2000 -Dkill.interval=1000} is the long form.
 */
@DisplayName("Killed processes")
class KillTest {
  private static final int ORCHESTRATIONS = Integer.getInteger("kill.orchestrations", 150);
  private static final int INTERVAL_MILLIS = Integer.getInteger("kill.interval", 700);
  private static final int WORKERS = 3;

  /** How many orchestrations start between two kills. */
  private static final int SLICE = 50;

  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path folder;
  private final List<Process> workers = new ArrayList<>();

  @AfterEach
  void end() {
    workers.forEach(Process::destroyForcibly);
  }

  @Test
  @DisplayName("every orchestration ends with its result, and nothing is recorded twice")
  void kills(TestReporter reporter) throws InterruptedException {
    long seed = Long.getLong("kill.seed", System.nanoTime());
    reporter.publishEntry("kill.seed", Long.toString(seed));
    Path file = folder.resolve("store.db");
    try (SqliteProvider store = SqliteProvider.open(file)) {
      Client client = Client.of(store);
      for (int i = 0; i < WORKERS; i++) {
        workers.add(KillWorker.spawn(file.toString()));
      }
      List<MixedWork.Order> orders = new ArrayList<>();

      int kills = killUntilDone(client, orders, new Random(seed));

      reporter.publishEntry("kills", Integer.toString(kills));
      assertThat(orders).hasSize(ORCHESTRATIONS);
      new Aftermath(store, PATIENCE).check(orders);
    }
  }

  /** Starts work and kills one worker after the other, until all is started and done. */
  private int killUntilDone(Client client, List<MixedWork.Order> orders, Random random)
      throws InterruptedException {
    List<MixedWork.Order> open = new ArrayList<>();
    int kills = 0;
    int idleRounds = 0;
    while (orders.size() < ORCHESTRATIONS || !open.isEmpty()) {
      open.addAll(startSlice(client, orders));
      Process victim = workers.remove(random.nextInt(workers.size()));
      // On a busy machine a process may need longer to begin than it may live.
      KillWorker.awaitReady(victim);
      assertThat(victim.waitFor(INTERVAL_MILLIS, TimeUnit.MILLISECONDS)).isFalse();
      victim.destroyForcibly();
      kills++;
      workers.add(KillWorker.spawn(folder.resolve("store.db").toString()));
      boolean progress = open.removeIf(order -> client.status(order.instance()).isTerminal());
      idleRounds = progress ? 0 : idleRounds + 1;
      assertThat((long) idleRounds * INTERVAL_MILLIS)
          .as("milliseconds without an end, %s still open", open)
          .isLessThan(PATIENCE.toMillis());
    }
    return kills;
  }

  private static List<MixedWork.Order> startSlice(Client client, List<MixedWork.Order> orders) {
    int first = orders.size();
    for (int i = first; i < Math.min(ORCHESTRATIONS, first + SLICE); i++) {
      orders.add(MixedWork.start(client, i));
    }
    return orders.subList(first, orders.size());
  }
}
