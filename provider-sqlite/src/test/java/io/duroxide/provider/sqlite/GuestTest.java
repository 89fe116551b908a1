package io.duroxide.provider.sqlite;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CachedHistory;
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
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A fetch that runs with the commit it waited for")
class GuestTest {
  private static final Duration LOCK = Duration.ofMinutes(5);
  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final SqliteProvider store = SqliteProvider.inMemory();

  @AfterEach
  void close() {
    store.close();
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

  private Optional<LockedOrchestration> fetch(OrchestrationFetch request) {
    try {
      return store.fetchOrchestrationItem(request);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Whether a thread waits for work, and not for an answer of the store. */
  private static boolean isSeated(Thread waiter) {
    return LockSupport.getBlocker(waiter) instanceof Condition;
  }

  /** A fetch of another thread that has found nothing and waits. */
  private CompletableFuture<Optional<LockedOrchestration>> waiting(OrchestrationFetch request) {
    CompletableFuture<Optional<LockedOrchestration>> answer = new CompletableFuture<>();
    Thread waiter =
        Thread.ofVirtual()
            .start(() -> {
              try {
                answer.complete(fetch(request));
              } catch (RuntimeException failure) {
                answer.completeExceptionally(failure);
              }
            });
    while (!isSeated(waiter)) {
      Thread.onSpinWait();
    }
    return answer;
  }

  @Test
  @DisplayName("has what was sent, locked")
  void taken() {
    CompletableFuture<Optional<LockedOrchestration>> waiter =
        waiting(OrchestrationFetch.of(LOCK, PATIENCE));
    store.enqueueForOrchestrator(start("x"), Duration.ZERO);

    LockedOrchestration turn = waiter.join().orElseThrow();
    assertThat(turn.item().messages().items()).containsExactly(start("x"));
    assertThat(turn.attemptCount()).isEqualTo(1);
    assertThat(fetch(OrchestrationFetch.of(LOCK, Duration.ZERO))).isEmpty();
  }

  @Test
  @DisplayName("fails alone, and what was sent is there for others")
  void failsAlone() {
    store.enqueueForOrchestrator(start("x"), Duration.ZERO);
    LockedOrchestration first = fetch(OrchestrationFetch.of(LOCK, Duration.ZERO)).orElseThrow();
    store.commitTurn(new TurnSource.Fetched(first.lockToken()), firstTurn(), WorkClaim.NONE);
    CachedHistory broken =
        execution -> {
          throw new IllegalStateException("on purpose");
        };
    CompletableFuture<Optional<LockedOrchestration>> waiter =
        waiting(OrchestrationFetch.of(LOCK, PATIENCE).withCached(broken));
    WorkItem event = new WorkItem.ExternalRaised("x", "go", "1");
    store.enqueueForOrchestrator(event, Duration.ZERO);

    assertThat(waiter.handle((found, failure) -> failure).join()).hasMessage("on purpose");
    LockedOrchestration turn = fetch(OrchestrationFetch.of(LOCK, Duration.ZERO)).orElseThrow();
    assertThat(turn.item().messages().items()).containsExactly(event);
    assertThat(turn.attemptCount()).isEqualTo(1);
  }
}
