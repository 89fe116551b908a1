package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.zaxxer.hikari.HikariDataSource;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.net.URI;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A server out of reach")
class FailureTest {
  private static final Duration PATIENCE = Duration.ofMillis(300);
  private static final ExecutionKey FIRST = new ExecutionKey("x", 1);
  private static final OrchestrationFetch FETCH =
      OrchestrationFetch.of(Duration.ofMinutes(5), Duration.ofSeconds(10));

  private final PostgresOptions options =
      PostgresOptions.DEFAULT
          .withSchema(Server.newSchema())
          .withConnections(3)
          .withPatience(PATIENCE)
          .withAnswerTimeout(Duration.ofSeconds(1));

  private static WorkItem start() {
    return new WorkItem.StartOrchestration("x", "Order", "{}", "1.0.0", null);
  }

  private static TurnCommit firstTurn() {
    EventKind started =
        new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, Inheritance.NOTHING);
    Event event = new Event(FIRST, 1, null, new EventStamp(Instant.EPOCH, "1.0.0"), started);
    return TurnCommit.events(1, List.of(event), ExecutionMetadata.started("Order", "1.0.0"));
  }

  private static void failsForNow(ThrowingCallable call) {
    ProviderException failure = catchThrowableOfType(ProviderException.class, call);
    assertThat(failure).isNotNull();
    assertThat(failure.retryable()).as("%s", failure.getMessage()).isTrue();
  }

  @Test
  @DisplayName("a server that no longer answers fails operations for now; then all goes on")
  void silence() throws InterruptedException {
    URI server = URI.create(Server.url().substring("jdbc:".length()));
    try (Wire wire = new Wire(server.getPort());
        PostgresProvider store =
            PostgresProvider.open(
                Server.url().replace(":" + server.getPort() + "/", ":" + wire.port() + "/"),
                options)) {
      store.enqueueForOrchestrator(start(), Duration.ZERO);
      LockedOrchestration turn = store.fetchOrchestrationItem(FETCH).orElseThrow();

      wire.stall();
      failsForNow(() ->
          store.commitTurn(new TurnSource.Fetched(turn.lockToken()), firstTurn(), WorkClaim.NONE));
      failsForNow(() -> store.read("x"));
      failsForNow(() -> store.fetchOrchestrationItem(FETCH));
      wire.heal();

      Awaitility.await()
          .ignoreException(ProviderException.class)
          .until(() -> store.read("x").isEmpty());
      store.commitTurn(new TurnSource.Fetched(turn.lockToken()), firstTurn(), WorkClaim.NONE);
      assertThat(store.read("x")).hasSize(1);
    }
  }

  @Test
  @DisplayName("a pool that others have emptied fails operations for now; then all goes on")
  void emptyPool() throws SQLException {
    try (HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(Server.url());
      pool.setMaximumPoolSize(3);
      pool.setConnectionTimeout(PATIENCE.toMillis());
      try (PostgresProvider store = PostgresProvider.open(pool, options)) {
        List<Connection> taken = new ArrayList<>();
        for (int i = 0; i < pool.getMaximumPoolSize(); i++) {
          taken.add(pool.getConnection());
        }

        failsForNow(() -> store.enqueueForOrchestrator(start(), Duration.ZERO));
        failsForNow(() -> store.read("x"));

        for (Connection connection : taken) {
          connection.close();
        }
        store.enqueueForOrchestrator(start(), Duration.ZERO);
        assertThat(store.management().orElseThrow().queueDepths().orchestrator().ready()).isOne();
      }
    }
  }

  private static final String CONNECTED =
      """
      SELECT count(*) FROM pg_stat_activity WHERE application_name = ?
      """;

  @Test
  @DisplayName("a store that cannot be opened leaves no connection behind")
  void notOpened() {
    PostgresProvider.open(Server.url(), options).close();
    Surgery surgery = new Surgery(options.schema());
    surgery.run("DROP FUNCTION @.store_now");
    String url = Server.url() + "&ApplicationName=" + options.schema();

    assertThatThrownBy(() -> PostgresProvider.open(url, options))
        .isInstanceOf(ProviderException.class);
    Awaitility.await().until(() -> surgery.number(CONNECTED, options.schema()) == 0);
  }

  /** What a pool's only connection meets after its server has become a standby. */
  private static void demote(HikariDataSource pool) throws SQLException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("SET default_transaction_read_only = on");
    }
  }

  @Test
  @DisplayName("a connection to a server that only reads since a fail-over is not used again")
  void standby() throws SQLException {
    PostgresOptions patient = options.withPatience(Duration.ofSeconds(10)).withNotifications(false);
    try (HikariDataSource pool = new HikariDataSource()) {
      pool.setJdbcUrl(Server.url());
      pool.setMaximumPoolSize(1);
      try (PostgresProvider store = PostgresProvider.open(pool, patient)) {
        demote(pool);
        store.enqueueForOrchestrator(start(), Duration.ZERO);
        assertThat(store.management().orElseThrow().queueDepths().orchestrator().ready()).isOne();

        demote(pool);
        assertThat(store.renewSessionLock(List.of("a"), PATIENCE, PATIENCE)).isZero();
      }
    }
  }
}
