package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@DisplayName("A step whose activity is taken over at the same moment")
class StepRaceTest {
  private static final Duration LOCK = Duration.ofMinutes(5);
  private static final String VERSION = "1.0.0";

  private final Premises premises = Premises.build();
  private final Surgery surgery = new Surgery(premises.schema());
  private final PostgresProvider store = premises.openDeaf();

  @AfterEach
  void close() {
    store.close();
    premises.leave();
  }

  /** Begins an instance whose activity 2 the caller runs. */
  private CommittedTurn begin() {
    EventKind scheduled = new EventKind.ActivityScheduled("Charge", "{}", null, null);
    WorkItem activity =
        new WorkItem.ActivityExecute(
            new ActivityKey("x", 1, 2),
            "Charge",
            "{}",
            ActivityRouting.ANYWHERE,
            new ActivityOrigin("Order", VERSION));
    TurnCommit turn =
        TurnCommit.events(
                1,
                List.of(FirstTurn.started("x"), FirstTurn.event("x", 2, scheduled)),
                ExecutionMetadata.started("Order", VERSION))
            .withWorkerItems(List.of(activity));
    WorkItem.StartOrchestration start =
        new WorkItem.StartOrchestration("x", "Order", "{}", VERSION, null);
    return store
        .commitTurn(new TurnSource.NewInstance(start), turn, new WorkClaim(LOCK, Set.of(2L)))
        .orElseThrow();
  }

  private static final TurnCommit USUAL =
      TurnCommit.events(
          1,
          List.of(FirstTurn.event("x", 3, new EventKind.ActivityCompleted("1"))),
          ExecutionMetadata.NONE);

  static List<TurnCommit> turns() {
    return List.of(
        USUAL, USUAL.withOrchestratorItems(List.of(new WorkItem.ExternalRaised("y", "go", "1"))));
  }

  private static final String OTHERS =
      """
      UPDATE @.work SET token = gen_random_uuid()
      """;

  private static final String WAITING =
      """
      SELECT count(*) FROM pg_stat_activity WHERE application_name = ? AND wait_event_type = 'Lock'
      """;

  @ParameterizedTest
  @MethodSource("turns")
  @DisplayName("is not committed, whichever way it goes")
  void takenOver(TurnCommit turn) throws SQLException {
    CommittedTurn begun = begin();
    String lock = begun.claimed().getFirst().lockToken();
    CachedHistory.Tip tip = new CachedHistory.Tip(2, begun.commitToken());
    TurnSource step = new TurnSource.AfterActivity(lock, new ExecutionKey("x", 1), tip);

    CompletableFuture<Optional<CommittedTurn>> answer;
    try (Connection other = Server.connect();
        Statement statement = other.createStatement()) {
      other.setAutoCommit(false);
      statement.execute(Schema.named(premises.schema()).in(OTHERS));
      answer = CompletableFuture.supplyAsync(() -> store.commitTurn(step, turn, WorkClaim.NONE));
      Awaitility.await().until(() -> surgery.number(WAITING, premises.schema()) > 0);
      other.commit();
    }

    assertThatThrownBy(answer::join)
        .cause()
        .isInstanceOfSatisfying(
            ProviderException.class,
            refusal -> assertThat(refusal.kind()).isEqualTo(Kind.LOCK_LOST));
    assertThat(store.read("x")).hasSize(2);
    assertThat(surgery.number("SELECT count(*) FROM @.work")).isOne();
  }
}
