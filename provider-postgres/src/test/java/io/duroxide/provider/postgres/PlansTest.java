package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.TurnCommit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What the planner believes about tables")
class PlansTest {
  private static final int INSTANCES = 200;

  /** Entries of an index that a turn may read; to walk through a table takes 100 on average. */
  private static final int MOST_ENTRIES = 25;

  private static final OrchestrationFetch FETCH =
      OrchestrationFetch.of(Duration.ofMinutes(5), Duration.ZERO);

  private final Premises premises = Premises.build();
  private final Surgery surgery = new Surgery(premises.schema());

  // The head of the line is passed over: what was deleted there is read for as long as anybody on
  // the server may still see it.
  private static final String ENTRIES =
      """
      SELECT max(idx_tup_read) FROM pg_stat_user_indexes
      WHERE schemaname = ? AND indexrelname <> 'message_line'
      """;

  private static final String NODES =
      """
      SELECT count(*) FROM pg_stat_activity WHERE application_name = ?
      """;

  @Test
  @DisplayName("tables that were vacuumed while empty are not walked through as they grow")
  void vacuumedEmpty() throws InterruptedException {
    PostgresOptions options = PostgresOptions.DEFAULT.withSchema(premises.schema());
    try (PostgresProvider store = PostgresProvider.open(premises.pool(), options)) {
      surgery.update("VACUUM ANALYZE @.instance, @.execution, @.history, @.message, @.work");
      for (int i = 0; i < INSTANCES; i++) {
        turn(store, "order-" + i);
      }
      assertThat(store.read("order-7")).hasSize(1);
    }
    premises.leave();

    // Those who leave tell what they have read.
    Awaitility.await().until(() -> surgery.number(NODES, premises.schema()) == 0);
    assertThat(surgery.number(ENTRIES, premises.schema()))
        .isBetween((long) INSTANCES, (long) INSTANCES * MOST_ENTRIES);
  }

  private static void turn(PostgresProvider store, String instance) throws InterruptedException {
    store.enqueueForOrchestrator(
        new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null), Duration.ZERO);
    LockedOrchestration turn = store.fetchOrchestrationItem(FETCH).orElseThrow();
    EventKind started =
        new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, Inheritance.NOTHING);
    Event event =
        new Event(
            new ExecutionKey(instance, 1),
            1,
            null,
            new EventStamp(Instant.EPOCH, "1.0.0"),
            started);
    store.ackOrchestrationItem(
        turn.lockToken(),
        TurnCommit.events(1, List.of(event), ExecutionMetadata.started("Order", "1.0.0")));
  }
}
