package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.provider.LockRenewal;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.RenewalAnswer;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** LOCK: several fetchers at once (5, 7.2, 13). */
public abstract class LockContentionTck extends ProviderTck {
  private static final OrchestrationFetch ONCE = OrchestrationFetch.of(LOCK, Duration.ZERO);
  private static final int MAX_TRIES = 3;

  /** For subclasses. */
  protected LockContentionTck() {}

  @Test
  @DisplayName("TCK-LOCK-04 fetchers one after the other get different instances")
  void staggered() {
    IntStream.range(0, 10).forEach(i -> start("x-" + i));

    assertThat(staggered(10, Duration.ofMillis(30)))
        .hasSize(10)
        .extracting(locked -> locked.item().instance())
        .doesNotHaveDuplicates();
  }

  @Test
  @DisplayName("TCK-LOCK-09 of ten fetchers of one instance one wins")
  void oneWinner() {
    start("x");

    assertThat(staggered(10, Duration.ofMillis(5))).hasSize(1);

    nothingToFetch();
  }

  /** What this many fetchers get that start with this distance. */
  private List<LockedOrchestration> staggered(int fetchers, Duration distance) {
    List<Future<Optional<LockedOrchestration>>> futures = new ArrayList<>();
    for (int i = 0; i < fetchers; i++) {
      futures.add(race().start(() -> provider.fetchOrchestrationItem(ONCE)));
      advance(distance);
    }
    return futures.stream().map(Race::outcome).flatMap(o -> o.get().stream()).toList();
  }

  @Test
  @DisplayName("TCK-LOCK-10 twice as many fetchers as instances never get one twice")
  void noDuplicates() {
    IntStream.range(0, 20).forEach(i -> start("x-" + i));

    List<String> instances =
        race().together(40, this::fetchWithRetries).stream()
            .flatMap(outcome -> outcome.get().stream())
            .map(locked -> locked.item().instance())
            .toList();

    assertThat(instances).doesNotHaveDuplicates().hasSizeLessThanOrEqualTo(20);
  }

  private Optional<LockedOrchestration> fetchWithRetries() {
    ProviderException last = null;
    for (int i = 0; i < MAX_TRIES; i++) {
      try {
        return fetch();
      } catch (ProviderException e) {
        if (!e.retryable()) {
          throw e;
        }
        last = e;
      }
    }
    throw new AssertionError("still failing after " + MAX_TRIES + " tries", last);
  }

  @Test
  @DisplayName("TCK-LOCK-11 another thread takes an expired lock over, but not earlier")
  void recovery() {
    start("x");
    Callable<Optional<LockedOrchestration>> fetcher = () -> fetch(timeout());
    assertThat(Race.outcome(race().start(fetcher)).get()).isPresent();

    advance(200);
    assertThat(Race.outcome(race().start(fetcher)).get()).isEmpty();

    letLocksExpire();
    assertThat(Race.outcome(race().start(fetcher)).get()).isPresent();
  }

  @Test
  @DisplayName("TCK-LOCK-12 fetchers released at once get all instances, and none goes empty")
  void nobodyGoesEmpty() {
    nobodyGoesEmpty(List.of(provider));
  }

  @Test
  @Needs.TwoHandles
  @DisplayName("TCK-LOCK-13 the same with the fetchers spread over two handles")
  void nobodyGoesEmptyOnTwoHandles() {
    nobodyGoesEmpty(List.of(provider, secondHandle()));
  }

  private void nobodyGoesEmpty(List<Provider> handles) {
    for (int round = 0; round < fixture().rounds(); round++) {
      List<Callable<Optional<LockedOrchestration>>> fetchers = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        start("x-" + round + "-" + i);
        Provider handle = handles.get(i % handles.size());
        fetchers.add(() -> handle.fetchOrchestrationItem(ONCE));
      }

      var outcomes = race().together(fetchers);

      assertThat(outcomes).as("round %d", round).allMatch(o -> o.get().isPresent());
      List<LockedOrchestration> locked = outcomes.stream().map(o -> o.get().orElseThrow()).toList();
      assertThat(locked)
          .extracting(turn -> turn.item().instance())
          .as("round %d", round)
          .doesNotHaveDuplicates();
      locked.forEach(turn -> ack(turn, TurnCommit.nothing(1)));
    }
  }

  @Test
  @DisplayName("TCK-LOCK-18 the tokens of 1000 fetches over both queues are distinct")
  void distinctTokens() {
    for (int i = 0; i < 500; i++) {
      start("x-" + i);
      act("x-" + i, 2);
    }

    List<String> tokens =
        race().together(8, this::takeEverything).stream()
            .flatMap(outcome -> outcome.get().stream())
            .toList();

    assertThat(tokens).hasSize(1000).doesNotHaveDuplicates();
  }

  /** The tokens of everything this thread can get. */
  private List<String> takeEverything() {
    List<String> tokens = new ArrayList<>();
    while (true) {
      var turn = fetch();
      var activity = wfetch();
      turn.ifPresent(locked -> tokens.add(locked.lockToken()));
      activity.ifPresent(locked -> tokens.add(locked.lockToken()));
      if (turn.isEmpty() && activity.isEmpty()) {
        return tokens;
      }
    }
  }

  private static LockRenewal turn(String token) {
    return new LockRenewal(LockRenewal.Kind.INSTANCE, token, LOCK);
  }

  private static LockRenewal activity(String token) {
    return new LockRenewal(LockRenewal.Kind.ACTIVITY, token, LOCK);
  }

  @Test
  @DisplayName("TCK-LOCK-60 locks renewed together last as long as asked, lost ones are told")
  void renewedTogether() {
    start("x");
    act("x", 2);
    act("x", 3);
    LockedOrchestration turn = fetched(timeout());
    LockedWork kept = work(timeout());
    LockedWork gone = work(timeout());
    provider.ackWorkItem(gone.lockToken(), null);

    List<RenewalAnswer> answers =
        provider.renewLocks(
            List.of(
                activity(gone.lockToken()),
                turn(turn.lockToken()),
                activity(kept.lockToken()),
                turn(NO_TOKEN),
                turn(kept.lockToken())));

    assertThat(answers)
        .extracting(RenewalAnswer::isLost)
        .containsExactly(true, false, false, true, true);
    letLocksExpire();
    nothingToFetch();
    noWork();
    ack(turn, firstTurn("x"));
    provider.ackWorkItem(kept.lockToken(), Items.completed("x", kept.key().activityId()));
  }

  @Test
  @DisplayName("TCK-LOCK-60 an expired lock is not renewed, nothing to renew is no error")
  void renewedTooLate() {
    start("x");
    act("x", 2);
    LockedOrchestration turn = fetched(timeout());
    LockedWork work = work(timeout());
    letLocksExpire();

    assertThat(provider.renewLocks(List.of())).isEmpty();
    assertThat(provider.renewLocks(List.of(turn(turn.lockToken()), activity(work.lockToken()))))
        .allMatch(RenewalAnswer::isLost);
    fetched("x");
    work(2);
  }

  @Test
  @Needs.RowLocks
  @DisplayName("TCK-LOCK-60 RL-025 a renewal waits for no row, and nobody waits for the renewal")
  void heldRow() {
    start("x");
    LockedOrchestration held = fetched("x");
    start("y");
    LockedOrchestration free = fetched("y");
    Runnable release = fixture().holdRow("x");
    try {
      assertThat(provider.renewLocks(List.of(turn(held.lockToken()), turn(free.lockToken()))))
          .containsExactly(RenewalAnswer.IN_USE, RenewalAnswer.RENEWED);
      ack(free, firstTurn("y"));
    } finally {
      release.run();
    }
    assertThat(provider.renewLocks(List.of(turn(held.lockToken()))))
        .containsExactly(RenewalAnswer.RENEWED);
    ack(held, firstTurn("x"));
  }

  @Test
  @Needs.TwoHandles
  @DisplayName("TCK-LOCK-21 a lock taken through one handle holds for the other")
  void locksAreShared() {
    Provider other = secondHandle();
    start("x");
    act("x", 2);
    fetched(timeout());
    work(timeout());

    assertThat(fetch(other, ONCE)).isEmpty();
    assertThat(wfetch(other, WorkFetch.of(LOCK, Duration.ZERO))).isEmpty();
    letLocksExpire();

    assertThat(fetch(other, ONCE)).isPresent();
    assertThat(wfetch(other, WorkFetch.of(LOCK, Duration.ZERO))).isPresent();
  }

  @Test
  @Needs.TwoHandles
  @DisplayName("TCK-LOCK-22 a fetch sees every event that was committed before it got the lock")
  void historyIsFresh() {
    create("x");
    poke("x");
    Provider other = secondHandle();
    var committed = new AtomicLong(1);
    var done = new AtomicBoolean();

    Future<Boolean> reader =
        race()
            .start(() -> {
              while (!done.get()) {
                readFresh(other, committed);
              }
              return true;
            });
    while (committed.get() <= fixture().rounds() && !reader.isDone()) {
      appendOne(committed);
    }
    done.set(true);

    assertThat(Race.outcome(reader).get()).isTrue();
  }

  private static void readFresh(Provider handle, AtomicLong committed) {
    long before = committed.get();
    fetch(handle, ONCE)
        .ifPresent(locked -> {
          assertThat(history(locked)).last().extracting(Event::id).matches(id -> id >= before);
          handle.abandonOrchestrationItem(locked.lockToken(), Duration.ZERO, true);
        });
  }

  private void appendOne(AtomicLong committed) {
    fetch()
        .ifPresent(locked -> {
          TurnCommit commit = next(locked, new EventKind.ExternalEvent("signal", "poke"));
          poke("x");
          ack(locked, commit);
          committed.set(commit.historyDelta().getLast().id());
        });
  }
}
