package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.client.Client;
import io.duroxide.provider.postgres.PostgresOptions;
import io.duroxide.provider.postgres.PostgresProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.io.TempDir;

/**
 * Four processes share a PostgreSQL server and work, while every two seconds something happens to
 * one of them or to the server.
 *
 * <p>{@code -Dchaos.orchestrations=5000} is the long form; {@code -Dchaos.seed} repeats what
 * happens.
 */
@DisplayName("A cluster under fire")
class ChaosTest {
  private static final int ORCHESTRATIONS = Integer.getInteger("chaos.orchestrations", 280);
  private static final int INTERVAL_MILLIS = Integer.getInteger("chaos.interval", 2000);
  private static final int NODES = 4;

  /** How many orchestrations start between two blows. */
  private static final int SLICE = 70;

  /** A node that sleeps for this many intervals has lost its locks, which take two seconds. */
  private static final int PAUSE = 2;

  private static final Duration PATIENCE = Duration.ofSeconds(90);

  /** What happens. */
  private enum Blow {
    KILL,
    PAUSE,
    RESTART_SERVER,
    CUT_CONNECTIONS
  }

  /**
   * A process.
   *
   * @param wakesIn after how many intervals it goes on; 0 if it is awake
   */
  private record Node(String name, Process process, int wakesIn) {}

  @TempDir private Path folder;
  private ChaosServer server;
  private final List<Node> nodes = new ArrayList<>();
  private final Map<Blow, Integer> blows = new EnumMap<>(Blow.class);
  private final List<Blow> plan = new ArrayList<>();
  private int born;

  @BeforeEach
  void begin() {
    server = new ChaosServer(folder.resolve("data"));
  }

  @AfterEach
  void end() {
    nodes.forEach(node -> node.process().destroyForcibly());
    server.close();
  }

  @Test
  @DisplayName("every orchestration ends with its result, and nothing is recorded twice")
  void chaos(TestReporter reporter) throws InterruptedException {
    long seed = Long.getLong("chaos.seed", System.nanoTime());
    reporter.publishEntry("chaos.seed", Long.toString(seed));
    PostgresOptions options = PostgresOptions.DEFAULT.withPatience(PATIENCE);
    try (PostgresProvider store = PostgresProvider.open(server.url("test"), options)) {
      for (int i = 0; i < NODES; i++) {
        nodes.add(newNode());
      }
      List<MixedWork.Order> orders = new ArrayList<>();

      strikeUntilDone(Client.of(store), orders, new Random(seed));

      nodes.replaceAll(this::awake);
      reporter.publishEntry("blows", blows.toString());
      assertThat(orders).hasSize(ORCHESTRATIONS);
      new Aftermath(store, PATIENCE).check(orders);
    }
  }

  private Node newNode() {
    String name = "node-" + born++;
    return new Node(name, KillWorker.spawn(server.url(name)), 0);
  }

  /** Starts work and strikes, until all is started and done. */
  private void strikeUntilDone(Client client, List<MixedWork.Order> orders, Random random)
      throws InterruptedException {
    List<MixedWork.Order> open = new ArrayList<>();
    int idleRounds = 0;
    while (orders.size() < ORCHESTRATIONS || !open.isEmpty()) {
      int first = orders.size();
      for (int i = first; i < Math.min(ORCHESTRATIONS, first + SLICE); i++) {
        orders.add(MixedWork.start(client, i));
      }
      open.addAll(orders.subList(first, orders.size()));
      Node watched = nodes.getFirst();
      assertThat(watched.process().waitFor(INTERVAL_MILLIS, TimeUnit.MILLISECONDS))
          .as("%s ended by itself", watched.name())
          .isFalse();
      strike(random);
      boolean progress = open.removeIf(order -> client.status(order.instance()).isTerminal());
      idleRounds = progress ? 0 : idleRounds + 1;
      assertThat((long) idleRounds * INTERVAL_MILLIS)
          .as("milliseconds without an end, %s still open", open)
          .isLessThan(PATIENCE.toMillis());
    }
  }

  private void strike(Random random) {
    nodes.replaceAll(node -> node.wakesIn() == 1 ? awake(node) : sooner(node));
    Blow blow = nextBlow(random);
    int place = random.nextInt(nodes.size());
    Node victim = nodes.get(place);
    blows.merge(blow, 1, Integer::sum);
    switch (blow) {
      case KILL -> {
        victim.process().destroyForcibly();
        nodes.set(place, newNode());
      }
      case PAUSE -> {
        ChaosServer.Signals.send(victim.process().pid(), "STOP");
        nodes.set(place, new Node(victim.name(), victim.process(), PAUSE));
      }
      case RESTART_SERVER -> server.restart();
      case CUT_CONNECTIONS -> server.cut(victim.name());
    }
  }

  /** Each kind before any comes again. */
  private Blow nextBlow(Random random) {
    if (plan.isEmpty()) {
      plan.addAll(List.of(Blow.values()));
      Collections.shuffle(plan, random);
    }
    return plan.removeLast();
  }

  private static Node sooner(Node node) {
    return new Node(node.name(), node.process(), Math.max(0, node.wakesIn() - 1));
  }

  private Node awake(Node node) {
    if (node.wakesIn() > 0) {
      ChaosServer.Signals.send(node.process().pid(), "CONT");
    }
    return new Node(node.name(), node.process(), 0);
  }
}
