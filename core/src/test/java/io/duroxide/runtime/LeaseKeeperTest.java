package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.WorkFetch;
import io.duroxide.provider.memory.MemoryProvider;
import io.duroxide.telemetry.NodeEvent.LockKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongPredicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The times of the catalog, in virtual time: activities hold their locks and others look. */
@DisplayName("Renewal of locks")
class LeaseKeeperTest {
  private static final Duration STEP = Duration.ofMillis(10);
  private static final Duration SECOND = Duration.ofSeconds(1);

  private final VirtualTime time = new VirtualTime();
  private final MemoryProvider provider = MemoryProvider.create(time::instant);
  private final RenewalStubs stubs = new RenewalStubs();
  private final LeaseKeeper leases =
      new LeaseKeeper(Node.parts(stubs.before(provider), time), new CallersThread());
  private final List<Duration> renewals = new ArrayList<>();
  private final List<String> lost = new ArrayList<>();
  private LongPredicate fails = millis -> false;

  @AfterEach
  void close() {
    leases.close();
    provider.close();
  }

  /** An activity that this node has taken with a lock of this length, and keeps. */
  private LockedWork begin(int id, Duration lock, Duration buffer) throws InterruptedException {
    provider.enqueueForWorker(
        new WorkItem.ActivityExecute(
            new ActivityKey("x", 1, id),
            "Work",
            "{}",
            ActivityRouting.ANYWHERE,
            ActivityOrigin.UNKNOWN));
    LockedWork work = fetch(lock).orElseThrow();
    leases.keep(
        LockKind.ACTIVITY,
        stubs.add(work.lockToken(), extension -> renew(work, extension)),
        lock,
        Backoffs.renewalInterval(lock, buffer),
        () -> lost.add(work.lockToken()));
    return work;
  }

  private void renew(LockedWork work, Duration extension) {
    if (fails.test(time.elapsed().toMillis())) {
      throw new ProviderException(
          ProviderException.Kind.UNAVAILABLE, "renewWorkItemLock", "injected");
    }
    provider.renewWorkItemLock(work.lockToken(), extension);
    renewals.add(time.elapsed());
  }

  private Optional<LockedWork> fetch(Duration lock) throws InterruptedException {
    return provider.fetchWorkItem(WorkFetch.of(lock, Duration.ZERO));
  }

  /** Lets an activity run this long; nobody else may get hold of it at any moment. */
  private void runs(Duration length) throws InterruptedException {
    for (Duration end = time.elapsed().plus(length); time.elapsed().compareTo(end) < 0; ) {
      time.pass(STEP);
      leases.look();
      assertThat(fetch(SECOND)).as("taken by another after %s", time.elapsed()).isEmpty();
    }
  }

  private void completes(LockedWork work) {
    provider.ackWorkItem(
        work.lockToken(), new WorkItem.ActivityCompleted("x", 1, work.key().activityId(), "ok"));
    assertThat(lost).isEmpty();
  }

  private static Duration seconds(double seconds) {
    return Duration.ofMillis(Math.round(seconds * 1000));
  }

  @Test
  @DisplayName("E2E-563 an activity of 6 s keeps its lock of 3 s and runs once")
  void twiceTheLock() throws InterruptedException {
    LockedWork work = begin(2, seconds(3), seconds(5));
    runs(seconds(6));
    completes(work);
    assertThat(renewals).containsExactly(seconds(1.5), seconds(3), seconds(4.5), seconds(6));
  }

  @Test
  @DisplayName("E2E-564 an activity of 0.5 s with a lock of 3 s needs no renewal")
  void shorterThanTheLock() throws InterruptedException {
    LockedWork work = begin(2, seconds(3), seconds(5));
    runs(seconds(0.5));
    completes(work);
    assertThat(renewals).isEmpty();
  }

  @Test
  @DisplayName("E2E-565 a lock of 2 s is renewed at its half; an activity of 3 s runs once")
  void shortLock() throws InterruptedException {
    LockedWork work = begin(2, seconds(2), seconds(5));
    runs(seconds(3));
    completes(work);
    assertThat(renewals).containsExactly(seconds(1), seconds(2), seconds(3));
  }

  @Test
  @DisplayName("E2E-566 a buffer of 2 s does not matter to a lock of 5 s; 6 s run once")
  void bufferOfShortLock() throws InterruptedException {
    LockedWork work = begin(2, seconds(5), seconds(2));
    runs(seconds(6));
    completes(work);
    assertThat(renewals).containsExactly(seconds(2.5), seconds(5));
  }

  @Test
  @DisplayName("a lock of 30 s is renewed one buffer before its end")
  void longLock() throws InterruptedException {
    LockedWork work = begin(2, seconds(30), seconds(5));
    runs(seconds(60));
    completes(work);
    assertThat(renewals).containsExactly(seconds(25), seconds(50));
  }

  @Test
  @DisplayName("E2E-567 three activities of 6 s with locks of 3 s are renewed each for itself")
  void three() throws InterruptedException {
    List<LockedWork> all = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      all.add(begin(2 + i, seconds(3), seconds(5)));
      runs(seconds(0.2));
    }
    runs(seconds(6));
    all.forEach(this::completes);
    assertThat(renewals).contains(seconds(1.5), seconds(1.7), seconds(1.9)).hasSize(12);
  }

  @Test
  @DisplayName("E2E-906 renewals that fail for 2.5 s of a lock of 5 s cancel nothing")
  void passingErrors() throws InterruptedException {
    fails = millis -> millis >= 2_000 && millis < 4_900;
    LockedWork work = begin(2, seconds(5), seconds(2));
    runs(seconds(20));
    completes(work);
    assertThat(renewals.getFirst()).isBetween(seconds(4.9), seconds(5));
  }

  @Test
  @DisplayName("E2E-906 a lock that could not be renewed until its end is given up, once")
  void outage() throws InterruptedException {
    fails = millis -> true;
    LockedWork work = begin(2, seconds(5), seconds(2));
    runs(seconds(4.9));
    assertThat(lost).isEmpty();
    for (int i = 0; i < 1000; i++) {
      time.pass(STEP);
      leases.look();
    }
    assertThat(lost).containsExactly(work.lockToken());
    assertThat(fetch(SECOND)).isPresent();
  }

  @Test
  @DisplayName("E2E-907 an activity of 3 s with a lock of 500 ms is renewed 12 times and runs once")
  void veryShortLock() throws InterruptedException {
    LockedWork work = begin(2, seconds(0.5), seconds(5));
    runs(seconds(3));
    completes(work);
    assertThat(renewals).hasSize(12);
  }

  @Test
  @DisplayName("what begins while nothing is kept, or just after, is renewed as well")
  void oneAfterTheOther() throws InterruptedException {
    AtomicInteger renewed = new AtomicInteger();
    leases.start();
    for (int i = 1; i <= 20; i++) {
      LeaseKeeper.Lease lease =
          leases.keep(
              LockKind.ACTIVITY,
              stubs.add(extension -> renewed.incrementAndGet()),
              SECOND,
              Duration.ofMillis(8),
              null);
      time.pass(STEP);
      int soFar = i;
      await().until(() -> renewed.get() == soFar);
      lease.close();
    }
  }

  @Test
  @DisplayName("locks are renewed where handlers that never pause cannot be in the way")
  void ownThread() {
    AtomicReference<Thread> renewer = new AtomicReference<>();
    try (LeaseKeeper real = new LeaseKeeper(Node.parts(stubs.before(provider), time))) {
      real.start();
      keep(real, extension -> renewer.set(Thread.currentThread()));
      time.pass(STEP);
      await().until(() -> renewer.get() != null);
    }
    assertThat(renewer.get().isVirtual()).isFalse();
    assertThat(renewer.get().isDaemon()).isTrue();
  }

  @Test
  @DisplayName("what a renewal or its holder throws, errors too, keeps no other lock from renewal")
  void errors() throws InterruptedException {
    RenewalStubs.Renewal broken =
        extension -> {
          throw new StackOverflowError("injected");
        };
    RenewalStubs.Renewal gone =
        extension -> {
          throw new ProviderException(ProviderException.Kind.LOCK_LOST, "renew", "injected");
        };
    Runnable rude =
        () -> {
          throw new AssertionError("injected");
        };
    for (int id = 2; id <= 6; id++) {
      begin(id, seconds(3), seconds(5));
      leases.keep(LockKind.ACTIVITY, stubs.add(broken), seconds(3), seconds(1.5), null);
      leases.keep(LockKind.ACTIVITY, stubs.add(gone), seconds(3), seconds(1.5), rude);
    }
    runs(seconds(4.5));
    assertThat(renewals).hasSizeGreaterThanOrEqualTo(15);
    assertThat(lost).isEmpty();
  }

  private LeaseKeeper.Lease keep(LeaseKeeper keeper, RenewalStubs.Renewal renewal) {
    return keeper.keep(LockKind.ACTIVITY, stubs.add(renewal), SECOND, Duration.ofMillis(8), null);
  }

  @Test
  @DisplayName("a call that hangs holds up no later one, and no lock is in two calls")
  void sideBySide() {
    AtomicInteger hanging = new AtomicInteger();
    AtomicInteger renewed = new AtomicInteger();
    CountDownLatch end = new CountDownLatch(1);
    try (LeaseKeeper real = new LeaseKeeper(Node.parts(stubs.before(provider), time))) {
      real.start();
      for (int i = 1; i <= 4; i++) {
        keep(
            real,
            extension -> {
              hanging.incrementAndGet();
              awaitEnd(end);
            });
        time.pass(STEP);
        int begun = i;
        await().until(() -> hanging.get() == begun);
      }
      for (int i = 0; i < 4; i++) {
        keep(real, extension -> renewed.incrementAndGet());
      }
      for (int round = 1; round <= 5; round++) {
        time.pass(STEP);
        int due = 4 * round;
        await().until(() -> renewed.get() == due && hanging.get() == 4);
      }
    } finally {
      end.countDown();
    }
  }

  @Test
  @DisplayName("locks that are due together are renewed by one call")
  void together() throws InterruptedException {
    for (int id = 2; id < 102; id++) {
      begin(id, seconds(10), seconds(5));
    }
    leases.keep(
        LockKind.ORCHESTRATION,
        stubs.add(extension -> renewals.add(extension)),
        seconds(10),
        seconds(5),
        null);
    runs(seconds(20));

    assertThat(lost).isEmpty();
    assertThat(renewals).hasSize(4 * 101);
    assertThat(stubs.calls()).isEqualTo(4);
  }

  @Test
  @DisplayName("more locks than one call renews are renewed by several")
  void many() throws InterruptedException {
    for (int id = 2; id < 602; id++) {
      begin(id, seconds(10), seconds(5));
    }
    runs(seconds(5));

    assertThat(renewals).hasSize(600);
    assertThat(stubs.calls()).isEqualTo(3);
  }

  @Test
  @DisplayName("of locks renewed together a lost one is told to its holder and no other")
  void oneLost() throws InterruptedException {
    LockedWork kept = begin(2, seconds(3), seconds(5));
    LockedWork gone = begin(3, seconds(3), seconds(5));
    provider.ackWorkItem(gone.lockToken(), null);
    runs(seconds(6));

    assertThat(lost).containsExactly(gone.lockToken());
    assertThat(stubs.calls()).isEqualTo(4);
    provider.ackWorkItem(kept.lockToken(), null);
  }

  @Test
  @DisplayName("RL-025 a lock whose row is in use counts as held and is renewed again soon")
  void inUse() throws InterruptedException {
    LockedWork work = begin(2, seconds(4), seconds(5));
    stubs.inUse(work.lockToken(), 1);
    runs(seconds(5.5));
    completes(work);

    assertThat(renewals).containsExactly(seconds(3), seconds(5));
  }

  @Test
  @DisplayName("a lock that makes the whole call fail for good costs no other its renewal")
  void refusedTogether() throws InterruptedException {
    LockedWork work = begin(2, seconds(3), seconds(5));
    AtomicInteger other = new AtomicInteger();
    leases.keep(
        LockKind.ACTIVITY,
        stubs.addBreaking(
            new ProviderException(ProviderException.Kind.INVALID_INPUT, "renew", "injected")),
        seconds(3),
        seconds(1.5),
        other::incrementAndGet);
    runs(seconds(6));
    completes(work);

    assertThat(other).hasValue(1);
  }

  private static void awaitEnd(CountDownLatch end) {
    try {
      end.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  @DisplayName("what is closed before its turn comes is not renewed")
  void closedInTime() throws Exception {
    AtomicInteger renewed = new AtomicInteger();
    CountDownLatch end = new CountDownLatch(1);
    try (ExecutorService one = Executors.newSingleThreadExecutor();
        LeaseKeeper busy = new LeaseKeeper(Node.parts(stubs.before(provider), time), one)) {
      Future<?> before = one.submit(() -> awaitEnd(end));
      LeaseKeeper.Lease lease = keep(busy, extension -> renewed.incrementAndGet());
      time.pass(STEP);
      busy.look();
      lease.close();
      end.countDown();
      before.get();
    }
    assertThat(renewed).hasValue(0);
  }
}
