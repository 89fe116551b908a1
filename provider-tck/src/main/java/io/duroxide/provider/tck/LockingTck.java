package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** LOCK: what the lock of an instance blocks and what it does not (5, 7.2). */
public abstract class LockingTck extends ProviderTck {
  /** Far more than an operation that waits for nobody takes. */
  private static final Duration PROMPT = Duration.ofSeconds(5);

  /** For subclasses. */
  protected LockingTck() {}

  @Test
  @DisplayName("TCK-LOCK-01 a locked instance is not fetched again before the lock expires")
  void exclusive() {
    start("x");
    LockedOrchestration first = fetched(timeout());
    nothingToFetch();

    letLocksExpire();

    assertThat(fetched("x").lockToken()).isNotEqualTo(first.lockToken());
  }

  @Test
  @DisplayName("TCK-LOCK-02 every fetch has a token of its own")
  void uniqueTokens() {
    Set<String> tokens = new HashSet<>();
    IntStream.range(0, 5).forEach(i -> start("x-" + i));
    IntStream.range(0, 5).forEach(i -> tokens.add(fetched().lockToken()));
    assertThat(tokens).hasSize(5);
  }

  @Test
  @DisplayName("TCK-LOCK-03 a token that nobody holds does nothing")
  void bogusToken() {
    start("x");
    fetched("x");

    lost(() ->
        provider.commitTurn(new TurnSource.Fetched(NO_TOKEN), firstTurn("x"), WorkClaim.NONE));
    lost(() -> provider.abandonOrchestrationItem(NO_TOKEN, Duration.ZERO, false));

    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-LOCK-05 messages that arrive while locked wait for the lock")
  void arrivalsWait() {
    start("x");
    fetched(timeout());
    List<WorkItem> arrivals =
        List.of(Items.completed("x", 1), Items.completed("x", 2), Items.completed("x", 3));
    arrivals.forEach(this::enqueue);
    nothingToFetch();

    letLocksExpire();

    assertThat(messages(fetched("x")))
        .isEqualTo(Stream.concat(Stream.of(Items.start("x")), arrivals.stream()).toList());
  }

  @Test
  @DisplayName("TCK-LOCK-06 a lock blocks no other instance")
  void isolation() {
    create("a");
    create("b");
    poke("a");
    poke("b");
    fetched("a");

    drain(fetched("b"));
    poke("b");

    fetched("b");
    poke("a");
    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-LOCK-07 an ack consumes its batch and leaves what came later")
  void laterArrivalStays() {
    start("x");
    enqueue(Items.raised("x", "second"));
    LockedOrchestration locked = fetched("x");
    assertThat(messages(locked)).hasSize(2);
    enqueue(Items.raised("x", "third"));

    ack(locked, firstTurn("x"));

    assertThat(messages(fetched("x"))).containsExactly(Items.raised("x", "third"));
  }

  @Test
  @DisplayName("TCK-LOCK-08 later arrivals come as one batch in their order")
  void laterArrivalsInOrder() {
    start("x");
    LockedOrchestration locked = fetched("x");
    enqueue(Items.raised("x", "2"));
    enqueue(Items.raised("x", "3"));
    nothingToFetch();

    ack(locked, firstTurn("x"));

    assertThat(messages(fetched("x")))
        .containsExactly(Items.raised("x", "2"), Items.raised("x", "3"));
  }

  @Test
  @DisplayName("TCK-LOCK-14 after a take-over only the new holder commits")
  void takeOver() {
    create("x");
    poke("x");
    LockedOrchestration a = fetched(timeout());
    letLocksExpire();
    LockedOrchestration b = fetched("x");

    lost(() -> ack(a, next(a, new EventKind.ExternalEvent("signal", "from a"))));
    ack(b, next(b, new EventKind.ExternalEvent("signal", "from b")));

    assertThat(provider.read("x"))
        .containsExactly(
            Events.started(first("x")),
            Events.of(first("x"), 2, new EventKind.ExternalEvent("signal", "from b")));
  }

  @Test
  @DisplayName("TCK-LOCK-15 a former holder cannot renew the new holder's lock")
  void staleRenew() {
    start("x");
    LockedOrchestration a = fetched(timeout());
    letLocksExpire();
    fetched(timeout());

    lost(() -> provider.renewOrchestrationItemLock(a.lockToken(), LOCK));

    nothingToFetch();
    letLocksExpire();
    fetched("x");
  }

  @Test
  @DisplayName("TCK-LOCK-16 a former holder cannot abandon the new holder's batch")
  void staleAbandon() {
    for (String x : List.of("acked", "abandoned")) {
      create(x);
      poke(x);
      LockedOrchestration a = fetched(timeout());
      letLocksExpire();
      LockedOrchestration b = fetched(x);
      assertThat(b.attemptCount()).isEqualTo(2);

      lost(() -> provider.abandonOrchestrationItem(a.lockToken(), LOCK, true));

      nothingToFetch();
      if (x.equals("abandoned")) {
        provider.abandonOrchestrationItem(b.lockToken(), Duration.ZERO, false);
        b = fetched(x);
        assertThat(b.attemptCount()).isEqualTo(3);
      }
      drain(b);
      nothingToFetch();
    }
  }

  @Test
  @DisplayName("TCK-LOCK-17 an expired lock that nobody took over can be abandoned")
  void abandonExpired() {
    start("x");
    LockedOrchestration locked = fetched(timeout());
    letLocksExpire();

    provider.abandonOrchestrationItem(locked.lockToken(), Duration.ZERO, false);

    assertThat(fetched("x").attemptCount()).isEqualTo(2);
  }

  @Test
  @DisplayName("TCK-LOCK-19 enqueueing and reading go on while an instance is locked")
  void readsGoOn() {
    create("x");
    poke("x");
    LockedOrchestration locked = fetched("x");
    var elapsed = SystemTime.stopwatch();

    poke("x");
    assertThat(provider.read("x")).hasSize(1);
    assertThat(provider.readWithExecution(first("x"))).hasSize(1);
    assertThat(provider.customStatus("x", 0)).isEmpty();
    assertThat(provider.kvValue("x", "color")).isEmpty();
    assertThat(provider.kvAllValues("x")).isEmpty();
    assertThat(provider.status("x")).isPresent();
    assertThat(provider.instanceStats("x")).isPresent();

    assertThat(elapsed.get()).isLessThan(PROMPT);
    nothingToFetch();
    drain(locked);
  }

  @Test
  @DisplayName("TCK-LOCK-20 a locked instance with 10 000 messages hides nobody behind it")
  void longQueueHidesNobody() {
    create("x");
    poke("x");
    fetched("x");
    provider.enqueueForOrchestrator(pokes("x", 10_000));
    start("y");

    fetched("y");
  }

  @Test
  @DisplayName("TCK-LOCK-24 a batch of 1000 messages is delivered in order and consumed whole")
  void largeBatch() {
    create("x");
    List<WorkItem> sent = pokes("x", 1000);
    provider.enqueueForOrchestrator(sent);

    LockedOrchestration locked = fetched("x");
    assertThat(messages(locked)).isEqualTo(sent);
    ack(locked, TurnCommit.nothing(1));

    nothingToFetch();
  }

  private static List<WorkItem> pokes(String instance, int count) {
    List<WorkItem> items = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      items.add(Items.raised(instance, "m" + i));
    }
    return List.copyOf(items);
  }
}
