package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@DisplayName("A server's clock that is set back during a turn")
class SetBackTest {
  private static final OrchestrationFetch FETCH =
      OrchestrationFetch.of(Duration.ofMinutes(5), Duration.ZERO);

  private final Premises premises = Premises.build();
  private final TestClock clock = new TestClock();
  private final PostgresProvider store =
      PostgresProvider.open(
          premises.pool(),
          PostgresOptions.DEFAULT
              .withSchema(premises.schema())
              .withNotifications(false)
              .withClock(clock));

  @AfterEach
  void close() {
    store.close();
    premises.leave();
  }

  private Optional<LockedOrchestration> fetch() throws InterruptedException {
    return store.fetchOrchestrationItem(FETCH);
  }

  /**
   * A first turn.
   *
   * @param tells whether it does more than usual
   */
  private static TurnCommit turn(boolean tells) {
    TurnCommit turn = FirstTurn.of("x");
    WorkItem told = new WorkItem.ExternalRaised("nobody", "go", "1");
    return tells ? turn.withOrchestratorItems(List.of(told)) : turn;
  }

  @ParameterizedTest(name = "{0} more messages, the turn tells others: {1}")
  @CsvSource({"0, false", "0, true", "150, true"})
  @DisplayName("leaves no message to be delivered again, nor those away that came meanwhile")
  void once(int more, boolean tells) throws InterruptedException {
    store.enqueueForOrchestrator(
        new WorkItem.StartOrchestration("x", "Order", "{}", "1.0.0", null), Duration.ZERO);
    for (int i = 0; i < more; i++) {
      store.enqueueForOrchestrator(new WorkItem.ExternalRaised("x", "go", "" + i), Duration.ZERO);
    }
    LockedOrchestration locked = fetch().orElseThrow();
    assertThat(locked.item().messages().items()).hasSize(1 + more);
    clock.advance(Duration.ofMillis(-10));
    WorkItem late = new WorkItem.ExternalRaised("x", "late", "1");
    store.enqueueForOrchestrator(late, Duration.ZERO);
    store.commitTurn(new TurnSource.Fetched(locked.lockToken()), turn(tells), WorkClaim.NONE);
    clock.advance(Duration.ofMillis(20));

    assertThat(fetch().orElseThrow().item().messages().items()).containsExactly(late);
  }
}
