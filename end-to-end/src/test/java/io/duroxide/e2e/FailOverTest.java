package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.client.Client;
import io.duroxide.provider.postgres.PostgresOptions;
import io.duroxide.provider.postgres.PostgresProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Processes work on a server that dies; its synchronous standby is promoted. */
@DisplayName("Fail-over to a replica")
class FailOverTest {
  private static final int ORCHESTRATIONS = 140;
  private static final int NODES = 2;
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  @TempDir private Path folder;
  private final List<Process> nodes = new ArrayList<>();

  @AfterEach
  void end() {
    nodes.forEach(Process::destroyForcibly);
  }

  @Test
  @DisplayName("every orchestration ends with its result, and nothing is lost or recorded twice")
  void failOver() {
    PostgresOptions options = PostgresOptions.DEFAULT.withPatience(PATIENCE);
    List<MixedWork.Order> orders = new ArrayList<>();
    try (ChaosServer primary = new ChaosServer(folder.resolve("primary"));
        ChaosServer standby = primary.newStandby(folder.resolve("standby"));
        PostgresProvider store = PostgresProvider.open(primary.url("test", standby), options)) {
      Client client = Client.of(store);
      for (int i = 0; i < NODES; i++) {
        nodes.add(KillWorker.spawn(primary.url("node-" + i, standby)));
      }
      start(client, orders, ORCHESTRATIONS / 2);
      Awaitility.await().atMost(PATIENCE).until(() -> ended(client, orders) > NODES);

      start(client, orders, ORCHESTRATIONS);
      primary.kill();
      assertThat(orders).hasSize(ORCHESTRATIONS);
      standby.promote();

      Awaitility.await().atMost(PATIENCE).until(() -> ended(client, orders) == ORCHESTRATIONS);
      new Aftermath(store, PATIENCE).check(orders);
    }
  }

  private static void start(Client client, List<MixedWork.Order> orders, int until) {
    for (int i = orders.size(); i < until; i++) {
      orders.add(MixedWork.start(client, i));
    }
  }

  private static long ended(Client client, List<MixedWork.Order> orders) {
    return orders.stream().filter(order -> client.status(order.instance()).isTerminal()).count();
  }
}
