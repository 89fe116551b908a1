package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityContext;
import io.duroxide.api.ActivityOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.Reasons;
import io.duroxide.provider.TagFilter;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Activities whose result is no longer wanted. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class ActivityCancellationTest {
  private static final Activity<String, String> SLOW =
      Activity.of("Slow", String.class, String.class);
  private static final Activity<String, String> ECHO =
      Activity.of("Echo", String.class, String.class);
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Orchestration<String, String> NEXT =
      Orchestration.of("Next", String.class, String.class);

  /** How an orchestration loses interest in its activity. */
  enum GivenUp {
    CANCELLED("orchestration_terminal_cancelled"),
    COMPLETED("orchestration_terminal_completed"),
    FAILED("orchestration_terminal_failed"),
    LOST_RACE(Reasons.DROPPED_FUTURE),
    EXPLICITLY(Reasons.DROPPED_FUTURE),
    SCOPE_CLOSED(Reasons.DROPPED_FUTURE);

    private final String reason;

    GivenUp(String reason) {
      this.reason = reason;
    }
  }

  @Parameter private Mode mode;
  private World world;
  private final CountDownLatch running = new CountDownLatch(1);
  private final CountDownLatch signalled = new CountDownLatch(1);
  private final CountDownLatch release = new CountDownLatch(1);
  private final AtomicInteger runs = new AtomicInteger();

  @BeforeEach
  void open() {
    world = World.open(mode);
  }

  @AfterEach
  void close() {
    release.countDown();
    world.close();
  }

  /** Runs until it is told to stop. */
  private String obedient(ActivityContext ctx) throws InterruptedException {
    runs.incrementAndGet();
    running.countDown();
    if (ctx.awaitCancelled(World.PATIENCE)) {
      signalled.countDown();
    }
    return "late";
  }

  /** Runs until the test is over, whatever it is told. */
  private String deaf() {
    runs.incrementAndGet();
    running.countDown();
    while (true) {
      try {
        release.await();
        return "late";
      } catch (InterruptedException e) {
        // deaf on purpose
      }
    }
  }

  @ParameterizedTest(name = "{0}")
  @EnumSource(GivenUp.class)
  @DisplayName(
      "E2E-314 E2E-315 E2E-317 E2E-318 E2E-319 E2E-325 E2E-326 OR-073 a running activity is told"
          + " that it is not wanted and its result is dropped")
  void toldToStop(GivenUp how) throws InterruptedException {
    world.start(node ->
        node.activity(SLOW, (ctx, in) -> obedient(ctx))
            .activity(ECHO, (ctx, in) -> in)
            .orchestration(FLOW, (ctx, in) -> giveUp(ctx, how)));
    world.client().start(FLOW, "f", "");
    await(running);

    if (how == GivenUp.CANCELLED) {
      world.client().cancel("f", "enough");
    } else {
      world.client().raiseEvent("f", "go", "");
    }

    await(signalled);
    String end =
        how == GivenUp.CANCELLED || how == GivenUp.FAILED ? world.failure("f") : world.output("f");
    assertThat(end)
        .isEqualTo(
            switch (how) {
              case CANCELLED -> "canceled: enough";
              case FAILED -> "no";
              case COMPLETED -> "done";
              case LOST_RACE, EXPLICITLY, SCOPE_CLOSED -> "went on";
            });
    Quiet.await(world);
    List<Event> history = world.history("f");
    assertThat(world.events("f", EventKind.ActivityCancelRequested.class))
        .containsExactly(new EventKind.ActivityCancelRequested(how.reason));
    assertThat(outcomesOf("Slow", "f")).isEmpty();
    assertThat(runs).hasValue(1);
    assertThat(history.getLast().kind()).isInstanceOf(EventKind.Terminal.class);
  }

  private static String giveUp(OrchestrationContext ctx, GivenUp how) {
    try (var scope = ctx.cancellationScope()) {
      DurableFuture<String> slow = ctx.call(SLOW, "");
      if (how == GivenUp.SCOPE_CLOSED) {
        scope.own(slow);
      }
      if (how == GivenUp.LOST_RACE) {
        ctx.select(slow, ctx.waitForEvent("go"));
      } else {
        ctx.waitForEvent("go").await();
      }
      switch (how) {
        case COMPLETED -> {
          return "done";
        }
        case FAILED -> throw new OrchestrationFailure("no");
        case EXPLICITLY -> slow.cancel();
        case CANCELLED, LOST_RACE, SCOPE_CLOSED -> {}
      }
    }
    return ctx.call(ECHO, "went on").await();
  }

  @Test
  @DisplayName("E2E-318 an activity that loses to a timer is told; the orchestration goes on")
  void losesToTimer() throws InterruptedException {
    world.start(node ->
        node.activity(SLOW, (ctx, in) -> obedient(ctx))
            .activity(ECHO, (ctx, in) -> in)
            .orchestration(
                FLOW,
                (ctx, in) -> {
                  ctx.select(ctx.call(SLOW, ""), ctx.timer(Duration.ofMillis(200)));
                  return ctx.call(ECHO, "went on").await();
                }));
    world.client().start(FLOW, "f", "");
    await(running);

    world.advanceHolding(1, Duration.ofMillis(200));

    await(signalled);
    assertThat(world.output("f")).isEqualTo("went on");
    assertThat(outcomesOf("Slow", "f")).isEmpty();
  }

  @Test
  @DisplayName("E2E-317 OR-073 an activity on another node learns of the cancel at its renewal")
  void toldOnAnotherNode() throws InterruptedException {
    world.start(node -> node.orchestration(FLOW, (ctx, in) -> ctx.call(SLOW, "").await()));
    world.start(
        world
            .options()
            .workerLockTimeout(Duration.ofMillis(400))
            .lockRenewalBuffer(Duration.ofMillis(200)),
        node -> node.activity(SLOW, (ctx, in) -> obedient(ctx)));
    world.client().start(FLOW, "f", "");
    await(running);

    world.client().cancel("f", "enough");

    await(signalled);
    assertThat(world.failure("f")).isEqualTo("canceled: enough");
    Quiet.await(world);
    assertThat(outcomesOf("Slow", "f")).isEmpty();
  }

  @Test
  @DisplayName("E2E-921 with long locks an activity of the same process is told at once")
  void toldAtOnce() throws InterruptedException {
    RuntimeOptions.Builder longLocks =
        RuntimeOptions.builder()
            .cachedExecutions(mode.cachedExecutions())
            .workerLockTimeout(Duration.ofSeconds(30));
    world.start(
        longLocks,
        node ->
            node.activity(SLOW, (ctx, in) -> obedient(ctx))
                .orchestration(FLOW, (ctx, in) -> ctx.call(SLOW, "").await()));
    world.client().start(FLOW, "f", "");
    await(running);

    world.client().cancel("f", "enough");
    world.awaitEvent("f", EventKind.OrchestrationCancelRequested.class);

    // The first renewal, the other way to learn of it, comes after 25 s.
    assertThat(signalled.await(10, TimeUnit.SECONDS)).isTrue();
    assertThat(world.failure("f")).isEqualTo("canceled: enough");
  }

  @Test
  @DisplayName(
      "E2E-320 OR-074 an activity nobody has fetched when its orchestration ends never runs")
  void neverFetched() {
    world.start(node ->
        node.orchestration(FLOW, (ctx, in) -> ctx.call(SLOW, "").await())
            .orchestration(NEXT, (ctx, in) -> ctx.call(ECHO, in).await()));
    world.client().start(FLOW, "f", "");
    world.awaitEvent("f", EventKind.ActivityScheduled.class);
    world.client().cancel("f", "enough");
    assertThat(world.failure("f")).isEqualTo("canceled: enough");

    world.start(
        node -> node.activity(SLOW, (ctx, in) -> obedient(ctx)).activity(ECHO, (ctx, in) -> in));
    world.client().start(NEXT, "n", "later work");

    assertThat(world.output("n")).isEqualTo("later work");
    Quiet.await(world);
    assertThat(runs).hasValue(0);
    assertThat(outcomesOf("Slow", "f")).isEmpty();
  }

  @Test
  @DisplayName(
      "E2E-321 E2E-805 OR-074 an activity that ignores its cancellation loses its only slot")
  void leftBehind() throws InterruptedException {
    world.start(
        oneSlotEach(),
        node -> {
          node.activity(SLOW, (ctx, in) -> deaf());
          flows(node);
        });
    world.client().start(FLOW, "f", "");
    await(running);

    world.client().cancel("f", "enough");
    world.client().start(NEXT, "n", "later work");

    assertThat(world.failure("f")).isEqualTo("canceled: enough");
    assertThat(world.output("n")).isEqualTo("later work");
    assertThat(release.getCount()).as("the activity still runs").isEqualTo(1);
    assertThat(runs).hasValue(1);
    release.countDown();
    Quiet.await(world);
    assertThat(outcomesOf("Slow", "f")).isEmpty();
    assertThat(runs).hasValue(1);
  }

  @Test
  @DisplayName("E2E-804 with one slot each, an activity that obeys leaves its slot to the next")
  void obeysWithOneSlot() throws InterruptedException {
    world.start(
        oneSlotEach().cancellationGracePeriod(World.PATIENCE),
        node -> {
          node.activity(SLOW, (ctx, in) -> obedient(ctx));
          flows(node);
        });
    world.client().start(FLOW, "f", "");
    await(running);

    world.client().cancel("f", "enough");
    world.client().start(NEXT, "n", "later work");

    await(signalled);
    assertThat(world.failure("f")).isEqualTo("canceled: enough");
    assertThat(world.output("n")).isEqualTo("later work");
    assertThat(outcomesOf("Slow", "f")).isEmpty();
  }

  @Test
  @DisplayName("E2E-319 the result of an activity that ends after the cancel is dropped")
  void resultDropped() throws InterruptedException {
    world.start(
        oneSlotEach().cancellationGracePeriod(World.PATIENCE),
        node -> {
          node.activity(SLOW, (ctx, in) -> deaf());
          flows(node);
        });
    world.client().start(FLOW, "f", "");
    await(running);
    world.client().cancel("f", "enough");
    assertThat(world.failure("f")).isEqualTo("canceled: enough");
    List<Event> before = world.history("f");

    release.countDown();
    world.client().start(NEXT, "n", "later work");

    assertThat(world.output("n")).isEqualTo("later work");
    Quiet.await(world);
    assertThat(world.history("f")).isEqualTo(before);
    assertThat(world.failure("f")).isEqualTo("canceled: enough");
  }

  private RuntimeOptions.Builder oneSlotEach() {
    return world
        .options()
        .orchestrationConcurrency(1)
        .workerConcurrency(1)
        .cancellationGracePeriod(Duration.ofMillis(50));
  }

  private static void flows(DuroxideRuntime.Builder node) {
    node.activity(ECHO, (ctx, in) -> in)
        .orchestration(FLOW, (ctx, in) -> ctx.call(SLOW, "").await())
        .orchestration(NEXT, (ctx, in) -> ctx.call(ECHO, in).await());
  }

  @Test
  @DisplayName("E2E-332 an activity asked for and given up in one turn is never dispatched")
  void givenUpAtOnce() {
    world.start(node ->
        node.activity(SLOW, (ctx, in) -> obedient(ctx))
            .activity(ECHO, (ctx, in) -> in)
            .orchestration(
                FLOW,
                (ctx, in) -> {
                  ctx.call(SLOW, "").cancel();
                  return ctx.call(ECHO, "went on").await();
                }));

    world.client().start(FLOW, "f", "");

    assertThat(world.output("f")).isEqualTo("went on");
    Quiet.await(world);
    assertThat(runs).hasValue(0);
    assertThat(world.events("f", EventKind.ActivityCancelRequested.class))
        .containsExactly(new EventKind.ActivityCancelRequested(Reasons.DROPPED_FUTURE));
  }

  @Test
  @DisplayName("OR-077 a tagged and mapped activity is told to stop like a plain one")
  void taggedAndMapped() throws InterruptedException {
    world.start(
        world.options().tags(TagFilter.defaultAnd("gpu")),
        node ->
            node.activity(SLOW, (ctx, in) -> obedient(ctx))
                .activity(ECHO, (ctx, in) -> in)
                .orchestration(
                    FLOW,
                    (ctx, in) -> {
                      var slow =
                          ctx.call(SLOW, "", ActivityOptions.options().tag("gpu"))
                              .map(String::length)
                              .map(length -> length + 1);
                      ctx.select(slow, ctx.waitForEvent("go"));
                      return ctx.call(ECHO, "went on").await();
                    }));
    world.client().start(FLOW, "f", "");
    await(running);

    world.client().raiseEvent("f", "go", "");

    await(signalled);
    assertThat(world.output("f")).isEqualTo("went on");
    assertThat(outcomesOf("Slow", "f")).isEmpty();
    assertThat(world.events("f", EventKind.ActivityCancelRequested.class))
        .containsExactly(new EventKind.ActivityCancelRequested(Reasons.DROPPED_FUTURE));
  }

  /** What is recorded as the outcome of an activity. */
  private List<Event> outcomesOf(String activity, String instance) {
    List<Event> history = world.history(instance);
    List<Long> schedules =
        history.stream()
            .filter(event ->
                event.kind() instanceof EventKind.ActivityScheduled scheduled
                    && scheduled.name().equals(activity))
            .map(Event::id)
            .toList();
    return history.stream()
        .filter(event -> event.kind() instanceof EventKind.Completion)
        .filter(event -> schedules.contains(event.source()))
        .toList();
  }

  private static void await(CountDownLatch latch) throws InterruptedException {
    assertThat(latch.await(World.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
  }
}
