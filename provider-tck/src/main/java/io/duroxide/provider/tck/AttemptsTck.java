package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Semver;
import io.duroxide.model.SemverRange;
import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.TurnCommit;
import java.time.Duration;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** POISON: attempts are counted by fetches and by nothing else (8.3). */
public abstract class AttemptsTck extends ProviderTck {
  /** For subclasses. */
  protected AttemptsTck() {}

  @Test
  @DisplayName("TCK-POISON-60 the attempt is the largest of the batch, wherever it stands")
  void largestOfTheBatch() {
    create("first");
    poke("first");
    abandonTwice("first");
    poke("first");
    assertThat(fetched("first").attemptCount()).isEqualTo(3);

    create("last");
    enqueue(Items.raised("last", "hidden"), Duration.ofSeconds(5));
    poke("last");
    abandonTwice("last");
    advance(Duration.ofSeconds(6));
    LockedOrchestration both = fetched("last");
    assertThat(messages(both)).hasSize(2);
    assertThat(both.attemptCount()).isEqualTo(3);
  }

  private void abandonTwice(String instance) {
    for (int i = 0; i < 2; i++) {
      provider.abandonOrchestrationItem(fetched(instance).lockToken(), Duration.ZERO, false);
    }
  }

  @Test
  @DisplayName("TCK-POISON-01 the first fetch of an instance is attempt 1")
  void firstOfTurn() {
    start("x");
    assertThat(fetched("x").attemptCount()).isEqualTo(1);
  }

  @Test
  @DisplayName("TCK-POISON-02 every fetch after an abandon counts one more")
  void counted() {
    start("x");
    for (int attempt = 1; attempt <= 3; attempt++) {
      assertThat(fetchedAndAbandoned(false)).isEqualTo(attempt);
    }
  }

  @Test
  @DisplayName("TCK-POISON-03 the first fetch of an activity is attempt 1")
  void firstOfWork() {
    act("x", 2);
    assertThat(work(2).attemptCount()).isEqualTo(1);
  }

  @Test
  @DisplayName("TCK-POISON-04 an activity whose lock expired comes with one attempt more")
  void workExpired() {
    act("x", 2);
    work(Duration.ofSeconds(1));
    advance(1100);
    assertThat(work(2).attemptCount()).isEqualTo(2);
  }

  @Test
  @DisplayName("TCK-POISON-05 attempts belong to the single activity")
  void perMessage() {
    act("x", 2);
    act("x", 3);
    assertThat(work(2).attemptCount()).isEqualTo(1);
    assertThat(work(3).attemptCount()).isEqualTo(1);
  }

  @Test
  @DisplayName("TCK-POISON-06 abandoning an activity can take its attempt back")
  void workIgnored() {
    act("x", 2);
    assertThat(workedAndAbandoned(false)).isEqualTo(1);
    assertThat(workedAndAbandoned(true)).isEqualTo(2);
    assertThat(workedAndAbandoned(false)).isEqualTo(2);
  }

  @Test
  @DisplayName("TCK-POISON-07 abandoning an instance can take its attempt back")
  void ignored() {
    start("x");
    assertThat(fetchedAndAbandoned(false)).isEqualTo(1);
    assertThat(fetchedAndAbandoned(true)).isEqualTo(2);
    assertThat(fetchedAndAbandoned(false)).isEqualTo(2);
  }

  @Test
  @DisplayName("TCK-POISON-08 attempts taken back never fall below none")
  void neverNegative() {
    start("x");
    act("x", 2);
    for (int i = 0; i < 5; i++) {
      assertThat(fetchedAndAbandoned(true)).isEqualTo(1);
      assertThat(workedAndAbandoned(true)).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("TCK-POISON-09 a batch reports the largest count of its messages")
  void largestOfBatch() {
    start("x");
    assertThat(fetchedAndAbandoned(false)).isEqualTo(1);
    enqueue(Items.completed("x", 2));
    assertThat(fetchedAndAbandoned(false)).isEqualTo(2);

    LockedOrchestration locked = fetched("x");

    assertThat(messages(locked)).hasSize(2);
    assertThat(locked.attemptCount()).isEqualTo(3);
  }

  @Test
  @DisplayName("TCK-POISON-10 an instance whose lock expired comes with one attempt more")
  void expired() {
    start("x");
    fetched(timeout());
    letLocksExpire();
    assertThat(fetched(timeout()).attemptCount()).isEqualTo(2);
    letLocksExpire();
    assertThat(fetched(timeout()).attemptCount()).isEqualTo(3);
  }

  @Test
  @Needs.Attempts
  @DisplayName("TCK-POISON-11 taking attempts back concerns the abandoned batch alone")
  void batchAlone() {
    create("x");
    enqueue(Items.timer("x", 2, provider.now().plus(LOCK)));
    fixture().setHiddenAttempts("x", 2);
    poke("x");

    assertThat(fetchedAndAbandoned(true)).isEqualTo(1);

    assertThat(fixture().maxAttemptCount("x")).isEqualTo(2);
    drain(fetched("x"));
    assertThat(fixture().maxAttemptCount("x")).isEqualTo(2);
    advance(LOCK.plus(SLACK));
    assertThat(fetched("x").attemptCount()).isEqualTo(3);
  }

  @Test
  @Needs.Attempts
  @DisplayName("TCK-POISON-12 a fetch that finds nothing counts nothing")
  void emptyFetchCountsNothing() {
    create("locked");
    poke("locked");
    fetched("locked");
    poke("locked");
    start("pinned");
    ack(fetched("pinned"), pinned(firstTurn("pinned"), Semver.of(9, 0, 0)));
    poke("pinned");
    enqueue(Items.raised("nobody", "poke"));
    var filter =
        DispatcherCapabilityFilter.of(new SemverRange(Semver.of(1, 0, 0), Semver.of(1, 9, 9)));
    var request = OrchestrationFetch.of(LOCK, Duration.ZERO).withFilter(filter);

    for (int i = 0; i < 3; i++) {
      assertThat(fetch(provider, request)).isEmpty();
    }

    assertThat(fixture().maxAttemptCount("locked")).isEqualTo(1);
    assertThat(fixture().maxAttemptCount("pinned")).isZero();
    assertThat(fixture().maxAttemptCount("nobody")).isZero();
  }

  private static TurnCommit pinned(TurnCommit commit, Semver pin) {
    return TurnCommit.events(
        commit.executionId(), commit.historyDelta(), commit.metadata().withPinnedVersion(pin));
  }

  @Test
  @Needs.Durable
  @DisplayName("TCK-POISON-13 attempts survive closing and reopening the store")
  void stored() {
    start("x");
    act("x", 2);
    fetchedAndAbandoned(false);
    workedAndAbandoned(false);

    reopen();

    assertThat(fetched("x").attemptCount()).isEqualTo(2);
    assertThat(work(2).attemptCount()).isEqualTo(2);
  }

  @Test
  @DisplayName("TCK-POISON-14 an equal message sent after an ack starts at 1 again")
  void goneWithTheMessage() {
    create("x");
    poke("x");
    fetchedAndAbandoned(false);
    LockedOrchestration second = fetched("x");
    assertThat(second.attemptCount()).isEqualTo(2);
    drain(second);
    poke("x");
    assertThat(fetched("x").attemptCount()).isEqualTo(1);

    act("x", 2);
    workedAndAbandoned(false);
    LockedWork activity = work(2);
    assertThat(activity.attemptCount()).isEqualTo(2);
    provider.ackWorkItem(activity.lockToken(), null);
    act("x", 2);
    assertThat(work(2).attemptCount()).isEqualTo(1);
  }

  @Test
  @DisplayName("TCK-POISON-15 a provider goes on counting and never drops a message")
  void noLimit() {
    start("x");
    act("x", 2);
    for (int attempt = 1; attempt <= 25; attempt++) {
      assertThat(fetchedAndAbandoned(false)).isEqualTo(attempt);
      assertThat(workedAndAbandoned(false)).isEqualTo(attempt);
    }
  }

  /** The attempt count of a fetch that is given back. */
  private int fetchedAndAbandoned(boolean ignoreAttempt) {
    LockedOrchestration locked = fetched("x");
    provider.abandonOrchestrationItem(locked.lockToken(), Duration.ZERO, ignoreAttempt);
    return locked.attemptCount();
  }

  /** The attempt count of an activity that is given back. */
  private int workedAndAbandoned(boolean ignoreAttempt) {
    LockedWork locked = work(2);
    provider.abandonWorkItem(locked.lockToken(), Duration.ZERO, ignoreAttempt);
    return locked.attemptCount();
  }
}
