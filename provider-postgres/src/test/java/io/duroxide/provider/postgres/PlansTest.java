package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
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
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("What the planner believes about tables")
class PlansTest {
  private static final int INSTANCES = 200;
  private static final int STEPS = 10;
  private static final Duration PATIENCE = Duration.ofMinutes(1);
  private static final Activity<String, String> ECHO =
      Activity.of("Echo", String.class, String.class);
  private static final Orchestration<String, String> FAN =
      Orchestration.of("Fan", String.class, String.class);

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

  private void vacuumEmpty() {
    surgery.update("VACUUM ANALYZE @.instance, @.execution, @.history, @.message, @.work");
  }

  /** How many entries of one index were read; those who leave tell. */
  private long entriesRead() {
    premises.leave();
    Awaitility.await().until(() -> surgery.number(NODES, premises.schema()) == 0);
    return surgery.number(ENTRIES, premises.schema());
  }

  @Test
  @DisplayName("tables that were vacuumed while empty are not walked through as they grow")
  void vacuumedEmpty() throws InterruptedException {
    PostgresOptions options = PostgresOptions.DEFAULT.withSchema(premises.schema());
    try (PostgresProvider store = PostgresProvider.open(premises.pool(), options)) {
      vacuumEmpty();
      for (int i = 0; i < INSTANCES; i++) {
        turn(store, "order-" + i);
      }
      assertThat(store.read("order-7")).hasSize(1);
    }
    assertThat(entriesRead()).isBetween((long) INSTANCES, (long) INSTANCES * MOST_ENTRIES);
  }

  @Test
  @DisplayName("nor are they by groups of operations")
  void vacuumedEmptyGroups() {
    PostgresOptions options = PostgresOptions.DEFAULT.withSchema(premises.schema());
    try (PostgresProvider store = PostgresProvider.open(premises.pool(), options)) {
      vacuumEmpty();
      DuroxideRuntime node =
          DuroxideRuntime.builder(store)
              .activity(ECHO, (ctx, in) -> in)
              .orchestration(FAN, PlansTest::fan)
              .start();
      Client client = Client.of(store);
      for (int i = 0; i < INSTANCES; i++) {
        client.start(FAN, "fan-" + i, "in");
      }
      for (int i = 0; i < INSTANCES; i++) {
        assertThat(client.waitFor(FAN, "fan-" + i, PATIENCE)).isEqualTo("done");
      }
      node.close();
    }
    assertThat(entriesRead())
        .isBetween((long) INSTANCES * STEPS, (long) INSTANCES * STEPS * MOST_ENTRIES);
  }

  /** Steps one by one, then as many at once, so that all functions have something to do. */
  private static String fan(OrchestrationContext ctx, String in) {
    for (int i = 0; i < STEPS / 2; i++) {
      ctx.call(ECHO, in).await();
    }
    List<DurableFuture<String>> all = new ArrayList<>();
    for (int i = 0; i < STEPS / 2; i++) {
      all.add(ctx.call(ECHO, in));
    }
    all.forEach(DurableFuture::await);
    return "done";
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
    store.commitTurn(
        new TurnSource.Fetched(turn.lockToken()),
        TurnCommit.events(1, List.of(event), ExecutionMetadata.started("Order", "1.0.0")),
        WorkClaim.NONE);
  }

  private static final int MESSAGES = 20_000;

  @Test
  @DisplayName("RL-024 a commit of 20,000 messages looks at no more rows for each than one of few")
  void manyMessages() {
    PostgresOptions options = PostgresOptions.DEFAULT.withSchema(premises.schema());
    List<WorkItem> messages = new ArrayList<>();
    for (int i = 0; i < MESSAGES; i++) {
      messages.add(new WorkItem.ExternalRaised(i % 2 == 0 ? "x" : "other " + i, "go", "1"));
    }
    try (PostgresProvider store = PostgresProvider.open(premises.pool(), options)) {
      vacuumEmpty();
      WorkItem.StartOrchestration start =
          new WorkItem.StartOrchestration("x", "Order", "{}", "1.0.0", null);
      assertThat(
              store.commitTurn(
                  new TurnSource.NewInstance(start),
                  FirstTurn.of("x").withOrchestratorItems(messages),
                  WorkClaim.NONE))
          .isPresent();
    }
    assertThat(entriesRead()).isBetween((long) MESSAGES, (long) MESSAGES * MOST_ENTRIES);
  }
}
