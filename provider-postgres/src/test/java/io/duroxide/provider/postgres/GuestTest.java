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
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Fetches that wait")
class GuestTest {
  private static final Duration LOCK = Duration.ofMinutes(5);

  /** Less than a fetch that hears nothing waits before it looks by itself. */
  private static final Duration PATIENCE = Duration.ofSeconds(3);

  private final Premises premises = Premises.build();
  private final Surgery surgery = new Surgery(premises.schema());
  private final PostgresOptions options = premises.options();
  private final PostgresProvider store = PostgresProvider.open(premises.pool(), options);

  @AfterEach
  void close() {
    store.close();
    premises.leave();
  }

  private static WorkItem start(String instance) {
    return new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null);
  }

  private static TurnCommit firstTurn() {
    Event event =
        new Event(
            new ExecutionKey("x", 1),
            1,
            null,
            new EventStamp(Instant.EPOCH, "1.0.0"),
            new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, Inheritance.NOTHING));
    return TurnCommit.events(1, List.of(event), ExecutionMetadata.started("Order", "1.0.0"));
  }

  private static Optional<LockedOrchestration> fetch(PostgresProvider from, Duration patience) {
    try {
      return from.fetchOrchestrationItem(OrchestrationFetch.of(LOCK, patience));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** A fetch of another thread that has found nothing and waits. */
  private CompletableFuture<Optional<LockedOrchestration>> waiting() {
    CompletableFuture<Optional<LockedOrchestration>> answer = new CompletableFuture<>();
    Thread waiter = Thread.ofVirtual().start(() -> answer.complete(fetch(store, PATIENCE)));
    // Not for an answer of the store, but for work.
    Awaitility.await().until(() -> LockSupport.getBlocker(waiter) instanceof Condition);
    return answer;
  }

  private static LockedOrchestration found(
      CompletableFuture<Optional<LockedOrchestration>> answer) {
    return answer.orTimeout(10, TimeUnit.SECONDS).join().orElseThrow();
  }

  @Test
  @DisplayName("get a new instance as it is started, locked and whole")
  void starts() {
    CompletableFuture<Optional<LockedOrchestration>> waiter = waiting();
    store.enqueueForOrchestrator(start("x"), Duration.ZERO);

    LockedOrchestration turn = found(waiter);
    assertThat(turn.item().messages().items()).containsExactly(start("x"));
    assertThat(turn.item().orchestrationName()).isEqualTo("Order");
    assertThat(turn.attemptCount()).isEqualTo(1);
    assertThat(fetch(store, Duration.ZERO)).isEmpty();
    store.renewOrchestrationItemLock(turn.lockToken(), LOCK);

    store.abandonOrchestrationItem(turn.lockToken(), Duration.ZERO, false);
    assertThat(fetch(store, Duration.ZERO).orElseThrow().attemptCount()).isEqualTo(2);
  }

  @Test
  @DisplayName("get the start of an instance that others have heard of with what waited for it")
  void knownInstance() {
    WorkItem event = new WorkItem.ExternalRaised("x", "go", "1");
    store.enqueueForOrchestrator(event, Duration.ZERO);
    CompletableFuture<Optional<LockedOrchestration>> waiter = waiting();
    store.enqueueForOrchestrator(start("x"), Duration.ZERO);

    assertThat(found(waiter).item().messages().items()).containsExactly(event, start("x"));
  }

  private static final String REPEATED =
      """
      SELECT string_agg(s.o_key || ' ' || s.o_seq, ', ') FROM @.start_taken(
        NULL, 'e9c3f1a8-0d52-4b5e-9a55-0c8f5f0b1f42', NULL,
        '[{"instance": "a", "name": "Order", "payload": "{}",
            "token": "2f1ed5a6-54f9-4a67-a8a6-3f27a5f0d4a1"},
          {"instance": "b", "name": "Order", "payload": "{}",
            "token": "74a3c3b4-9d0e-4e36-9f6a-6a1f6d0a2c11"}]', 60000) s
      """;

  @Test
  @DisplayName("starts whose answer was lost are not repeated, and still locked")
  void repeated() {
    String first = surgery.text(REPEATED);

    assertThat(surgery.text(REPEATED)).isEqualTo(first).contains(", ");
    assertThat(surgery.number("SELECT count(*) FROM @.message")).isEqualTo(2);
  }

  @Test
  @DisplayName("find soon what waited for the turn of another node, although nobody tells")
  void behindTurn() {
    try (PostgresProvider silent =
        PostgresProvider.open(premises.pool(), options.withNotifications(false))) {
      silent.enqueueForOrchestrator(start("x"), Duration.ZERO);
      LockedOrchestration turn = fetch(silent, Duration.ZERO).orElseThrow();
      WorkItem event = new WorkItem.ExternalRaised("x", "go", "1");
      silent.enqueueForOrchestrator(event, Duration.ZERO);
      CompletableFuture<Optional<LockedOrchestration>> waiter = waiting();
      silent.commitTurn(new TurnSource.Fetched(turn.lockToken()), firstTurn(), WorkClaim.NONE);

      assertThat(found(waiter).item().messages().items()).containsExactly(event);
    }
  }
}
