package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityContext;
import io.duroxide.api.ActivityFailedException;
import io.duroxide.api.ActivityOptions;
import io.duroxide.api.Backoff;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.api.RetryPolicy;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
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
class RetriesTest {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> MAIN =
      Orchestration.of("Main", String.class, String.class);
  private static final Backoff NO_PAUSE = new Backoff.None();
  private static final Duration PAUSE = Duration.ofSeconds(10);

  /** Below the lock of an activity, which must not end by the way. */
  private static final Duration LIMIT = Duration.ofSeconds(8);

  @Parameter private Mode mode;
  private World world;

  @BeforeEach
  void open() {
    world = World.open(mode);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private final AtomicInteger calls = new AtomicInteger();

  private static ActivityOptions attempts(int count, Backoff backoff) {
    return ActivityOptions.options().retry(RetryPolicy.attempts(count).withBackoff(backoff));
  }

  /** Fails with the number of the call until {@code failures} calls failed. */
  private String failing(int failures) {
    int call = calls.incrementAndGet();
    if (call <= failures) {
      throw new OrchestrationFailure("failure " + call);
    }
    return "call " + call;
  }

  /** One orchestration that makes one call with these options and reports a failure as text. */
  private void startOne(int failures, ActivityOptions options) {
    world.start(node ->
        node.activity(WORK, (ctx, input) -> failing(failures))
            .orchestration(
                MAIN,
                (ctx, input) -> {
                  try {
                    return ctx.call(WORK, input, options).await();
                  } catch (ActivityFailedException e) {
                    return "failed: " + e.getMessage();
                  }
                }));
    world.client().start(MAIN, "r", "x");
  }

  /** A handler that never answers, but ends when it is cancelled. */
  private static String hang(ActivityContext ctx) throws InterruptedException {
    ctx.awaitCancelled(World.PATIENCE);
    return "too late";
  }

  private int count(Class<? extends EventKind> kind) {
    return world.events("r", kind).size();
  }

  @Test
  @DisplayName("E2E-352 OR-030 a call that succeeds at once is tried once, without timers")
  void firstTime() {
    startOne(0, attempts(3, new Backoff.Fixed(PAUSE)));

    assertThat(world.output("r")).isEqualTo("call 1");
    assertThat(calls).hasValue(1);
    assertThat(count(EventKind.ActivityScheduled.class)).isEqualTo(1);
    assertThat(count(EventKind.TimerCreated.class)).isZero();
  }

  @Test
  @DisplayName("E2E-353 E2E-362 OR-030 OR-031 two failures, then the output of the third attempt")
  void thirdTime() {
    startOne(2, attempts(3, NO_PAUSE));

    assertThat(world.output("r")).isEqualTo("call 3");
    assertThat(calls).hasValue(3);
    assertThat(count(EventKind.ActivityScheduled.class)).isEqualTo(3);
    assertThat(count(EventKind.ActivityFailed.class)).isEqualTo(2);
  }

  @Test
  @DisplayName("E2E-354 OR-030 when all attempts fail the last error is the error")
  void exhausted() {
    startOne(99, attempts(3, NO_PAUSE));

    assertThat(world.output("r")).isEqualTo("failed: failure 3");
    assertThat(calls).hasValue(3);
  }

  @Test
  @DisplayName("E2E-355 OR-030 a single attempt that fails is an error at once")
  void single() {
    startOne(99, attempts(1, new Backoff.Fixed(PAUSE)));

    assertThat(world.output("r")).isEqualTo("failed: failure 1");
    assertThat(calls).hasValue(1);
    assertThat(count(EventKind.TimerCreated.class)).isZero();
  }

  @Test
  @DisplayName("E2E-356 OR-031 a fixed backoff is one timer for each gap")
  void fixedBackoff() {
    startOne(2, attempts(3, new Backoff.Fixed(PAUSE)));

    world.until(() -> count(EventKind.TimerCreated.class) == 1);
    assertThat(calls).hasValue(1);
    world.advance(PAUSE);
    world.until(() -> count(EventKind.TimerCreated.class) == 2);
    assertThat(calls).hasValue(2);
    world.advance(PAUSE);

    assertThat(world.output("r")).isEqualTo("call 3");
    assertThat(count(EventKind.TimerFired.class)).isEqualTo(2);
  }

  @Test
  @DisplayName("E2E-356 OR-031 no backoff is no timer")
  void noBackoff() {
    startOne(2, attempts(3, NO_PAUSE));

    assertThat(world.output("r")).isEqualTo("call 3");
    assertThat(count(EventKind.TimerCreated.class)).isZero();
  }

  @Test
  @DisplayName("E2E-357 E2E-359 OR-032 a time-out ends the call without another attempt")
  void timedOut() {
    CountDownLatch cancelled = new CountDownLatch(1);
    world.start(node ->
        node.activity(
                WORK,
                (ctx, input) -> {
                  calls.incrementAndGet();
                  ctx.onCancel(cancelled::countDown);
                  return hang(ctx);
                })
            .orchestration(
                MAIN,
                (ctx, input) ->
                    ctx.call(WORK, input, attempts(5, NO_PAUSE).timeout(LIMIT)).await()));
    world.client().start(MAIN, "r", "x");
    world.until(() -> calls.get() == 1);

    world.advanceHolding(1, LIMIT.minusMillis(1));
    assertThat(count(EventKind.TimerFired.class)).isZero();
    world.advanceHolding(1, Duration.ofMillis(1));

    assertThat(world.failure("r")).contains("timeout: activity timed out");
    assertThat(calls).hasValue(1);
    assertThat(count(EventKind.ActivityScheduled.class)).isEqualTo(1);
    assertThat(count(EventKind.TimerCreated.class)).isEqualTo(1);
    assertThat(count(EventKind.ActivityCancelRequested.class)).isEqualTo(1);
    world.until(() -> cancelled.getCount() == 0);
  }

  @Test
  @DisplayName("E2E-358 OR-032 a success before the time-out is the value")
  void inTime() {
    startOne(0, attempts(3, NO_PAUSE).timeout(LIMIT));

    assertThat(world.output("r")).isEqualTo("call 1");
    assertThat(count(EventKind.TimerCreated.class)).isEqualTo(1);
    assertThat(count(EventKind.TimerFired.class)).isZero();
  }

  @Test
  @DisplayName("E2E-360 OR-032 an error is tried again, a later time-out ends the call")
  void errorThenTimeout() {
    world.start(node ->
        node.activity(
                WORK,
                (ctx, input) -> {
                  if (calls.incrementAndGet() == 1) {
                    throw new OrchestrationFailure("first");
                  }
                  return hang(ctx);
                })
            .orchestration(
                MAIN,
                (ctx, input) ->
                    ctx.call(WORK, input, attempts(5, NO_PAUSE).timeout(LIMIT)).await()));
    world.client().start(MAIN, "r", "x");
    world.until(() -> calls.get() == 2);

    world.advanceHolding(1, LIMIT);

    assertThat(world.failure("r")).contains("timeout: activity timed out");
    assertThat(calls).hasValue(2);
    assertThat(count(EventKind.ActivityScheduled.class)).isEqualTo(2);
  }

  record Sum(int left, int right) {}

  @Test
  @DisplayName("E2E-361 a typed call decodes what a later attempt returned")
  void typed() {
    Activity<Sum, Integer> add = Activity.of("Add", Sum.class, Integer.class);
    Orchestration<Sum, Integer> adding = Orchestration.of("Adding", Sum.class, Integer.class);
    world.start(node ->
        node.activity(
                add,
                (ctx, sum) -> {
                  failing(1);
                  return sum.left() + sum.right();
                })
            .orchestration(
                adding, (ctx, sum) -> ctx.call(add, sum, attempts(2, NO_PAUSE)).await() * 10));
    world.client().start(adding, "r", new Sum(1, 2));

    assertThat(world.client().waitFor(adding, "r", World.PATIENCE)).isEqualTo(30);
    assertThat(calls).hasValue(2);
  }

  @Test
  @DisplayName("E2E-363 OR-034 ten failures, then success")
  void tenFailures() {
    startOne(10, attempts(11, NO_PAUSE));

    assertThat(world.output("r")).isEqualTo("call 11");
    assertThat(calls).hasValue(11);
    assertThat(count(EventKind.ActivityFailed.class)).isEqualTo(10);
  }

  @Test
  @DisplayName("E2E-364 OR-034 deadlines of attempts that ended in time do no harm later")
  void staleTimers() {
    world.start(node ->
        node.activity(WORK, (ctx, input) -> failing(2))
            .orchestration(
                MAIN,
                (ctx, input) -> {
                  String result =
                      ctx.call(WORK, input, attempts(3, NO_PAUSE).timeout(LIMIT)).await();
                  ctx.waitForEvent("go").await();
                  ctx.timer(PAUSE).await();
                  return result;
                }));
    world.client().start(MAIN, "r", "x");
    world.awaitEvent("r", EventKind.ExternalSubscribed.class);

    world.advance(LIMIT.multipliedBy(2));
    world.client().raiseEvent("r", "go", "");
    world.until(() -> count(EventKind.TimerCreated.class) == 4);
    world.advance(PAUSE);

    assertThat(world.output("r")).isEqualTo("call 3");
    assertThat(calls).hasValue(3);
  }

  @Test
  @DisplayName("E2E-365 OR-034 a call that timed out is the same after a restart")
  void timeoutReplays() {
    startHanging();
    world.client().start(MAIN, "r", "x");
    world.until(() -> calls.get() == 1);
    world.advanceHolding(1, LIMIT);
    world.awaitEvent("r", EventKind.ExternalSubscribed.class);
    List<Event> before = world.history("r");

    world.restart();
    startHanging();
    world.client().raiseEvent("r", "go", "");

    assertThat(world.output("r")).isEqualTo("timeout: activity timed out");
    assertThat(world.history("r")).startsWith(before.toArray(Event[]::new));
    assertThat(calls).hasValue(1);
  }

  private void startHanging() {
    world.start(node ->
        node.activity(
                WORK,
                (ctx, input) -> {
                  calls.incrementAndGet();
                  return hang(ctx);
                })
            .orchestration(
                MAIN,
                (ctx, input) -> {
                  String seen = "";
                  try {
                    ctx.call(WORK, input, attempts(3, NO_PAUSE).timeout(LIMIT)).await();
                  } catch (ActivityFailedException e) {
                    seen = e.getMessage();
                  }
                  ctx.waitForEvent("go").await();
                  return seen;
                }));
  }

  @Test
  @DisplayName("E2E-366 OR-034 outcomes for an older execution do not disturb the next one")
  void acrossContinueAsNew() {
    CountDownLatch late = new CountDownLatch(1);
    Activity<String, String> slow = Activity.of("Slow", String.class, String.class);
    world.start(node ->
        node.activity(WORK, (ctx, input) -> failing(1))
            .activity(
                slow,
                (ctx, input) -> {
                  late.await();
                  return "late";
                })
            .orchestration(
                MAIN,
                (ctx, input) -> {
                  if (input.equals("first")) {
                    ctx.call(slow, "");
                    return ctx.continueAsNew("second");
                  }
                  ctx.waitForEvent("go").await();
                  return ctx.call(WORK, input, attempts(3, NO_PAUSE)).await();
                }));
    world.client().start(MAIN, "r", "first");
    world.awaitEvent("r", EventKind.ExternalSubscribed.class);
    late.countDown();
    world.client().raiseEvent("r", "go", "");

    assertThat(world.output("r")).isEqualTo("call 2");
    assertThat(calls).hasValue(2);
    assertThat(world.events("r", EventKind.ActivityScheduled.class)).hasSize(2);
  }

  @Test
  @DisplayName("E2E-367 OR-034 after a time-out the next execution succeeds")
  void timeoutThenContinue() {
    world.start(node ->
        node.activity(
                WORK,
                (ctx, input) -> {
                  calls.incrementAndGet();
                  return input.equals("first") ? hang(ctx) : "done " + input;
                })
            .orchestration(
                MAIN,
                (ctx, input) -> {
                  try {
                    return ctx.call(WORK, input, attempts(3, NO_PAUSE).timeout(LIMIT)).await();
                  } catch (ActivityFailedException e) {
                    return ctx.continueAsNew("second");
                  }
                }));
    world.client().start(MAIN, "r", "first");
    world.until(() -> calls.get() == 1);
    world.advanceHolding(1, LIMIT);

    assertThat(world.output("r")).isEqualTo("done second");
    assertThat(calls).hasValue(2);
    assertThat(world.history("r", 1)).hasSize(6);
  }

  @Test
  @DisplayName("E2E-368 OR-034 two orchestrations retry for themselves")
  void independent() {
    Map<String, AtomicInteger> perInstance = new ConcurrentHashMap<>();
    world.start(node ->
        node.activity(
                WORK,
                (ctx, input) -> {
                  int call =
                      perInstance
                          .computeIfAbsent(ctx.instanceId(), id -> new AtomicInteger())
                          .incrementAndGet();
                  if (call < Integer.parseInt(input)) {
                    throw new OrchestrationFailure("not yet");
                  }
                  return "call " + call;
                })
            .orchestration(
                MAIN, (ctx, input) -> ctx.call(WORK, input, attempts(5, NO_PAUSE)).await()));
    world.client().start(MAIN, "a", "2");
    world.client().start(MAIN, "b", "3");

    assertThat(world.output("a")).isEqualTo("call 2");
    assertThat(world.output("b")).isEqualTo("call 3");
    assertThat(perInstance.get("a")).hasValue(2);
    assertThat(perInstance.get("b")).hasValue(3);
  }

  @Test
  @DisplayName("E2E-369 OR-035 every attempt carries the session")
  void onSession() {
    startOne(1, attempts(3, NO_PAUSE).session("s"));

    assertThat(world.output("r")).isEqualTo("call 2");
    assertThat(world.events("r", EventKind.ActivityScheduled.class))
        .extracting(EventKind.ActivityScheduled::sessionId)
        .containsExactly("s", "s");
  }

  @Test
  @DisplayName("E2E-369 OR-035 on a session all attempts may fail")
  void onSessionExhausted() {
    startOne(99, attempts(2, NO_PAUSE).session("s"));

    assertThat(world.output("r")).isEqualTo("failed: failure 2");
    assertThat(calls).hasValue(2);
  }

  @Test
  @DisplayName("E2E-369 OR-035 a typed call on a session")
  void onSessionTyped() {
    Activity<Sum, Sum> shift = Activity.of("Shift", Sum.class, Sum.class);
    Orchestration<Sum, Sum> shifting = Orchestration.of("Shifting", Sum.class, Sum.class);
    world.start(node ->
        node.activity(
                shift,
                (ctx, sum) -> {
                  failing(1);
                  return new Sum(sum.left() + 10, sum.right() + 10);
                })
            .orchestration(
                shifting,
                (ctx, sum) -> ctx.call(shift, sum, attempts(2, NO_PAUSE).session("s")).await()));
    world.client().start(shifting, "r", new Sum(1, 2));

    assertThat(world.client().waitFor(shifting, "r", World.PATIENCE)).isEqualTo(new Sum(11, 12));
  }
}
