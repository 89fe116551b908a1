package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.client.Client;
import io.duroxide.management.CopyReport;
import io.duroxide.management.Force;
import io.duroxide.management.Management;
import io.duroxide.management.ManagementException;
import io.duroxide.management.StoreCopy;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.InstrumentedProvider;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.memory.MemoryProvider;
import io.duroxide.provider.postgres.PostgresOptions;
import io.duroxide.provider.postgres.PostgresProvider;
import io.duroxide.provider.sqlite.Durability;
import io.duroxide.provider.sqlite.SqliteOptions;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@DisplayName("Copying a store")
class StoreCopyTest {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static final EventStamp STAMP =
      new EventStamp(Instant.parse("2026-03-01T00:00:00Z"), "0.1.0");

  @TempDir private Path folder;
  private final TestClock clock = new TestClock();

  private SqliteProvider sqlite(String name) {
    return SqliteProvider.open(
        folder.resolve(name),
        SqliteOptions.DEFAULT.withDurability(Durability.NORMAL).withClock(clock));
  }

  private PostgresProvider postgres() {
    String schema = PostgresServer.takeSchema();
    return PostgresProvider.open(
        PostgresServer.url(schema), PostgresOptions.DEFAULT.withSchema(schema).withClock(clock));
  }

  /** Every event of every execution of every instance. */
  private static Map<ExecutionKey, List<Event>> histories(Provider store) {
    ProviderAdmin admin = store.management().orElseThrow();
    Map<ExecutionKey, List<Event>> histories =
        new TreeMap<>(Comparator.comparing(ExecutionKey::toString));
    for (String id : admin.listInstances()) {
      for (long execution : admin.listExecutions(id)) {
        ExecutionKey key = new ExecutionKey(id, execution);
        histories.put(key, store.readWithExecution(key));
      }
    }
    return histories;
  }

  private static Event started(ExecutionKey key, String input) {
    return new Event(
        key,
        1,
        null,
        STAMP,
        new EventKind.OrchestrationStarted("Flow", "1.0.0", input, null, Inheritance.NOTHING));
  }

  private static void raise(Provider store, String instance, String data) {
    store.enqueueForOrchestrator(
        new WorkItem.ExternalRaised(instance, "event", data), Duration.ZERO);
  }

  private static CopyReport copy(Provider from, Provider to) {
    return StoreCopy.between(from, to).run(Force.NO);
  }

  private static LockedOrchestration fetched(Provider store) throws InterruptedException {
    return store
        .fetchOrchestrationItem(OrchestrationFetch.of(PATIENCE, Duration.ZERO))
        .orElseThrow();
  }

  @Test
  @DisplayName("EN-015 a copied instance keeps the order of its messages and due timers")
  void copiedOrder() throws InterruptedException {
    try (SqliteProvider source = sqlite("source.db");
        PostgresProvider server = postgres();
        SqliteProvider target = sqlite("target.db")) {
      ExecutionKey key = new ExecutionKey("x", 1);
      WorkItem timer = new WorkItem.TimerFired("x", 1, 2, clock.instant().plusSeconds(60));
      source.enqueueForOrchestrator(
          new WorkItem.StartOrchestration("x", "Flow", "", "1.0.0", null), Duration.ZERO);
      source.commitTurn(
          new TurnSource.Fetched(fetched(source).lockToken()),
          TurnCommit.events(
                  1, List.of(started(key, "")), ExecutionMetadata.started("Flow", "1.0.0"))
              .withOrchestratorItems(List.of(timer)),
          WorkClaim.NONE);
      raise(source, "x", "in time");
      clock.advance(Duration.ofMinutes(2));
      raise(source, "x", "late");

      copy(source, server);
      copy(server, target);

      for (Provider store : List.of(server, target)) {
        assertThat(fetched(store).item().messages().items())
            .containsExactly(
                new WorkItem.ExternalRaised("x", "event", "in time"),
                timer,
                new WorkItem.ExternalRaised("x", "event", "late"));
      }
    }
  }

  @Test
  @DisplayName("COPY-01 from SQLite to PostgreSQL and back: equal histories, and all run on")
  void thereAndBack() {
    MovingWork work = new MovingWork(25);
    try (SqliteProvider source = sqlite("source.db");
        PostgresProvider server = postgres();
        SqliteProvider target = sqlite("target.db")) {
      DuroxideRuntime.Builder first = DuroxideRuntime.builder(source);
      MovingWork.register(first);
      try (DuroxideRuntime runtime = first.start()) {
        work.begin(Client.of(source));
        assertThatThrownBy(() -> copy(source, server))
            .isInstanceOf(ManagementException.StoreInUse.class)
            .hasMessageContaining("nodes work on the source");
        assertThatThrownBy(() -> copy(server, source))
            .isInstanceOf(ManagementException.StoreInUse.class)
            .hasMessageContaining("nodes work on the target");
        assertThat(runtime).isNotNull();
      }
      Map<ExecutionKey, List<Event>> before = histories(source);

      assertThat(copy(source, server)).isEqualTo(new CopyReport(work.total(), 0, List.of()));
      assertThat(copy(source, server)).isEqualTo(new CopyReport(0, work.total(), List.of()));
      assertThat(copy(server, target)).isEqualTo(new CopyReport(work.total(), 0, List.of()));

      assertThat(histories(server)).isEqualTo(before);
      assertThat(histories(target)).isEqualTo(before);
      assertThat(target.management().orElseThrow().queueDepths())
          .isEqualTo(source.management().orElseThrow().queueDepths());
      finish(work, target);
      assertThat(histories(source)).isEqualTo(before);
    }
  }

  private void finish(MovingWork work, SqliteProvider store) {
    DuroxideRuntime.Builder node = DuroxideRuntime.builder(store);
    MovingWork.register(node);
    MovingWork.registerLate(node);
    Client client = Client.of(store);
    clock.advance(MovingWork.LATER);
    store.clockAdvanced();
    try (DuroxideRuntime runtime = node.start()) {
      work.wake(store);
      work.running()
          .forEach((id, orchestration) ->
              assertThat(client.waitFor(orchestration, id, PATIENCE))
                  .as(id)
                  .isEqualTo(MovingWork.result(orchestration)));
      assertThat(runtime).isNotNull();
    }
    assertThat(store.read("early-0").stream().map(Event::kind))
        .anyMatch(EventKind.ExternalEvent.class::isInstance);
    assertThat(Management.of(store).metrics().runningInstances()).isZero();
    assertThat(store.kvAllValues("loop-0")).containsOnlyKeys("rounds");
  }

  @Test
  @DisplayName("COPY-02 what the target has otherwise is told by id, and the rest is copied")
  void differences() {
    try (Provider source = MemoryProvider.create(clock);
        SqliteProvider target = sqlite("target.db")) {
      for (String id : List.of("same", "other", "longer")) {
        ExecutionKey key = new ExecutionKey(id, 1);
        source.appendWithExecution(key, List.of(started(key, "in")));
      }
      assertThat(copy(source, target).copied()).isEqualTo(3);
      ExecutionKey longer = new ExecutionKey("longer", 1);
      target.appendWithExecution(
          longer,
          List.of(new Event(longer, 2, null, STAMP, new EventKind.OrchestrationCompleted(""))));
      raise(target, "same-message", "a");
      raise(source, "same-message", "b");
      raise(source, "new", "c");

      CopyReport report = copy(source, target);

      assertThat(report.copied()).isEqualTo(1);
      assertThat(report.alreadyThere()).isEqualTo(2);
      assertThat(report.isComplete()).isFalse();
      assertThat(report.differences())
          .extracting(CopyReport.Difference::instance)
          .containsExactlyInAnyOrder("longer", "same-message");
      assertThat(report.differences().toString()).contains("executions differ", "messages differ");
    }
  }

  @Test
  @DisplayName("COPY-03 histories are compared event by event")
  void otherHistory() {
    try (Provider source = MemoryProvider.create(clock);
        Provider target = MemoryProvider.create(clock)) {
      ExecutionKey key = new ExecutionKey("x", 1);
      source.appendWithExecution(key, List.of(started(key, "one")));
      target.appendWithExecution(key, List.of(started(key, "two")));
      assertThat(copy(source, target))
          .isEqualTo(
              new CopyReport(
                  0,
                  0,
                  List.of(
                      new CopyReport.Difference(
                          "x",
                          "was in the target before, and is another:"
                              + " history of execution 1 differs"))));
    }
  }

  @Test
  @DisplayName("COPY-04 what is locked is not copied, unless forced; then it is free in the copy")
  void locked() throws InterruptedException {
    OrchestrationFetch fetch = OrchestrationFetch.of(Duration.ofMinutes(1), Duration.ZERO);
    try (Provider source = MemoryProvider.create(clock);
        Provider target = MemoryProvider.create(clock)) {
      source.enqueueForOrchestrator(
          new WorkItem.StartOrchestration("x", "Flow", "in", "1.0.0", null), Duration.ZERO);
      assertThat(source.fetchOrchestrationItem(fetch)).isPresent();
      assertThatThrownBy(() -> copy(source, target))
          .isInstanceOf(ManagementException.StoreInUse.class)
          .hasMessageContaining("1 messages and activities of the source are locked");
      CopyReport forced = StoreCopy.between(source, target).run(Force.YES);
      assertThat(forced).isEqualTo(new CopyReport(1, 0, List.of()));
      assertThat(target.fetchOrchestrationItem(fetch).orElseThrow().attemptCount()).isEqualTo(2);
    }
  }

  @Test
  @DisplayName("COPY-05 a decorated store is copied, and one that does not offer it says so")
  void decorated() {
    try (Provider inner = MemoryProvider.create(clock);
        Provider target = MemoryProvider.create(clock)) {
      raise(inner, "x", "a");
      Provider decorated = new InstrumentedProvider(inner, operation -> {});
      assertThat(copy(decorated, target).copied()).isEqualTo(1);
      ProviderAdmin bare =
          (ProviderAdmin)
              Proxy.newProxyInstance(
                  ProviderAdmin.class.getClassLoader(),
                  new Class<?>[] {ProviderAdmin.class},
                  InvocationHandler::invokeDefault);
      assertThatThrownBy(bare::transfer)
          .isInstanceOf(ProviderException.class)
          .hasMessageContaining("does not offer it");
    }
  }

  @Test
  @DisplayName("COPY-06 one instance that cannot be read is told, and does not stop the others")
  void damaged() throws SQLException {
    try (SqliteProvider source = sqlite("source.db");
        Provider target = MemoryProvider.create(clock)) {
      for (String id : List.of("a", "b", "c")) {
        raise(source, id, "x");
      }
      try (Connection tampering =
              DriverManager.getConnection("jdbc:sqlite:" + folder.resolve("source.db"));
          Statement statement = tampering.createStatement()) {
        statement.execute(
            "UPDATE duroxide_message SET payload = '{' WHERE instance ="
                + " (SELECT key FROM duroxide_instance WHERE id = 'b')");
      }
      CopyReport report = copy(source, target);
      assertThat(report.copied()).isEqualTo(2);
      assertThat(report.differences()).hasSize(1);
      assertThat(report.differences().getFirst().instance()).isEqualTo("b");
      assertThat(report.differences().getFirst().what()).contains("repair or delete the instance");
    }
  }
}
