package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.api.Selected;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.OrchestrationFetch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
class TimersTest {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> TIMED =
      Orchestration.of("Timed", String.class, String.class);

  private final AtomicInteger calls = new AtomicInteger();

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

  private void node(OrchestrationHandler<String, String> code) {
    world.start(node ->
        node.activity(
                WORK,
                (ctx, input) -> {
                  calls.incrementAndGet();
                  return "did " + input;
                })
            .orchestration(TIMED, code));
  }

  private void begin(OrchestrationHandler<String, String> code) {
    node(code);
    world.client().start(TIMED, "timed", "");
  }

  private static Duration millis(long count) {
    return Duration.ofMillis(count);
  }

  private void awaitCreated(int count) {
    world.until(() -> world.events("timed", EventKind.TimerCreated.class).size() == count);
  }

  private void awaitFired(int count) {
    world.until(() -> fired().size() == count);
  }

  private List<EventKind.TimerFired> fired() {
    return world.events("timed", EventKind.TimerFired.class);
  }

  @Test
  @DisplayName("E2E-090 OR-020 a timer fires when its time has come, not before")
  void oneTimer() {
    begin((ctx, name) -> {
      ctx.timer(Duration.ofDays(30)).await();
      return "done";
    });
    awaitCreated(1);
    Instant due = world.clock().instant().plus(Duration.ofDays(30));

    world.advance(Duration.ofDays(30).minusMillis(1));
    // A message that comes later has been dealt with: the timer would have been, too.
    world.client().raiseEvent("timed", "later", "");
    world.awaitEvent("timed", EventKind.ExternalEvent.class);
    assertThat(fired()).isEmpty();
    world.advance(millis(1));

    assertThat(world.output("timed")).isEqualTo("done");
    assertThat(fired()).containsExactly(new EventKind.TimerFired(due));
  }

  @Test
  @DisplayName("E2E-091 OR-020 timers one after the other all fire")
  void inSequence() {
    begin((ctx, input) -> {
      ctx.timer(millis(100)).await();
      ctx.timer(millis(50)).await();
      ctx.timer(millis(75)).await();
      return "done";
    });
    Instant began = world.clock().instant();

    awaitCreated(1);
    world.advance(millis(100));
    awaitCreated(2);
    world.advance(millis(50));
    awaitCreated(3);
    world.advance(millis(75));

    assertThat(world.output("timed")).isEqualTo("done");
    assertThat(fired())
        .containsExactly(
            new EventKind.TimerFired(began.plusMillis(100)),
            new EventKind.TimerFired(began.plusMillis(150)),
            new EventKind.TimerFired(began.plusMillis(225)));
  }

  @Test
  @DisplayName("E2E-092 OR-020 a timer and an activity side by side both complete")
  void withActivity() {
    begin((ctx, input) -> {
      DurableFuture<Instant> timer = ctx.timer(millis(100));
      DurableFuture<String> work = ctx.call(WORK, "it");
      Instant due = timer.await();
      return work.await() + " by " + due;
    });
    world.awaitEvent("timed", EventKind.ActivityCompleted.class);

    world.advance(millis(100));

    assertThat(world.output("timed")).isEqualTo("did it by " + world.clock().instant());
  }

  private static final OrchestrationHandler<String, String> TIMER_THEN_WORK =
      (ctx, input) -> {
        ctx.timer(Duration.ofSeconds(1)).await();
        return ctx.call(WORK, "after").await();
      };

  @Test
  @DisplayName("E2E-093 OR-021 a timer that is not yet due survives a restart and fires once")
  void restartBeforeDue() {
    begin(TIMER_THEN_WORK);
    awaitCreated(1);

    world.restart();
    node(TIMER_THEN_WORK);
    assertThat(fired()).isEmpty();
    world.advance(Duration.ofSeconds(1));

    assertThat(world.output("timed")).isEqualTo("did after");
    assertThat(fired()).hasSize(1);
    assertThat(calls).hasValue(1);
  }

  @Test
  @DisplayName("OR-021 a timer that came due while nothing ran fires at once after the restart")
  void restartAfterDue() {
    begin(TIMER_THEN_WORK);
    awaitCreated(1);

    world.restart();
    world.advance(Duration.ofDays(1));
    node(TIMER_THEN_WORK);

    assertThat(world.output("timed")).isEqualTo("did after");
    assertThat(fired()).hasSize(1);
  }

  @Test
  @DisplayName("E2E-094 OR-021 OR-025 a node that dies with a fired timer in hand loses nothing")
  void crashBeforeCommit() throws InterruptedException {
    begin(TIMER_THEN_WORK);
    awaitCreated(1);
    world.restart();
    world.advance(Duration.ofSeconds(1));
    Duration lock = Duration.ofSeconds(5);
    assertThat(world.store().fetchOrchestrationItem(OrchestrationFetch.of(lock, Duration.ZERO)))
        .hasValueSatisfying(locked ->
            assertThat(locked.item().messages().items())
                .singleElement()
                .isInstanceOf(WorkItem.TimerFired.class));

    world.restart();
    node(TIMER_THEN_WORK);
    assertThat(fired()).isEmpty();
    world.advance(lock);

    assertThat(world.output("timed")).isEqualTo("did after");
    assertThat(fired()).hasSize(1);
    assertThat(calls).hasValue(1);
  }

  @Test
  @DisplayName("E2E-095 OR-020 a timer of no length completes at once, at the cost of an event")
  void zeroLength() {
    begin((ctx, input) -> "due " + ctx.timer(Duration.ZERO).await());

    assertThat(world.output("timed")).isEqualTo("due " + world.clock().instant());
    assertThat(fired()).hasSize(1);
  }

  @Test
  @DisplayName("E2E-096 OR-021 all timers outstanding over a restart fire, each once and in time")
  void severalOverRestart() {
    OrchestrationHandler<String, String> code =
        (ctx, input) -> {
          List<DurableFuture<Instant>> timers = new ArrayList<>();
          for (int seconds : List.of(3, 1, 2)) {
            timers.add(ctx.timer(Duration.ofSeconds(seconds)));
          }
          return "all " + ctx.all(timers).size();
        };
    begin(code);
    awaitCreated(3);

    world.restart();
    node(code);
    for (int count = 1; count < 3; count++) {
      world.advance(Duration.ofSeconds(1));
      awaitFired(count);
    }
    assertThat(world.client().status("timed")).isInstanceOf(OrchestrationStatus.Running.class);
    world.advance(Duration.ofSeconds(1));

    assertThat(world.output("timed")).isEqualTo("all 3");
    assertThat(
            world.history("timed").stream()
                .filter(event -> event.kind() instanceof EventKind.TimerFired)
                .map(Event::source))
        .containsExactly(3L, 4L, 2L);
  }

  @Test
  @DisplayName("E2E-097 OR-022 a timer counts from the time it is made, whatever fired before it")
  void countsFromNow() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch gate = new CountDownLatch(1);
    world.start(node ->
        node.activity(
                WORK,
                (ctx, input) -> {
                  begun.countDown();
                  gate.await();
                  return input;
                })
            .orchestration(
                TIMED,
                (ctx, input) -> {
                  ctx.timer(millis(100)).await();
                  ctx.call(WORK, "slow").await();
                  Selected<Object> first =
                      ctx.select(
                          List.of(ctx.waitForEvent("never"), ctx.timer(Duration.ofSeconds(10))));
                  return first.index() + ":" + first.value();
                }));
    world.client().start(TIMED, "timed", "");
    awaitCreated(1);
    world.advance(millis(100));
    world.until(() -> begun.getCount() == 0);
    world.advanceHolding(1, Duration.ofSeconds(4));
    gate.countDown();
    awaitCreated(2);
    Instant due = world.clock().instant().plusSeconds(10);

    world.advance(Duration.ofSeconds(9));
    world.client().raiseEvent("timed", "probe", "");
    world.awaitEvent("timed", EventKind.ExternalEvent.class);
    assertThat(fired()).hasSize(1);
    world.advance(Duration.ofSeconds(1));

    assertThat(world.output("timed")).isEqualTo("1:" + due);
  }

  @Test
  @DisplayName("E2E-098 a timer that is awaited leaves the four expected events")
  void baseline() {
    begin((ctx, input) -> {
      ctx.timer(millis(10)).await();
      return "done";
    });
    awaitCreated(1);

    world.advance(millis(10));

    assertThat(world.output("timed")).isEqualTo("done");
    assertThat(world.history("timed").stream().map(e -> e.kind().getClass().getSimpleName()))
        .containsExactly(
            "OrchestrationStarted", "TimerCreated", "TimerFired", "OrchestrationCompleted");
  }

  @Test
  @DisplayName("E2E-099 OR-026 of several fire messages for one timer one is recorded")
  void duplicateFire() {
    OrchestrationHandler<String, String> code =
        (ctx, input) -> {
          ctx.timer(Duration.ofSeconds(1)).await();
          return ctx.waitForEvent("end").await();
        };
    begin(code);
    awaitCreated(1);
    Instant due = world.clock().instant().plusSeconds(1);
    WorkItem duplicate = new WorkItem.TimerFired("timed", 1, 2, due);
    world.store().enqueueForOrchestrator(duplicate, Duration.ZERO);
    world.store().enqueueForOrchestrator(duplicate, Duration.ZERO);

    world.advance(Duration.ofSeconds(1));
    world.awaitEvent("timed", EventKind.ExternalSubscribed.class);
    world.store().enqueueForOrchestrator(duplicate, Duration.ZERO);
    world.client().raiseEvent("timed", "end", "ended");

    assertThat(world.output("timed")).isEqualTo("ended");
    assertThat(fired()).hasSize(1);
  }

  @Test
  @DisplayName("OR-023 a timer that lost its race changes nothing when it fires after the end")
  void lateLoser() {
    begin((ctx, input) -> {
      Selected<Object> first =
          ctx.select(List.of(ctx.timer(Duration.ofSeconds(1)), ctx.waitForEvent("first")));
      return first.index() + ":" + first.value();
    });
    awaitCreated(1);
    world.client().raiseEvent("timed", "first", "event");
    assertThat(world.output("timed")).isEqualTo("1:event");
    List<Event> history = world.history("timed");

    world.advance(Duration.ofSeconds(1));
    world.until(() -> {
      var depths = world.store().management().orElseThrow().queueDepths();
      return depths.orchestrator().total() == 0;
    });

    assertThat(world.history("timed")).isEqualTo(history);
    assertThat(world.output("timed")).isEqualTo("1:event");
  }
}
