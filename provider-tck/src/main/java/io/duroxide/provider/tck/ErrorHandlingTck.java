package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** ERR: errors have the right kind and change nothing (6). */
public abstract class ErrorHandlingTck extends ProviderTck {
  /** For subclasses. */
  protected ErrorHandlingTck() {}

  @Test
  @DisplayName("TCK-ERR-01 an ack with an unknown token is refused for good")
  void unknownToken() {
    lost(() ->
        provider.commitTurn(new TurnSource.Fetched(NO_TOKEN), firstTurn("x"), WorkClaim.NONE));
    assertThat(provider.read("x")).isEmpty();
  }

  @Test
  @DisplayName("TCK-ERR-02 an event id that is stored already is refused")
  void duplicateEvent() {
    create("x");
    List<Event> before = provider.read("x");
    poke("x");
    LockedOrchestration locked = fetched("x");
    Event other = Events.of(first("x"), 1, new EventKind.ExternalEvent("signal", "poke"));

    fails(
        Kind.DUPLICATE_EVENT,
        () -> ack(locked, TurnCommit.events(1, List.of(other), ExecutionMetadata.NONE)));

    assertThat(provider.read("x")).isEqualTo(before);
  }

  @Test
  @DisplayName("TCK-ERR-03 an unknown instance reads as an empty history")
  void unknownInstance() {
    assertThat(provider.read("nobody")).isEmpty();
    assertThat(provider.readWithExecution(first("nobody"))).isEmpty();
  }

  @Test
  @DisplayName("TCK-ERR-04 a fetch from an empty store finds nothing and does not fail")
  void emptyStore() {
    nothingToFetch();
    noWork();
  }

  @Test
  @DisplayName("TCK-ERR-05 an ack after the lock expired is refused")
  void expired() {
    start("x");
    LockedOrchestration locked = fetched(timeout());
    letLocksExpire();

    lost(() -> ack(locked, firstTurn("x")));

    assertThat(provider.read("x")).isEmpty();
  }

  @Test
  @DisplayName("TCK-ERR-12 abandoning an activity with an unknown token is refused")
  void abandonUnknownWork() {
    lost(() -> provider.abandonWorkItem(NO_TOKEN, Duration.ZERO, false));
  }

  @Test
  @DisplayName("TCK-ERR-13 renewing an instance lock with an unknown token is refused")
  void renewUnknownLock() {
    lost(() -> provider.renewOrchestrationItemLock(NO_TOKEN, LOCK));
  }

  @Test
  @DisplayName("TCK-ERR-14 a used token is worth nothing")
  void usedTokens() {
    start("x");
    LockedOrchestration turn = fetched("x");
    ack(turn, firstTurn("x"));
    turnLost(turn.lockToken());

    act("x", 2);
    LockedWork activity = work(2);
    provider.ackWorkItem(activity.lockToken(), Items.completed("x", 2));
    workLost(activity.lockToken());
    assertThat(messages(fetched("x"))).hasSize(1);
  }

  @Test
  @DisplayName("TCK-ERR-18 a lock timeout must be positive")
  void lockTimeout() {
    start("x");
    act("x", 2);
    for (Duration wrong : List.of(Duration.ZERO, Duration.ofMillis(-1))) {
      fails(Kind.INVALID_INPUT, () -> fetch(wrong));
      fails(Kind.INVALID_INPUT, () -> wfetch(wrong));
    }
    assertThat(fetched("x").attemptCount()).isEqualTo(1);
    assertThat(work(2).attemptCount()).isEqualTo(1);
  }

  @Test
  @DisplayName("TCK-ERR-19 a token of one queue is worth nothing in the other")
  void foreignTokens() {
    create("x");
    poke("x");
    act("x", 2);
    LockedOrchestration turn = fetched("x");
    LockedWork activity = work(2);

    turnLost(activity.lockToken());
    workLost(turn.lockToken());

    nothingToFetch();
    noWork();
    provider.ackWorkItem(activity.lockToken(), null);
    drain(turn);
  }

  @Test
  @DisplayName("TCK-ERR-61 activities and events have ids from 1 on")
  void idsBeginAtOne() {
    create("x");
    poke("x");
    LockedOrchestration turn = fetched("x");
    for (long wrong : new long[] {0, -1}) {
      fails(Kind.INVALID_INPUT, () -> act("x", wrong));
      fails(
          Kind.INVALID_INPUT,
          () ->
              ack(
                  turn,
                  TurnCommit.nothing(1).withWorkerItems(List.of(Items.activity("x", wrong)))));
      fails(Kind.INVALID_INPUT, () -> enqueue(Items.completed("x", wrong)));
      List<Event> events = List.of(Events.scheduled(first("x"), wrong));
      fails(
          Kind.INVALID_INPUT,
          () -> ack(turn, TurnCommit.events(1, events, ExecutionMetadata.NONE)));
      fails(Kind.INVALID_INPUT, () -> provider.appendWithExecution(first("x"), events));
    }

    drain(turn);
    noWork();
    nothingToFetch();
    assertThat(provider.read("x")).hasSize(1);
  }

  /** Every operation on an instance lock refuses this token. */
  private void turnLost(String token) {
    lost(() ->
        provider.commitTurn(new TurnSource.Fetched(token), TurnCommit.nothing(1), WorkClaim.NONE));
    lost(() -> provider.renewOrchestrationItemLock(token, LOCK));
    lost(() -> provider.abandonOrchestrationItem(token, Duration.ZERO, false));
  }

  /** Every operation on an activity lock refuses this token. */
  private void workLost(String token) {
    lost(() -> provider.ackWorkItem(token, null));
    lost(() -> provider.ackWorkItem(token, Items.completed("x", 2)));
    lost(() -> provider.renewWorkItemLock(token, LOCK));
    lost(() -> provider.abandonWorkItem(token, Duration.ZERO, false));
  }
}
