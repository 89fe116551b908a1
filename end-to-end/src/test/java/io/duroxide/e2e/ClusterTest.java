package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import io.duroxide.api.Orchestration;
import io.duroxide.client.Client;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.client.StartOptions;
import io.duroxide.e2e.ClusterNode.Kind;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.Semver;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.postgres.PostgresOptions;
import io.duroxide.provider.postgres.PostgresProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Nodes on one PostgreSQL")
class ClusterTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Orchestration<String, String> CONTROL =
      Orchestration.of("Control", String.class, String.class);

  @TempDir private Path folder;
  private ChaosServer server;
  private PostgresProvider store;
  private Client client;
  private final List<Process> nodes = new ArrayList<>();

  /** When the survivor said something, on the store's clock. */
  private final Map<String, Instant> said = new ConcurrentHashMap<>();

  @BeforeEach
  void begin() {
    server = new ChaosServer(folder.resolve("data"));
    store = PostgresProvider.open(server.url("test"));
    client = Client.of(store);
  }

  @AfterEach
  void end() {
    nodes.forEach(Process::destroyForcibly);
    store.close();
    server.close();
  }

  private Process spawn(String name, Kind kind) {
    Process node = ClusterNode.spawn(server.url(name), name, kind);
    nodes.add(node);
    return node;
  }

  private DuroxideRuntime startSurvivor() {
    return ClusterNode.builder(
            store,
            "survivor",
            Kind.PLAIN,
            what -> {
              said.put(what, store.now());
              return "survivor";
            })
        .orchestration(CONTROL, (ctx, in) -> in)
        .start();
  }

  private String output(String instance) {
    return switch (client.waitForCompletion(instance, PATIENCE)) {
      case OrchestrationStatus.Completed completed -> completed.output();
      case OrchestrationStatus other -> throw new AssertionError(instance + " ended as " + other);
    };
  }

  private void awaitWaiting(String instance) {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() ->
            store.read(instance).stream()
                .anyMatch(event -> event.kind() instanceof EventKind.ExternalSubscribed));
  }

  /**
   * A dead node's locks last at most until this; a second later others have taken over. A busy
   * machine is slow at everything: some times what one turn takes on it now is allowed besides.
   */
  private Instant latest(Instant death) {
    Instant before = store.now();
    String control = "control-" + before.toEpochMilli();
    client.start(CONTROL, control, "");
    output(control);
    Duration turn = Duration.between(before, store.now());
    return death.plus(ClusterNode.LOCK).plusSeconds(1).plus(turn.multipliedBy(10));
  }

  private Instant kill(Process node) throws InterruptedException {
    node.destroyForcibly().waitFor();
    return store.now();
  }

  @Test
  @DisplayName("turns and activities of a killed node are taken over a second after their locks")
  void takeOver() throws IOException, InterruptedException {
    Process doomed = spawn("doomed", Kind.HANGING);
    client.start(ClusterNode.TURN, "turn", "");
    client.start(ClusterNode.STEP, "step", "");
    try (BufferedReader lines = doomed.inputReader()) {
      assertThat(List.of(lines.readLine(), lines.readLine(), lines.readLine()))
          .containsExactlyInAnyOrder("ready", "holds turn", "holds activity");
    }
    try (DuroxideRuntime survivor = startSurvivor()) {
      Instant latest = latest(kill(doomed));

      assertThat(output("turn")).isEqualTo("survivor");
      assertThat(output("step")).isEqualTo("survivor");
      assertThat(said.get("turn")).isBefore(latest);
      assertThat(said.get("activity")).isBefore(latest);
    }
  }

  @Test
  @DisplayName("a session of a killed node moves to another a second after its lease")
  void session() throws InterruptedException {
    Process doomed = spawn("doomed", Kind.PLAIN);
    client.start(ClusterNode.SESSION, "s", "");
    awaitWaiting("s");
    try (DuroxideRuntime survivor = startSurvivor()) {
      Instant death = kill(doomed);
      client.raiseEvent("s", "go", "");
      Instant latest = latest(death);

      assertThat(output("s")).isEqualTo("doomed survivor");
      assertThat(said.get("activity")).isBefore(latest);
    }
  }

  private static final int FLOWS = 8;

  private List<String> flows(String kind) {
    return IntStream.range(0, FLOWS).mapToObj(i -> kind + "-" + i).toList();
  }

  private void go(List<String> instances) {
    instances.forEach(instance -> client.raiseEvent(instance, "go", ""));
  }

  @Test
  @DisplayName("old and new nodes side by side run what each can, until all nodes are new")
  void rollingUpgrade() throws InterruptedException {
    flows("future").forEach(this::storedByFuture);
    Process firstOld = spawn("old-1", Kind.OLD);
    Process secondOld = spawn("old-2", Kind.OLD);
    spawn("new", Kind.NEW);
    for (int i = 0; i < FLOWS; i++) {
      client.start(ClusterNode.FLOW, "first-" + i, "", StartOptions.version("1.0.0"));
      client.start(ClusterNode.FLOW, "early-" + i, "", StartOptions.version("1.0.0"));
      client.start(ClusterNode.FLOW, "second-" + i, "", StartOptions.version("2.0.0"));
    }
    List.of("first", "early", "second").forEach(kind -> flows(kind).forEach(this::awaitWaiting));

    go(flows("future"));
    go(flows("early"));
    go(flows("second"));
    assertThat(flows("early")).allMatch(one -> output(one).startsWith("1.0.0 old-"));
    assertThat(flows("second")).allMatch(one -> output(one).equals("2.0.0 new"));

    spawn("both", Kind.BOTH);
    spawn("future", Kind.FUTURE);
    kill(firstOld);
    kill(secondOld);
    go(flows("first"));
    assertThat(flows("first")).allMatch(one -> output(one).equals("1.0.0 both"));
    assertThat(flows("future")).allMatch(one -> output(one).equals("1.0.0 future"));
  }

  /** An instance that waits for "go", as a node of a later framework version left it. */
  private void storedByFuture(String instance) {
    client.start(ClusterNode.FLOW, instance, "", StartOptions.version("1.0.0"));
    ExecutionKey key = new ExecutionKey(instance, 1);
    EventStamp stamp = new EventStamp(store.now(), "99.0.0");
    EventKind started =
        new EventKind.OrchestrationStarted("Flow", "1.0.0", "", null, Inheritance.NOTHING);
    List<Event> events =
        List.of(
            new Event(key, 1, null, stamp, started),
            new Event(key, 2, null, stamp, new EventKind.ExternalSubscribed("go")));
    try {
      LockedOrchestration locked =
          store
              .fetchOrchestrationItem(OrchestrationFetch.of(PATIENCE, Duration.ZERO))
              .orElseThrow();
      store.commitTurn(
          new TurnSource.Fetched(locked.lockToken()),
          TurnCommit.events(
              1,
              events,
              ExecutionMetadata.started("Flow", "1.0.0").withPinnedVersion(Semver.of(99, 0, 0))),
          WorkClaim.NONE);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A minute without a server is twelve times as long as operations wait by default. */
  private static final int FAILURES = 12;

  private static final PostgresOptions IMPATIENT =
      PostgresOptions.DEFAULT
          .withConnections(3)
          .withNotifications(false)
          .withPatience(Duration.ofMillis(250));

  private static void awaitFailures(Client impatient) {
    for (int i = 0; i < FAILURES; i++) {
      Awaitility.await()
          .atMost(PATIENCE)
          .until(() -> {
            try {
              return impatient.status("flow-0") == null;
            } catch (ProviderException failure) {
              return failure.retryable();
            }
          });
    }
  }

  private void startFlows() {
    flows("flow")
        .forEach(one -> client.start(ClusterNode.FLOW, one, "", StartOptions.version("1.0.0")));
    flows("flow").forEach(this::awaitWaiting);
  }

  private void flowsEnd() {
    go(flows("flow"));
    assertThat(flows("flow")).allMatch(one -> output(one).equals("1.0.0 node"));
  }

  @Test
  @DisplayName("a node goes on by itself when the server comes back after a long time")
  void serverAway() {
    try (PostgresProvider impatient = PostgresProvider.open(server.url("node"), IMPATIENT);
        DuroxideRuntime node =
            ClusterNode.builder(impatient, "node", Kind.OLD, what -> what).start()) {
      startFlows();
      server.kill();
      awaitFailures(Client.of(impatient));
      server.resume();

      Awaitility.await()
          .atMost(PATIENCE)
          .ignoreException(ProviderException.class)
          .until(() -> client.status("flow-0") instanceof OrchestrationStatus.Running);
      flowsEnd();
    }
  }

  @Test
  @DisplayName("a node goes on by itself when others give the connections of its pool back")
  void poolExhausted() throws SQLException {
    try (HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(server.url("node"));
      pool.setMaximumPoolSize(3);
      pool.setConnectionTimeout(IMPATIENT.waits().patience().toMillis());
      try (PostgresProvider impatient = PostgresProvider.open(pool, IMPATIENT);
          DuroxideRuntime node =
              ClusterNode.builder(impatient, "node", Kind.OLD, what -> what).start()) {
        startFlows();
        List<Connection> taken = new ArrayList<>();
        for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
          taken.add(taken(pool));
        }
        awaitFailures(Client.of(impatient));
        for (Connection connection : taken) {
          connection.close();
        }

        flowsEnd();
      }
    }
  }

  /** One after the other, as the node has them in use. */
  private static Connection taken(HikariDataSource pool) {
    return Awaitility.await()
        .atMost(PATIENCE)
        .ignoreException(SQLException.class)
        .until(pool::getConnection, connection -> true);
  }
}
