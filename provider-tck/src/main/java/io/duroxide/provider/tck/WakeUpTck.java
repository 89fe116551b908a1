package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.Semver;
import io.duroxide.model.SemverRange;
import io.duroxide.provider.DispatcherCapabilityFilter;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WorkFetch;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.function.Supplier;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** POLL: a waiting fetch notices work that becomes ready (8.11). Real time passes here. */
public abstract class WakeUpTck extends ProviderTck {
  private static final Duration POLL = Duration.ofSeconds(10);
  private static final OrchestrationFetch TURN = OrchestrationFetch.of(LOCK, POLL);
  private static final WorkFetch WORK = WorkFetch.of(LOCK, POLL);
  private static final int ROUNDS = 1000;

  /** A fallback check may be what finds it: it comes at least each second. */
  private static final Duration SOON = Duration.ofSeconds(2);

  /** For subclasses. */
  protected WakeUpTck() {}

  @Test
  @Needs.LongPoll
  @DisplayName("TCK-POLL-06 new work ends the wait")
  void newWork() {
    Future<Optional<LockedOrchestration>> turn = waitForTurn(provider);
    Future<Optional<LockedWork>> activity = waitForWork(provider);
    letThemWait();
    var elapsed = SystemTime.stopwatch();

    start("x");
    act("x", 2);

    present(Race.outcome(turn).get());
    present(Race.outcome(activity).get());
    assertThat(elapsed.get()).isLessThan(Duration.ofMillis(800));
  }

  @Test
  @Needs.LongPoll
  @DisplayName("TCK-POLL-07 a delayed message that turns visible ends the wait")
  void turnsVisible() {
    enqueue(Items.start("x"), Duration.ofMillis(300));
    act("x", 2);
    provider.abandonWorkItem(work(2).lockToken(), Duration.ofMillis(300), false);
    Future<Optional<LockedOrchestration>> turn = waitForTurn(provider);
    Future<Optional<LockedWork>> activity = waitForWork(provider);
    letThemWait();
    var elapsed = SystemTime.stopwatch();

    advance(300);

    present(Race.outcome(turn).get());
    present(Race.outcome(activity).get());
    assertThat(elapsed.get()).isLessThan(SOON);
  }

  @Test
  @Needs.LongPoll
  @DisplayName("TCK-POLL-08 another holder's lock that expires ends the wait")
  void lockExpires() {
    start("x");
    act("x", 2);
    fetched(timeout());
    work(timeout());
    Future<Optional<LockedOrchestration>> turn = waitForTurn(provider);
    Future<Optional<LockedWork>> activity = waitForWork(provider);
    letThemWait();
    var elapsed = SystemTime.stopwatch();

    letLocksExpire();

    present(Race.outcome(turn).get());
    present(Race.outcome(activity).get());
    assertThat(elapsed.get()).isLessThan(timeout().plus(SOON));
  }

  @Test
  @Needs.LongPoll
  @DisplayName("TCK-POLL-11 work that comes as the wait begins is never missed")
  void noLostWakeUp() {
    for (int round = 0; round < ROUNDS; round++) {
      String x = "x-" + round;
      var elapsed = SystemTime.stopwatch();
      if (round % 2 == 0) {
        drain(present(raced(() -> provider.fetchOrchestrationItem(TURN), () -> start(x))));
      } else {
        LockedWork locked = present(raced(() -> provider.fetchWorkItem(WORK), () -> act(x, 2)));
        provider.ackWorkItem(locked.lockToken(), null);
      }
      assertThat(elapsed.get()).as("round %d", round).isLessThan(POLL.dividedBy(2));
    }
  }

  /** What a fetch returns while something is queued. */
  private <T> Optional<T> raced(Callable<Optional<T>> fetch, Runnable enqueue) {
    Callable<Optional<T>> queued =
        () -> {
          enqueue.run();
          return Optional.empty();
        };
    return race().together(List.of(fetch, queued)).getFirst().get();
  }

  @Test
  @Needs.LongPoll
  @Needs.TwoHandles
  @DisplayName("TCK-POLL-12 work queued through one handle ends the wait of another")
  void acrossHandles() {
    assertThat(wakeUpTime(secondHandle())).isLessThan(SOON);
  }

  @Test
  @Needs.LongPoll
  @Needs.TwoHandles
  @Needs.Notifications
  @DisplayName("TCK-POLL-13 a dead notification channel delays work but hides none")
  void deadChannel() {
    Provider other = secondHandle();

    fixture().cutNotifications(other);

    assertThat(wakeUpTime(other)).isLessThan(POLL);
    assertThat(wakeUpTime(other)).isLessThan(POLL);
  }

  /** How long it takes a waiting handle to get work that this one queues. */
  private Duration wakeUpTime(Provider waiting) {
    Future<Optional<LockedOrchestration>> turn = waitForTurn(waiting);
    Future<Optional<LockedWork>> activity = waitForWork(waiting);
    letThemWait();
    var elapsed = SystemTime.stopwatch();

    start("x");
    act("x", 2);

    drain(present(Race.outcome(turn).get()));
    provider.ackWorkItem(present(Race.outcome(activity).get()).lockToken(), null);
    return elapsed.get();
  }

  @Test
  @Needs.LongPoll
  @DisplayName("TCK-POLL-14 work for others ends no wait and makes nobody spin")
  void workForOthers() {
    start("pinned");
    TurnCommit first = firstTurn("pinned");
    ack(
        fetched("pinned"),
        TurnCommit.events(
            1, first.historyDelta(), identity().withPinnedVersion(Semver.of(9, 0, 0))));
    bind(2);
    assertThat(wfetch(provider, sessionFetch("owner", Duration.ZERO))).isPresent();
    Duration poll = Duration.ofSeconds(1);
    var range = new SemverRange(Semver.of(1, 0, 0), Semver.of(1, 9, 9));
    OrchestrationFetch compatible =
        OrchestrationFetch.of(LOCK, poll).withFilter(DispatcherCapabilityFilter.of(range));

    Future<Idle> turn = idle(() -> fetch(provider, compatible));
    Future<Idle> activity = idle(() -> wfetch(provider, sessionFetch("other", poll)));
    letThemWait();
    poke("pinned");
    bind(3);
    provider.enqueueForWorker(
        Items.activity(new ActivityKey("x", 1, 4), new ActivityRouting(null, "gpu")));

    for (Idle idle : List.of(Race.outcome(turn).get(), Race.outcome(activity).get())) {
      assertThat(idle.elapsed()).isGreaterThanOrEqualTo(poll.minusMillis(5));
      assertThat(idle.cpu()).isLessThan(poll.dividedBy(2));
    }
  }

  private void bind(long id) {
    provider.enqueueForWorker(
        Items.activity(new ActivityKey("x", 1, id), new ActivityRouting("session", null)));
  }

  private static WorkFetch sessionFetch(String owner, Duration poll) {
    return WorkFetch.of(LOCK, poll).withSession(new SessionFetchConfig(owner, LOCK));
  }

  /** How long an empty fetch took, and how much of that it computed. */
  private record Idle(Duration elapsed, Duration cpu) {}

  /** Runs on a platform thread: only those know their processor time. */
  private static Future<Idle> idle(Supplier<Optional<?>> fetch) {
    var threads = ManagementFactory.getThreadMXBean();
    var measured =
        new FutureTask<>(() -> {
          long cpu = threads.getCurrentThreadCpuTime();
          var elapsed = SystemTime.stopwatch();
          assertThat(fetch.get().isEmpty()).as("nothing to fetch").isTrue();
          return new Idle(elapsed.get(), Duration.ofNanos(threads.getCurrentThreadCpuTime() - cpu));
        });
    Thread.ofPlatform().name("idle-fetch").daemon().start(measured);
    return measured;
  }

  @Test
  @Needs.LongPoll
  @DisplayName("TCK-POLL-15 an ack that leaves a message, and an abandon, end the wait")
  void released() {
    start("x");
    LockedOrchestration first = fetched("x");
    poke("x");
    Future<Optional<LockedOrchestration>> afterAck = waitForTurn(provider);
    letThemWait();
    var elapsed = SystemTime.stopwatch();
    ack(first, firstTurn("x"));
    LockedOrchestration second = present(Race.outcome(afterAck).get());
    assertThat(elapsed.get()).isLessThan(SOON);

    act("x", 2);
    LockedWork locked = work(2);
    Future<Optional<LockedOrchestration>> afterAbandon = waitForTurn(provider);
    Future<Optional<LockedWork>> afterWorkAbandon = waitForWork(provider);
    letThemWait();
    elapsed = SystemTime.stopwatch();
    provider.abandonOrchestrationItem(second.lockToken(), Duration.ZERO, false);
    provider.abandonWorkItem(locked.lockToken(), Duration.ZERO, false);
    present(Race.outcome(afterAbandon).get());
    present(Race.outcome(afterWorkAbandon).get());
    assertThat(elapsed.get()).isLessThan(SOON);
  }

  @Test
  @Needs.LongPoll
  @DisplayName("TCK-POLL-16 of 32 waiters one gets the item and the others go on waiting")
  void oneOfMany() {
    Duration poll = Duration.ofSeconds(3);
    List<Future<Optional<LockedOrchestration>>> waiters = new ArrayList<>();
    for (int i = 0; i < 32; i++) {
      waiters.add(
          race().start(() -> provider.fetchOrchestrationItem(OrchestrationFetch.of(LOCK, poll))));
    }
    letThemWait();

    start("x");

    SystemTime.sleep(Duration.ofSeconds(1));
    assertThat(waiters).filteredOn(Future::isDone).hasSize(1);
    assertThat(waiters)
        .extracting(waiter -> Race.outcome(waiter).get())
        .filteredOn(Optional::isPresent)
        .hasSize(1);
  }

  private Future<Optional<LockedOrchestration>> waitForTurn(Provider handle) {
    return race().start(() -> handle.fetchOrchestrationItem(TURN));
  }

  private Future<Optional<LockedWork>> waitForWork(Provider handle) {
    return race().start(() -> handle.fetchWorkItem(WORK));
  }

  /** Waiting happens in real time, also where the store's clock is virtual. */
  private static void letThemWait() {
    SystemTime.sleep(Duration.ofMillis(200));
  }
}
