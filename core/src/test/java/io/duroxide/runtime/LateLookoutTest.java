package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityHandler;
import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.StoreHealth;
import io.duroxide.provider.WorkFetch;
import io.duroxide.provider.memory.MemoryProvider;
import io.duroxide.telemetry.Health;
import io.duroxide.telemetry.NodeEvent.LockKind;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A look-out for locks that is late or in trouble")
class LateLookoutTest {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Duration SHORTEST = RuntimeOptions.defaults().orchestratorLockTimeout();

  /** The store's clock stands still: it would take whatever comes. */
  private final MemoryProvider provider = MemoryProvider.create(() -> Turns.NOON);

  private final VirtualTime time = new VirtualTime();
  private final RenewalStubs stubs = new RenewalStubs();
  private final LeaseKeeper leases =
      new LeaseKeeper(Node.parts(stubs.before(provider), time), new CallersThread());

  @AfterEach
  void close() {
    leases.close();
    provider.close();
  }

  private LeaseKeeper.Lease keep(LeaseKeeper keeper, Runnable onLost) {
    String token = stubs.add(extension -> {});
    return keeper.keep(LockKind.ACTIVITY, token, SHORTEST, SHORTEST.dividedBy(2), onLost);
  }

  private Health health() {
    RuntimeParts parts = Node.parts(provider, time);
    Sessions sessions =
        new Sessions(parts.options(), parts.runtimeId(), new Slots(1), parts.signals());
    ExecutionCache cache = new ExecutionCache(1, new InstanceTurns(1), evicted -> {});
    return new HealthCheck(
            parts.signals().watch(), parts.options(), new Vitals(parts.signals(), cache, sessions))
        .threads(List.of(), StoreHealth.SOUND)
        .leases(leases)
        .open();
  }

  @Test
  @DisplayName("RL-018 late by half the shortest lock: DEGRADED; by a whole one: DOWN; then over")
  void late() {
    keep(leases, () -> {});
    Duration planned = SHORTEST.dividedBy(16);
    time.pass(SHORTEST.dividedBy(2));
    assertThat(leases.isBehind()).isFalse();
    assertThat(health().status()).isEqualTo(Health.Status.UP);

    time.pass(planned);
    assertThat(leases.isBehind()).isTrue();
    assertThat(health().status()).isEqualTo(Health.Status.DEGRADED);
    assertThat(health().problems().getFirst()).contains("2500 ms", "nothing more is fetched");

    time.pass(SHORTEST.dividedBy(2));
    assertThat(health().status()).isEqualTo(Health.Status.DOWN);

    leases.look();
    assertThat(leases.isBehind()).isFalse();
    assertThat(health().status()).isEqualTo(Health.Status.UP);
  }

  @Test
  @DisplayName("RL-018 a look-out with nothing to look after is never late")
  void idle() {
    time.pass(SHORTEST.multipliedBy(10));
    assertThat(leases.isBehind()).isFalse();

    keep(leases, () -> {});
    assertThat(leases.lateness()).isZero();
  }

  /** Takes what it is given and never does it. */
  private static ExecutorService hanging() {
    return new CallersThread() {
      @Override
      public void execute(Runnable command) {}
    };
  }

  @Test
  @DisplayName("RL-018 a lock that was not renewed by its known end counts as lost, once")
  void notRenewed() {
    AtomicInteger lost = new AtomicInteger();
    try (LeaseKeeper stuck = new LeaseKeeper(Node.parts(provider, time), hanging())) {
      LeaseKeeper.Lease lease = keep(stuck, lost::incrementAndGet);
      time.pass(SHORTEST.dividedBy(2));
      stuck.look();
      assertThat(lease.isHeld()).isTrue();
      time.pass(SHORTEST.dividedBy(2));
      stuck.look();
      stuck.look();

      assertThat(lease.isHeld()).isFalse();
      assertThat(lost).hasValue(1);
    }
  }

  private LockedWork fetched() throws InterruptedException {
    return provider
        .fetchWorkItem(WorkFetch.of(Duration.ofSeconds(10), Duration.ZERO))
        .orElseThrow();
  }

  private void process(ActivityHandler<String, String> handler) throws InterruptedException {
    provider.enqueueForWorker(
        new WorkItem.ActivityExecute(
            new ActivityKey("x", 1, 2),
            "Work",
            "\"in\"",
            ActivityRouting.ANYWHERE,
            ActivityOrigin.UNKNOWN));
    RuntimeParts parts =
        new RuntimeParts(
            "node",
            provider,
            OrchestrationRegistry.builder().build(),
            ActivityRegistry.builder().register(WORK, handler).build(),
            RuntimeOptions.defaults(),
            time,
            Node.unheard());
    Slots slots = new Slots(1);
    Sessions sessions = new Sessions(parts.options(), parts.runtimeId(), slots, parts.signals());
    new ActivityProcessor(
            parts, leases, new RunningActivities(), sessions, Node.steps(parts, slots))
        .process(fetched(), new Release(() -> {}), false);
  }

  private long unreported() {
    return provider.management().orElseThrow().queueDepths().worker().locked();
  }

  @Test
  @DisplayName("RL-018 the outcome of an activity whose lock was not renewed in time stays unsaid")
  void notReported() throws InterruptedException {
    process((ctx, in) -> {
      time.pass(Duration.ofSeconds(10));
      return in;
    });

    assertThat(unreported()).isEqualTo(1);
  }

  @Test
  @DisplayName("RL-018 the outcome of an activity whose lock is held is reported")
  void reported() throws InterruptedException {
    process((ctx, in) -> {
      time.pass(Duration.ofSeconds(9));
      return in;
    });

    assertThat(unreported()).isZero();
  }

  @Test
  @DisplayName("RL-014 an error of the JVM in look-out and renewers: locks are renewed in time")
  void errors() {
    AtomicBoolean lookFailed = new AtomicBoolean();
    AtomicBoolean renewalFailed = new AtomicBoolean();
    AtomicInteger renewed = new AtomicInteger();
    AtomicInteger lost = new AtomicInteger();
    Waiting failing =
        new Waiting() {
          private final Waiting real = new SystemTime();

          @Override
          public long nanoTime() {
            if (Thread.currentThread().getName().startsWith("duroxide-leases")
                && lookFailed.compareAndSet(false, true)) {
              throw new OutOfMemoryError("no memory to look");
            }
            return real.nanoTime();
          }

          @Override
          public void sleep(Duration duration) throws InterruptedException {
            real.sleep(duration);
          }
        };
    try (LeaseKeeper keeper = new LeaseKeeper(Node.parts(stubs.before(provider), failing))) {
      keeper.start();
      keeper.keep(
          LockKind.ACTIVITY,
          stubs.add(extension -> {
            if (renewalFailed.compareAndSet(false, true)) {
              throw new OutOfMemoryError("no memory to renew");
            }
            renewed.incrementAndGet();
          }),
          Duration.ofSeconds(20),
          Duration.ofMillis(100),
          lost::incrementAndGet);
      await().until(() -> renewed.get() >= 2);

      assertThat(lookFailed).isTrue();
      assertThat(renewalFailed).isTrue();
      assertThat(lost).hasValue(0);
      assertThat(keeper.thread().isAlive()).isTrue();
    }
  }
}
