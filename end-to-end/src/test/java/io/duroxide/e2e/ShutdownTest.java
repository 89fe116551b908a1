package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.model.EventKind;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.support.LiveThreads;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class ShutdownTest {
  private static final Duration QUIET = Duration.ofMillis(250);
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Orchestration<String, String> CHILD =
      Orchestration.of("Child", String.class, String.class);

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

  @Test
  @DisplayName("E2E-917 an idle node stops at once: it ends its long polls and waits for nothing")
  void idle() {
    DuroxideRuntime node =
        world.start(world.options().longPollTimeout(Duration.ofDays(1)), n -> {});
    world.until(
        () -> faults.count("fetchOrchestrationItems") > 0 && faults.count("fetchWorkItems") > 0);

    boolean clean = node.shutdown(Duration.ofDays(1));

    assertThat(clean).isTrue();
    for (String fetch : List.of("fetchOrchestrationItems", "fetchWorkItems")) {
      assertThat(faults.count(fetch)).as(fetch).isEqualTo(1);
      assertThat(faults.done(fetch)).as(fetch).isEqualTo(1);
    }
    awaitNoThreads();
    assertThat(node.shutdown(Duration.ofDays(1))).isTrue();
  }

  @Test
  @DisplayName("E2E-917 an activity that ends before the deadline is reported")
  void activityEndsInTime() {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    DuroxideRuntime node =
        world.start(n ->
            n.activity(
                    WORK,
                    (ctx, in) -> {
                      started.countDown();
                      go.await();
                      return "done";
                    })
                .orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await()));
    world.client().start(FLOW, "in-time", "");
    world.until(() -> started.getCount() == 0);

    CompletableFuture<Boolean> clean =
        CompletableFuture.supplyAsync(() -> node.shutdown(World.PATIENCE));
    go.countDown();

    assertThat(clean.join()).isTrue();
    world.start(n -> n.orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await()));
    assertThat(world.output("in-time")).isEqualTo("done");
  }

  @Test
  @DisplayName("E2E-917 at the deadline a running activity is handed over, its attempt not counted")
  void handOver() {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    DuroxideRuntime node =
        world.start(n ->
            n.activity(
                    WORK,
                    (ctx, in) -> {
                      ctx.onCancel(cancelled::countDown);
                      started.countDown();
                      ctx.awaitCancelled(World.PATIENCE);
                      return "too late";
                    })
                .orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await()));
    world.client().start(FLOW, "handed", "");
    world.until(() -> started.getCount() == 0);
    ProviderAdmin admin = world.store().management().orElseThrow();
    assertThat(admin.queueDepths().worker().locked()).isEqualTo(1);

    assertThat(node.shutdown(Duration.ofMillis(50))).isFalse();

    world.until(() -> cancelled.getCount() == 0);
    assertThat(admin.queueDepths().worker().locked()).isZero();
    assertThat(admin.queueDepths().worker().ready()).isEqualTo(1);
    world.start(n ->
        n.activity(WORK, (ctx, in) -> "attempt " + ctx.attempt())
            .orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await()));
    assertThat(world.output("handed")).isEqualTo("attempt 1");
  }

  @Test
  @DisplayName("E2E-917 until the deadline the lock of a running activity is renewed")
  void lockKeptUntilDeadline() {
    try (World real = World.sqliteRealTime(mode)) {
      Duration lock = Duration.ofSeconds(1);
      CountDownLatch started = new CountDownLatch(1);
      DuroxideRuntime first =
          real.start(
              real.options().workerLockTimeout(lock),
              n ->
                  n.activity(
                          WORK,
                          (ctx, in) -> {
                            started.countDown();
                            ctx.awaitCancelled(World.PATIENCE);
                            return "too late";
                          })
                      .orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await()));
      real.client().start(FLOW, "kept", "");
      real.until(() -> started.getCount() == 0);
      real.start(
          real.options().workerLockTimeout(lock),
          n -> n.activity(WORK, (ctx, in) -> "attempt " + ctx.attempt()));

      boolean clean = first.shutdown(Duration.ofMillis(2_500));

      assertThat(clean).isFalse();
      real.start(n -> n.orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await()));
      assertThat(real.output("kept")).isEqualTo("attempt 1");
    }
  }

  @Test
  @DisplayName("E2E-917 a hard stop leaves no thread of the runtime behind")
  void noThreads() {
    CountDownLatch started = new CountDownLatch(2);
    DuroxideRuntime node =
        world.start(n ->
            n.activity(
                    WORK,
                    (ctx, in) -> {
                      started.countDown();
                      new CountDownLatch(1).await();
                      return "";
                    })
                .orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await())
                .orchestration(CHILD, (ctx, in) -> ctx.waitForEvent("never").await()));
    world.client().start(FLOW, "running", "");
    world.client().start(FLOW, "cancelled", "");
    world.client().start(CHILD, "waiting", "");
    world.awaitEvent("waiting", EventKind.ExternalSubscribed.class);
    world.until(() -> started.getCount() == 0);
    world.client().cancel("cancelled", "enough");
    world.end("cancelled");
    assertThat(runtimeThreads()).isNotEmpty();

    node.shutdown(Duration.ZERO);

    awaitNoThreads();
  }

  /** Looks seldom: JDK 25 may crash when it dumps threads that are just being parked. */
  private static void awaitNoThreads() {
    await()
        .atMost(World.PATIENCE)
        .pollDelay(QUIET)
        .pollInterval(QUIET)
        .until(() -> runtimeThreads().isEmpty());
  }

  private static List<String> runtimeThreads() {
    return LiveThreads.named("duroxide-").stream()
        .filter(thread -> !thread.contains("duroxide-sqlite-"))
        .filter(thread -> !thread.contains("duroxide-postgres-"))
        .toList();
  }
}
