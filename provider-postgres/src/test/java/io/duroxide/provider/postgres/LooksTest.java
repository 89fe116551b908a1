package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockTokens;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.SystemTime;
import io.duroxide.provider.WorkFetch;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Looks at the queues")
class LooksTest {
  private static final Duration LOCK = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofSeconds(10);
  private static final long SOON_MILLIS = 20;

  private final Premises premises = Premises.build();
  private final FaultySource source = new FaultySource(premises.pool());
  private final PostgresOptions options =
      PostgresOptions.DEFAULT.withSchema(premises.schema()).withNotifications(false);
  private final PostgresProvider provider = PostgresProvider.open(source.asSource(), options);
  private final Lanes lanes = lanes();

  private Lanes lanes() {
    StoreClock clock = new StoreClock(null, SystemTime.nanos());
    Store store = new Store(premises.pool(), Schema.named(premises.schema()), clock, options);
    Node node = Node.create(clock, new Tokens(LockTokens.random()));
    Lanes made = new Lanes(store, node, Rooms.create(clock), 1);
    made.start();
    return made;
  }

  @AfterEach
  void close() {
    lanes.close();
    provider.close();
    premises.leave();
  }

  private void order(String session) {
    provider.enqueueForWorker(
        new WorkItem.ActivityExecute(
            new ActivityKey("x", 1, 2),
            "Charge",
            "{}",
            new ActivityRouting(session, null),
            new ActivityOrigin("Order", "1.0.0")));
  }

  @Test
  @DisplayName("that may claim no further session are not repeated because of it")
  void refused() throws InterruptedException {
    order("cart");
    WorkFetch fetch =
        WorkFetch.of(LOCK, Duration.ZERO).withSession(new SessionFetchConfig("me", LOCK, 0));
    long before = source.trips();

    assertThat(provider.fetchWorkItem(fetch)).isEmpty();
    assertThat(source.trips() - before).isOne();
  }

  /** Takes hold of all rows of a table, and says nothing. */
  private void hold(Connection holder, String table) throws SQLException {
    holder.setAutoCommit(false);
    try (Statement statement = holder.createStatement()) {
      String all = "SELECT FROM @." + table + " FOR UPDATE";
      statement.execute(Schema.named(premises.schema()).in(all));
    }
  }

  private static void assertSoon(Look<?> look) {
    assertThat(look.found()).isEmpty();
    assertThat(look.next()).isBetween(look.now(), look.now() + SOON_MILLIS);
  }

  @Test
  @DisplayName("that met others at all there was are due again soon")
  void held() throws SQLException {
    order(null);
    provider.enqueueForOrchestrator(
        new WorkItem.StartOrchestration("x", "Order", "{}", "1.0.0", null), Duration.ZERO);
    try (Connection holder = Server.connect()) {
      hold(holder, "instance");
      hold(holder, "work");
      assertSoon(lanes.look(() -> new FetchTurns(OrchestrationFetch.of(LOCK, PATIENCE), 1)));
      assertSoon(lanes.look(() -> new FetchWork(WorkFetch.of(LOCK, PATIENCE), 1)));
    }
  }
}
