package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.MailboxRules;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.QueueRoom;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Messages that wait for the next execution are lost if they are fetched without the continuation,
 * which the commit sends that ends the execution before.
 */
@DisplayName("A message that is committed after a fetch began to look")
class LateMessageTest {
  private static final OrchestrationFetch FETCH =
      OrchestrationFetch.of(Duration.ofMinutes(5), Duration.ZERO);

  /** What the commit of a turn does for whoever comes next. */
  private static final String COMMIT =
      """
      SELECT pg_sleep(0.01);
      INSERT INTO @.message (instance, visible_at, created_at, kind, parked, payload)
      SELECT m.instance, (extract(epoch FROM clock_timestamp()) * 1000)::bigint, m.created_at, m.kind, m.parked,
        replace(m.payload, 'early', 'late')
      FROM @.message m
      """;

  /** A message that is being sent, by someone for whom whoever parks the one before has to wait. */
  private static final String SEND_BEHIND =
      """
      SELECT FROM @.message m WHERE m.payload LIKE '%second%' FOR UPDATE;
      INSERT INTO @.message (instance, visible_at, created_at, kind, parked, name, payload)
      SELECT m.instance, m.visible_at, m.created_at, m.kind, m.parked, m.name, replace(m.payload, 'second', 'third')
      FROM @.message m WHERE m.payload LIKE '%second%'
      """;

  private static final String WAITING =
      """
      SELECT count(*) FROM pg_stat_activity WHERE application_name = ? AND wait_event_type = 'Lock'
      """;

  private final Premises premises = Premises.take();
  private final PostgresProvider store = premises.openDeaf();
  private final Surgery surgery = new Surgery(premises.schema());

  @AfterEach
  void close() {
    store.close();
    premises.giveBack();
  }

  private Optional<LockedOrchestration> fetch() {
    try {
      return store.fetchOrchestrationItem(FETCH);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  private void begin(MailboxRules rules) {
    store.enqueueForOrchestrator(
        new WorkItem.StartOrchestration("x", "Order", "{}", "1.0.0", null), Duration.ZERO);
    commit(fetch(), FirstTurn.of("x").withMailboxes(rules));
  }

  private void commit(Optional<LockedOrchestration> fetched, TurnCommit turn) {
    store.commitTurn(
        new TurnSource.Fetched(fetched.orElseThrow().lockToken()), turn, WorkClaim.NONE);
  }

  private void send(String text) {
    store.enqueueForOrchestrator(new WorkItem.QueueMessage("x", "mail", text), Duration.ZERO);
  }

  private static List<String> texts(Optional<LockedOrchestration> fetched) {
    return fetched.orElseThrow().item().messages().items().stream()
        .map(item -> ((WorkItem.QueueMessage) item).data())
        .toList();
  }

  @Test
  @DisplayName("belongs to the batch, if its instance was locked later")
  void belongs() throws SQLException {
    begin(MailboxRules.FIRST);
    send("early");

    CompletableFuture<Optional<LockedOrchestration>> answer;
    try (Connection other = Server.connect();
        Statement statement = other.createStatement()) {
      Schema schema = Schema.named(premises.schema());
      other.setAutoCommit(false);
      statement.execute(schema.in("LOCK TABLE @.message IN ACCESS EXCLUSIVE MODE"));
      answer = CompletableFuture.supplyAsync(this::fetch);
      Awaitility.await().until(() -> surgery.number(WAITING, premises.schema()) > 0);
      statement.execute(schema.in(COMMIT));
      other.commit();
    }

    assertThat(texts(answer.join())).containsExactly("early", "late");
  }

  @Test
  @DisplayName("RL-027 waits, if it comes while the fetch parks those before it that have no room")
  void overtakesNobody() throws SQLException {
    MailboxRules narrow = MailboxRules.FIRST.with("mail", new QueueRoom(1, 100));
    begin(narrow);
    send("first");
    send("second");

    CompletableFuture<Optional<LockedOrchestration>> answer;
    try (Connection other = Server.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute(Schema.named(premises.schema()).in(SEND_BEHIND));
      answer = CompletableFuture.supplyAsync(this::fetch);
      Awaitility.await().until(() -> surgery.number(WAITING, premises.schema()) > 0);
      other.commit();
    }

    assertThat(texts(answer.join())).containsExactly("first");
    commit(answer.join(), TurnCommit.nothing(1).withMailboxes(narrow));
    Optional<LockedOrchestration> next = fetch();
    assertThat(texts(next)).containsExactly("second");
    commit(next, TurnCommit.nothing(1).withMailboxes(narrow));
    assertThat(texts(fetch())).containsExactly("third");
  }
}
