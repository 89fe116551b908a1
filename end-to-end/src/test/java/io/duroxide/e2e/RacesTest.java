package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.Choice;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.api.Selected;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.Reasons;
import io.duroxide.model.WorkItem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
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
class RacesTest {
  private static final Duration SHORT = Duration.ofSeconds(1);
  private static final Duration LONG = Duration.ofHours(1);
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Activity<String, String> SLOW =
      Activity.of("Slow", String.class, String.class);
  private static final Orchestration<String, String> RACE =
      Orchestration.of("Race", String.class, String.class);

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

  /** A node with an activity that answers and one that never does. */
  private void node(OrchestrationHandler<String, String> code) {
    world.start(node ->
        node.activity(WORK, (ctx, input) -> "did " + input)
            .activity(
                SLOW,
                (ctx, input) -> {
                  ctx.awaitCancelled(World.PATIENCE);
                  return "late";
                })
            .orchestration(RACE, code));
  }

  @Test
  @DisplayName(
      "E2E-040 of two events in one batch the first in history wins, not the first operand")
  void firstInHistoryWins() {
    OrchestrationHandler<String, String> code =
        (ctx, input) -> {
          Selected<String> first =
              ctx.select(List.of(ctx.waitForEvent("A"), ctx.waitForEvent("B")));
          return first.index() + first.value();
        };
    node(code);
    world.client().start(RACE, "race", "");
    world.awaitEvent("race", EventKind.ExternalSubscribed.class);

    world.restart();
    world.store().enqueueForOrchestrator(List.of(raised("B", "b"), raised("A", "a")));
    node(code);

    assertThat(world.output("race")).isEqualTo("1b");
    assertThat(world.events("race", EventKind.ExternalEvent.class))
        .containsExactly(
            new EventKind.ExternalEvent("B", "b"), new EventKind.ExternalEvent("A", "a"));
  }

  private static WorkItem raised(String name, String data) {
    return new WorkItem.ExternalRaised("race", name, data);
  }

  @Test
  @DisplayName("E2E-041 OR-024 events sent while nothing ran race after the restart in their order")
  void raceOverRestart() {
    OrchestrationHandler<String, String> code =
        (ctx, input) -> {
          Selected<Object> first =
              ctx.select(List.of(ctx.waitForEvent("A"), ctx.timer(LONG), ctx.waitForEvent("B")));
          return first.index() + ":" + first.value();
        };
    node(code);
    world.client().start(RACE, "race", "");
    world.awaitEvent("race", EventKind.TimerCreated.class);

    world.restart();
    world.client().raiseEvent("race", "B", "b");
    world.client().raiseEvent("race", "A", "a");
    node(code);

    assertThat(world.output("race")).isEqualTo("2:b");
    assertThat(world.events("race", EventKind.TimerFired.class)).isEmpty();
  }

  @Test
  @DisplayName("E2E-042 a join gives results in schedule order, whatever order they came in")
  void joinOrder() {
    Map<String, CountDownLatch> gates =
        Map.of("a", new CountDownLatch(1), "b", new CountDownLatch(1), "c", new CountDownLatch(1));
    world.start(node ->
        node.activity(
                WORK,
                (ctx, input) -> {
                  gates.get(input).await();
                  return "did " + input;
                })
            .orchestration(
                RACE,
                (ctx, input) ->
                    String.join(
                        ",",
                        ctx.all(
                            List.of(
                                ctx.call(WORK, "a"), ctx.call(WORK, "b"), ctx.call(WORK, "c"))))));
    world.client().start(RACE, "race", "");

    int completed = 0;
    for (String next : List.of("c", "a", "b")) {
      int expected = ++completed;
      gates.get(next).countDown();
      if (expected < 3) {
        world.until(() -> sources(EventKind.ActivityCompleted.class).size() == expected);
      }
    }

    assertThat(world.output("race")).isEqualTo("did a,did b,did c");
    assertThat(sources(EventKind.ActivityCompleted.class)).containsExactly(4L, 2L, 3L);
  }

  @Test
  @DisplayName("E2E-043 E2E-044 work scheduled after a race replays without nondeterminism")
  void workAfterRace() {
    OrchestrationHandler<String, String> code =
        (ctx, input) -> {
          Selected<String> first = ctx.select(List.of(ctx.call(SLOW, "x"), ctx.call(WORK, "race")));
          String next = ctx.call(WORK, "next").await();
          ctx.timer(SHORT).await();
          return first.value() + ", " + next + ", " + ctx.call(WORK, "last").await();
        };
    node(code);
    world.client().start(RACE, "race", "");
    world.awaitEvent("race", EventKind.TimerCreated.class);

    world.restart();
    node(code);
    world.advance(SHORT);

    assertThat(world.output("race")).isEqualTo("did race, did next, did last");
    assertThat(world.events("race", EventKind.ActivityScheduled.class)).hasSize(4);
    assertThat(sources(EventKind.ActivityCancelRequested.class)).containsExactly(2L);
  }

  @Test
  @DisplayName("E2E-045 an activity that nobody awaits does not end the wait for another")
  void notAwaited() {
    CountDownLatch gate = new CountDownLatch(1);
    world.start(node ->
        node.activity(WORK, (ctx, input) -> "did " + input)
            .activity(
                SLOW,
                (ctx, input) -> {
                  gate.await();
                  return "slow " + input;
                })
            .orchestration(
                RACE,
                (ctx, input) -> {
                  DurableFuture<String> ignored = ctx.call(WORK, "a");
                  String awaited = ctx.call(SLOW, "b").await();
                  return awaited + " " + ignored.isDone();
                }));
    world.client().start(RACE, "race", "");

    world.awaitEvent("race", EventKind.ActivityCompleted.class);
    assertThat(sources(EventKind.ActivityCompleted.class)).containsExactly(2L);
    assertThat(world.client().status("race")).isInstanceOf(OrchestrationStatus.Running.class);
    gate.countDown();

    assertThat(world.output("race")).isEqualTo("slow b true");
    assertThat(sources(EventKind.ActivityCompleted.class)).containsExactly(2L, 3L);
  }

  @Test
  @DisplayName("E2E-046 RL-046 an event beats a long timer, which never fires then")
  void eventBeatsTimer() {
    node((ctx, input) -> {
      Selected<Object> first = ctx.select(List.of(ctx.waitForEvent("A"), ctx.timer(LONG)));
      ctx.timer(LONG.plus(SHORT)).await();
      return first.index() + ":" + first.value();
    });
    world.client().start(RACE, "race", "");
    world.awaitEvent("race", EventKind.TimerCreated.class);

    world.client().raiseEvent("race", "A", "a");
    world.until(() -> world.events("race", EventKind.TimerCreated.class).size() == 2);
    world.advance(LONG.plus(SHORT));

    assertThat(world.output("race")).isEqualTo("0:a");
    assertThat(kinds())
        .containsSubsequence("ExternalEvent", "TimerFired", "OrchestrationCompleted");
    assertThat(sources(EventKind.TimerFired.class)).hasSize(1);
  }

  @Test
  @DisplayName("E2E-047 without an event the timer wins and the subscription is given up")
  void timerBeatsEvent() {
    node((ctx, input) ->
        switch (ctx.select(ctx.waitForEvent("A"), ctx.timer(SHORT))) {
          case Choice.First<String, Instant> event -> event.value();
          case Choice.Second<String, Instant> timer -> "timer";
        });
    world.client().start(RACE, "race", "");
    world.awaitEvent("race", EventKind.TimerCreated.class);

    world.advance(SHORT);

    assertThat(world.output("race")).isEqualTo("timer");
    assertThat(world.events("race", EventKind.ExternalSubscribedCancelled.class))
        .containsExactly(new EventKind.ExternalSubscribedCancelled(Reasons.DROPPED_FUTURE));
    assertThat(sources(EventKind.ExternalSubscribedCancelled.class)).containsExactly(2L);
  }

  @Test
  @DisplayName("E2E-048 a wait for one event makes exactly four events")
  void fourEvents() {
    AtomicInteger runs = new AtomicInteger();
    node((ctx, input) -> {
      runs.incrementAndGet();
      return ctx.waitForEvent("A").await();
    });
    world.client().start(RACE, "race", "");
    world.awaitEvent("race", EventKind.ExternalSubscribed.class);

    world.client().raiseEvent("race", "A", "a");

    assertThat(world.output("race")).isEqualTo("a");
    assertThat(kinds())
        .containsExactly(
            "OrchestrationStarted",
            "ExternalSubscribed",
            "ExternalEvent",
            "OrchestrationCompleted");
    assertThat(runs).hasValue(mode == Mode.KEPT ? 1 : 2);
  }

  private List<String> kinds() {
    return world.history("race").stream().map(e -> e.kind().getClass().getSimpleName()).toList();
  }

  private List<Long> sources(Class<? extends EventKind> kind) {
    return world.history("race").stream()
        .filter(event -> kind.isInstance(event.kind()))
        .map(Event::source)
        .toList();
  }
}
