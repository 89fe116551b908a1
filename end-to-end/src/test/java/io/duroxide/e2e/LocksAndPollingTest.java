package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Orchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.runtime.RuntimeOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class LocksAndPollingTest {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);

  /** A lock that is renewed at its half; long enough for a busy machine. */
  private static final Duration SHORT = Duration.ofSeconds(1);

  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);

  @Parameter private Mode mode;
  private final Faults faults = new Faults();
  private World world;

  @BeforeEach
  void open() {
    world = World.open(mode);
    world.decorate(faults::on);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private final AtomicInteger runs = new AtomicInteger();

  @Test
  @DisplayName("E2E-560 locks last 5 and 10 s, buffers 2 and 5 s, unless other values are chosen")
  void defaults() {
    RuntimeOptions options = RuntimeOptions.defaults();
    assertThat(options.orchestratorLockTimeout()).isEqualTo(Duration.ofSeconds(5));
    assertThat(options.workerLockTimeout()).isEqualTo(Duration.ofSeconds(10));
    assertThat(options.lockRenewalBuffer()).isEqualTo(Duration.ofSeconds(5));
    assertThat(options.orchestratorLockRenewalBuffer()).isEqualTo(Duration.ofSeconds(2));
    RuntimeOptions chosen =
        RuntimeOptions.builder()
            .orchestratorLockTimeout(Duration.ofSeconds(7))
            .workerLockTimeout(Duration.ofSeconds(70))
            .lockRenewalBuffer(Duration.ofSeconds(9))
            .orchestratorLockRenewalBuffer(Duration.ofSeconds(3))
            .build();
    assertThat(chosen.orchestratorLockTimeout()).isEqualTo(Duration.ofSeconds(7));
    assertThat(chosen.workerLockTimeout()).isEqualTo(Duration.ofSeconds(70));
    assertThat(chosen.lockRenewalBuffer()).isEqualTo(Duration.ofSeconds(9));
    assertThat(chosen.orchestratorLockRenewalBuffer()).isEqualTo(Duration.ofSeconds(3));
  }

  /** Runs {@code count} activities that each take {@code length} of real time. */
  private void run(RuntimeOptions.Builder options, World in, Duration length, int count) {
    in.start(
        options,
        n ->
            n.activity(
                    WORK,
                    (ctx, input) -> {
                      runs.incrementAndGet();
                      return ctx.awaitCancelled(length) ? "cancelled" : input;
                    })
                .orchestration(
                    FLOW,
                    (ctx, input) -> {
                      List<DurableFuture<String>> all = new ArrayList<>();
                      for (int i = 0; i < count; i++) {
                        all.add(ctx.call(WORK, "ok"));
                      }
                      return String.join(",", ctx.<String>all(all));
                    }));
    in.client().start(FLOW, "l", "");
    assertThat(in.output("l")).isEqualTo(String.join(",", Collections.nCopies(count, "ok")));
    assertThat(runs).hasValue(count);
  }

  @Test
  @DisplayName("E2E-561 long locks do no harm")
  void longLocks() {
    Duration minute = Duration.ofSeconds(60);
    run(
        world.options().orchestratorLockTimeout(minute).workerLockTimeout(minute),
        world,
        Duration.ZERO,
        1);
  }

  @Test
  @DisplayName("E2E-562 E2E-564 an activity shorter than its lock needs no renewal")
  void quick() {
    run(world.options().workerLockTimeout(Duration.ofSeconds(1)), world, Duration.ZERO, 1);
    assertThat(faults.count("renewLocks")).isZero();
  }

  private void renewed(Duration lock, Duration buffer, Duration length, int count) {
    try (World real = World.sqliteRealTime(mode)) {
      real.decorate(faults::on);
      run(real.options().workerLockTimeout(lock).lockRenewalBuffer(buffer), real, length, count);
      assertThat(faults.count("renewLocks")).isPositive();
    }
  }

  @Test
  @DisplayName("E2E-563 E2E-565 E2E-907 an activity twice as long as a short lock runs once")
  void renewed() {
    renewed(SHORT, Duration.ofSeconds(5), Duration.ofMillis(2_200), 1);
  }

  @Test
  @DisplayName("E2E-566 the buffer does not shorten a short lock; the activity runs once")
  void renewedWithBuffer() {
    renewed(SHORT, Duration.ofMillis(900), Duration.ofMillis(1_400), 1);
  }

  @Test
  @DisplayName("E2E-567 the locks of three activities are renewed independently")
  void threeRenewed() {
    renewed(SHORT, Duration.ofSeconds(5), Duration.ofMillis(2_200), 3);
  }

  @Test
  @DisplayName("E2E-906 renewals that fail for a passing reason do not cancel the activity")
  void failingRenewals() {
    faults.failNext("renewLocks", 1, ProviderException.Kind.UNAVAILABLE);
    renewed(SHORT.multipliedBy(2), Duration.ofSeconds(5), Duration.ofMillis(2_500), 1);
  }

  @Test
  @DisplayName("E2E-568 a turn that takes longer than its lock keeps it")
  void turnRenewed() {
    try (World real = World.sqliteRealTime(mode)) {
      real.decorate(faults::on);
      // Renewed at each half of a lock, so the third is beyond its first end.
      faults.hold(Faults.COMMIT, () -> real.until(() -> faults.count("renewLocks") >= 3));
      real.start(
          real.options().orchestratorLockTimeout(SHORT),
          n -> n.orchestration(FLOW, (ctx, in) -> in + runs.incrementAndGet()));
      real.client().start(FLOW, "t", "turn ");

      assertThat(real.output("t")).isEqualTo("turn 1");
    }
  }

  @Test
  @DisplayName("E2E-569 any poll interval does")
  void pollIntervals() {
    for (Duration interval :
        List.of(
            RuntimeOptions.defaults().minPollInterval(),
            Duration.ofMillis(50),
            Duration.ofMillis(1))) {
      world.start(
          world.options().longPollTimeout(World.PATIENCE).minPollInterval(interval),
          n -> n.orchestration(FLOW, (ctx, in) -> in));
      String instance = "poll-" + interval.toMillis();
      world.client().start(FLOW, instance, "ok");
      assertThat(world.output(instance)).isEqualTo("ok");
      world.stopRuntimes();
    }
  }

  @Test
  @DisplayName("E2E-570 a fetch waits for work, returns when it comes; an idle node fetches rarely")
  void longPoll() throws Exception {
    Provider store = world.store();
    long began = System.nanoTime();
    assertThat(
            store.fetchOrchestrationItem(
                OrchestrationFetch.of(Duration.ofSeconds(5), Duration.ofMillis(100))))
        .isEmpty();
    assertThat(Duration.ofNanos(System.nanoTime() - began))
        .isGreaterThanOrEqualTo(Duration.ofMillis(100));

    int before = faults.count("fetchOrchestrationItems");
    world.start(
        world.options().longPollTimeout(World.PATIENCE),
        n -> n.orchestration(FLOW, (ctx, in) -> in));
    world.until(() -> faults.count("fetchOrchestrationItems") == before + 1);
    world.client().start(FLOW, "prompt", "ok");
    assertThat(world.output("prompt")).isEqualTo("ok");
    world.until(() -> faults.count("fetchOrchestrationItems") == before + 2);
  }
}
