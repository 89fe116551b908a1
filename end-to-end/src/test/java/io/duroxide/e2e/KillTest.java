package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.client.Client;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.QueueDepths;
import io.duroxide.provider.sqlite.SqliteProvider;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.awaitility.Awaitility;
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
        workers.add(worker(file));
      }
      List<MixedWork.Order> orders = new ArrayList<>();

      int kills = killUntilDone(client, orders, new Random(seed));

      reporter.publishEntry("kills", Integer.toString(kills));
      assertThat(orders).hasSize(ORCHESTRATIONS);
      for (MixedWork.Order order : orders) {
        assertThat(client.status(order.instance()))
            .as(order.instance())
            .isInstanceOfSatisfying(
                OrchestrationStatus.Completed.class,
                completed -> assertThat(completed.output()).isEqualTo(order.result()));
      }
      nothingIsLeft(store.management().orElseThrow());
      everythingOnce(store);
    }
  }

  private Process worker(Path file) {
    try {
      return new ProcessBuilder(
              Path.of(System.getProperty("java.home"), "bin", "java").toString(),
              "--enable-native-access=ALL-UNNAMED",
              "-XX:TieredStopAtLevel=1",
              "-XX:+UseSerialGC",
              "-cp",
              System.getProperty("surefire.test.class.path", System.getProperty("java.class.path")),
              KillWorker.class.getName(),
              file.toString())
          .redirectError(ProcessBuilder.Redirect.INHERIT)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
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
      assertThat(victim.waitFor(INTERVAL_MILLIS, TimeUnit.MILLISECONDS)).isFalse();
      victim.destroyForcibly();
      kills++;
      workers.add(worker(folder.resolve("store.db")));
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

  /** Late results of activities that were run twice may still have to be put away. */
  private static void nothingIsLeft(ProviderAdmin admin) {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> {
          QueueDepths depths = admin.queueDepths();
          return depths.orchestrator().ready()
                  + depths.orchestrator().locked()
                  + depths.worker().ready()
                  + depths.worker().locked()
              == 0;
        });
    assertThat(admin.systemMetrics().runningInstances()).isZero();
  }

  private static void everythingOnce(SqliteProvider store) {
    ProviderAdmin admin = store.management().orElseThrow();
    for (String instance : admin.listInstances()) {
      for (long execution : admin.listExecutions(instance)) {
        ExecutionKey key = new ExecutionKey(instance, execution);
        List<Event> history = store.readWithExecution(key);
        Map<Long, Long> completions =
            history.stream()
                .filter(event -> event.kind() instanceof EventKind.Completion)
                .collect(Collectors.groupingBy(Event::source, Collectors.counting()));
        assertThat(completions.values()).as("%s", key).allMatch(count -> count == 1);
        assertThat(history).as("%s", key).extracting(Event::id).doesNotHaveDuplicates();
        assertThat(history)
            .as("%s", key)
            .filteredOn(event -> event.kind() instanceof EventKind.Terminal)
            .containsExactly(history.getLast());
      }
    }
  }
}
