package io.duroxide.provider.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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

  @ParameterizedTest(name = "{0} more messages")
  @ValueSource(ints = {0, 20})
  @DisplayName(
      "RL-041 by an hour, and whose lock is renewed before anybody has looked, leaves none either")
  void renewed(int more) throws InterruptedException {
    store.enqueueForOrchestrator(
        new WorkItem.StartOrchestration("x", "Order", "{}", "1.0.0", null), Duration.ZERO);
    for (int i = 0; i < more; i++) {
      store.enqueueForOrchestrator(new WorkItem.ExternalRaised("x", "go", "" + i), Duration.ZERO);
    }
    LockedOrchestration locked = fetch().orElseThrow();
    clock.advance(Duration.ofHours(-1));
    store.renewOrchestrationItemLock(locked.lockToken(), Duration.ofMinutes(5));
    store.commitTurn(new TurnSource.Fetched(locked.lockToken()), turn(false), WorkClaim.NONE);
    store.lookAtClock();

    assertThat(fetch()).isEmpty();
  }

  @Test
  @DisplayName("RL-038 by an hour hides no message from a commit that none may be left of")
  void left() throws InterruptedException {
    store.enqueueForOrchestrator(
        new WorkItem.StartOrchestration("x", "Order", "{}", "1.0.0", null), Duration.ZERO);
    TurnSource turn = new TurnSource.Fetched(fetch().orElseThrow().lockToken());
    store.enqueueForOrchestrator(new WorkItem.QueueMessage("x", "mail", "1"), Duration.ZERO);
    TurnCommit last = turn(false).withMustBeEmpty(List.of("mail"));
    clock.advance(Duration.ofHours(-1));

    assertThat(store.commitTurn(turn, last, WorkClaim.NONE)).isEmpty();
  }

  private static final WorkFetch NOBODY =
      WorkFetch.of(Duration.ofMinutes(5), Duration.ZERO).withActivityNames(Set.of("Others"));

  @Test
  @DisplayName("RL-041 by so little that nobody sees to it gives no ended lock of an activity back")
  void barely() throws InterruptedException {
    Duration lock = Duration.ofSeconds(30);
    store.enqueueForWorker(
        new WorkItem.ActivityExecute(
            new ActivityKey("x", 1, 2),
            "Charge",
            "{}",
            ActivityRouting.ANYWHERE,
            new ActivityOrigin("Order", "1.0.0")));
    LockedWork locked = store.fetchWorkItem(WorkFetch.of(lock, Duration.ZERO)).orElseThrow();
    clock.advance(lock);
    assertThat(store.fetchWorkItem(NOBODY)).isEmpty();
    clock.advance(Duration.ofMillis(-900));

    assertThatThrownBy(() -> store.renewWorkItemLock(locked.lockToken(), lock))
        .isInstanceOfSatisfying(
            ProviderException.class,
            refusal -> assertThat(refusal.kind()).isEqualTo(Kind.LOCK_LOST));
    assertThat(store.fetchWorkItem(WorkFetch.of(lock, Duration.ZERO))).isPresent();
  }
}
