package io.duroxide.provider.postgres;

import static java.util.concurrent.CompletableFuture.runAsync;
import static java.util.concurrent.CompletableFuture.supplyAsync;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.LockRenewal;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.RenewalAnswer;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("While another transaction changes a row, nobody waits for it")
class NoWaitTest {
  private static final Duration LOCK = Duration.ofMinutes(5);
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final WorkItem.StartOrchestration START =
      new WorkItem.StartOrchestration("x", "Order", "{}", "1.0.0", null);

  private final Premises premises = Premises.build();
  private final Surgery surgery = new Surgery(premises.schema());
  private final PostgresProvider store = premises.openDeaf();
  private Connection other;

  @BeforeEach
  void connect() throws SQLException {
    other = Server.connect();
    other.setAutoCommit(false);
  }

  @AfterEach
  void close() throws SQLException {
    other.close();
    store.close();
    premises.leave();
  }

  /** As others do, in a transaction that goes on. */
  private void change(String statement) throws SQLException {
    try (Statement change = other.createStatement()) {
      change.execute(Schema.named(premises.schema()).in(statement));
    }
  }

  private Optional<CommittedTurn> begin() {
    return store.commitTurn(new TurnSource.NewInstance(START), FirstTurn.of("x"), WorkClaim.NONE);
  }

  private static final String TAKEN_AT_ONCE =
      """
      SELECT s.o_key FROM @.start_taken(
        NULL, 'e9c3f1a8-0d52-4b5e-9a55-0c8f5f0b1f42', NULL,
        '[{"instance": "x", "name": "Order", "payload": "{}",
          "token": "2f1ed5a6-54f9-4a67-a8a6-3f27a5f0d4a1"}]', 60000) s
      """;

  @Test
  @DisplayName("to start an instance that exists, in whatever way")
  void starts() throws SQLException {
    assertThat(begin()).isPresent();
    change("UPDATE @.instance SET last_event = last_event + 1");

    assertThat(runAsync(() -> store.enqueueForOrchestrator(START, Duration.ZERO)))
        .succeedsWithin(SOON);
    assertThat(supplyAsync(this::begin)).succeedsWithin(SOON).isEqualTo(Optional.empty());
    assertThat(supplyAsync(() -> surgery.text(TAKEN_AT_ONCE))).succeedsWithin(SOON).isNull();
    assertThat(surgery.number("SELECT count(*) FROM @.message")).isEqualTo(2);
  }

  @Test
  @DisplayName("to note that a session was used")
  void sessions() throws SQLException, InterruptedException {
    store.enqueueForWorker(
        new WorkItem.ActivityExecute(
            new ActivityKey("x", 1, 2),
            "Charge",
            "{}",
            new ActivityRouting("cart", null),
            new ActivityOrigin("Order", "1.0.0")));
    LockedWork work =
        store
            .fetchWorkItem(
                WorkFetch.of(LOCK, Duration.ZERO).withSession(new SessionFetchConfig("me", LOCK)))
            .orElseThrow();
    change("UPDATE @.session SET used_at = used_at + 1");

    assertThat(runAsync(() -> store.ackWorkItem(work.lockToken(), null))).succeedsWithin(SOON);
    assertThat(surgery.number("SELECT count(*) FROM @.work")).isZero();
  }

  private String fetched(String instance) throws InterruptedException {
    store.enqueueForOrchestrator(
        new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null), Duration.ZERO);
    return store
        .fetchOrchestrationItem(OrchestrationFetch.of(LOCK, Duration.ZERO))
        .orElseThrow()
        .lockToken();
  }

  private Optional<CommittedTurn> commit(String instance, String token) {
    return store.commitTurn(new TurnSource.Fetched(token), FirstTurn.of(instance), WorkClaim.NONE);
  }

  private static LockRenewal renewal(String token) {
    return new LockRenewal(LockRenewal.Kind.INSTANCE, token, LOCK);
  }

  @Test
  @DisplayName("RL-025 to renew the lock under which a commit is held, or to do anything else")
  void commits() throws SQLException, InterruptedException {
    String held = fetched("x");
    String free = fetched("y");
    change("UPDATE @.instance SET last_event = last_event WHERE id = 'x'");
    CompletableFuture<Optional<CommittedTurn>> waiting = supplyAsync(() -> commit("x", held));

    assertThat(supplyAsync(() -> store.renewLocks(List.of(renewal(held), renewal(free)))))
        .succeedsWithin(SOON)
        .isEqualTo(List.of(RenewalAnswer.IN_USE, RenewalAnswer.RENEWED));
    assertThat(supplyAsync(() -> commit("y", free))).succeedsWithin(SOON);
    assertThat(store.read("x")).isEmpty();

    other.rollback();
    if (waiting.handle((done, contention) -> contention != null).join()) {
      commit("x", held);
    }
    assertThat(store.read("x")).hasSize(1);
  }
}
