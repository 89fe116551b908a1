package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityOptions;
import io.duroxide.api.Awaited;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.EventQueue;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.EventKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What nobody waits for any more leaves no row. */
class WithdrawnTimersTest extends EachStoreScenario {
  private static final Duration LONG = Duration.ofMinutes(30);
  private static final Orchestration<String, String> WAITING =
      Orchestration.of("Waiting", String.class, String.class);
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final ExternalEvent<String> ANSWER = ExternalEvent.of("answer", String.class);
  private static final EventQueue<Integer> MAIL = EventQueue.of("mail", Integer.class);

  private void begin(OrchestrationHandler<String, String> code) {
    world.start(node ->
        node.activity(
                WORK,
                (ctx, input) -> {
                  if (input.equals("fail")) {
                    throw new IllegalStateException("made");
                  }
                  return input;
                })
            .orchestration(WAITING, code));
    world.client().start(WAITING, "x", "");
  }

  @Test
  @DisplayName("RL-045 messages with a time limit: one timer waits at a time, none after the end")
  void limits() {
    int count = 200;
    begin((ctx, input) -> {
      int sum = 0;
      for (int i = 0; i < count; i++) {
        if (ctx.dequeue(MAIL).await(LONG) instanceof Awaited.Got<Integer> got) {
          sum += got.value();
        }
      }
      return Integer.toString(sum);
    });
    for (int i = 0; i < count; i++) {
      world.client().enqueue("x", MAIL, 1);
      assertThat(messages().delayed()).isLessThanOrEqualTo(1);
    }

    assertThat(world.output("x")).isEqualTo(Integer.toString(count));
    assertThat(messages().total()).isZero();
  }

  /** A way to give a timer up, and what makes the code do so. */
  record TimerCase(String name, OrchestrationHandler<String, String> code, Consumer<World> cause) {
    @Override
    public String toString() {
      return name;
    }
  }

  private static void raise(World world) {
    world.client().raiseEvent("x", ANSWER, "yes");
  }

  private static String answer(OrchestrationContext ctx) {
    return ctx.waitFor(ANSWER).await();
  }

  private static Stream<TimerCase> casesOfGivingUp() {
    return Stream.of(
        new TimerCase(
            "a lost select",
            (ctx, input) -> {
              ctx.select(ctx.waitFor(ANSWER), ctx.timer(LONG));
              return ctx.waitFor(ANSWER).await();
            },
            WithdrawnTimersTest::raise),
        new TimerCase(
            "await with a limit",
            (ctx, input) -> {
              assertThat(ctx.waitFor(ANSWER).await(LONG)).isInstanceOf(Awaited.Got.class);
              return answer(ctx);
            },
            WithdrawnTimersTest::raise),
        new TimerCase(
            "a timer that is cancelled",
            (ctx, input) -> {
              DurableFuture<Instant> timer = ctx.timer(LONG);
              answer(ctx);
              timer.cancel();
              return answer(ctx);
            },
            WithdrawnTimersTest::raise),
        new TimerCase(
            "the time limit of a call",
            (ctx, input) -> {
              DurableFuture<String> call =
                  ctx.call(WORK, "quick", ActivityOptions.retry(2).timeout(LONG));
              call.await();
              return answer(ctx);
            },
            any -> {}),
        new TimerCase(
            "a branch that is given up",
            (ctx, input) -> {
              DurableFuture<String> branch =
                  ctx.async(inner -> {
                    inner.timer(LONG).await();
                    return "late";
                  });
              answer(ctx);
              branch.cancel();
              return answer(ctx);
            },
            WithdrawnTimersTest::raise));
  }

  @ParameterizedTest(name = "RL-046 {0} removes the timer")
  @MethodSource("casesOfGivingUp")
  void givenUp(TimerCase timerCase) {
    begin(timerCase.code());
    world.awaitEvent("x", EventKind.TimerCreated.class);
    timerCase.cause().accept(world);

    world.until(() -> messages().total() == 0);
    assertThat(world.client().status("x")).isInstanceOf(OrchestrationStatus.Running.class);
    raise(world);
    assertThat(world.output("x")).isEqualTo("yes");
  }

  private static Stream<TimerCase> ends() {
    return Stream.of(
        new TimerCase(
            "a result",
            (ctx, input) -> {
              ctx.timer(LONG);
              return answer(ctx);
            },
            WithdrawnTimersTest::raise),
        new TimerCase(
            "a result after an activity",
            (ctx, input) -> {
              ctx.timer(LONG);
              answer(ctx);
              return ctx.call(WORK, "done").await();
            },
            WithdrawnTimersTest::raise),
        new TimerCase(
            "a failure",
            (ctx, input) -> {
              ctx.timer(LONG);
              answer(ctx);
              return ctx.call(WORK, "fail").await();
            },
            WithdrawnTimersTest::raise),
        new TimerCase(
            "a cancel",
            (ctx, input) -> {
              ctx.timer(LONG).await();
              return "late";
            },
            world -> world.client().cancel("x", "enough")),
        new TimerCase(
            "continue-as-new",
            (ctx, input) -> {
              if (input.isEmpty()) {
                ctx.timer(LONG);
                answer(ctx);
                ctx.continueAsNew("next");
              }
              return "done";
            },
            WithdrawnTimersTest::raise));
  }

  @ParameterizedTest(name = "RL-046 {0} removes the timer at the end")
  @MethodSource("ends")
  void ended(TimerCase timerCase) {
    begin(timerCase.code());
    world.awaitEvent("x", EventKind.TimerCreated.class);
    world.until(() -> messages().delayed() == 1);
    timerCase.cause().accept(world);

    world.end("x");
    world.until(() -> messages().total() == 0);
  }

  @Test
  @DisplayName("RL-047 a timer that is made and given up in one turn never is a row")
  void neverSet() {
    begin((ctx, input) -> {
      answer(ctx);
      ctx.timer(LONG).cancel();
      ctx.timer(LONG.multipliedBy(2));
      return answer(ctx);
    });
    raise(world);

    world.until(() -> world.events("x", EventKind.TimerCreated.class).size() == 2);
    world.until(() -> messages().total() == 1);
    assertThat(messages().delayed()).isEqualTo(1);
    raise(world);
    world.end("x");
  }

  @Test
  @DisplayName("RL-048 of two branches' timers with one fire time only the one given up goes")
  void twins() {
    begin((ctx, input) -> {
      DurableFuture<String> first = ctx.async(branch -> fired(branch, "first"));
      DurableFuture<String> second = ctx.async(branch -> fired(branch, "second"));
      answer(ctx);
      first.cancel();
      return second.await();
    });
    world.until(() -> messages().delayed() == 2);
    raise(world);
    world.until(() -> messages().total() == 1);
    world.advance(LONG);

    assertThat(world.output("x")).isEqualTo("second");
    assertThat(world.events("x", EventKind.TimerFired.class)).hasSize(1);
  }

  private static String fired(OrchestrationContext branch, String name) {
    branch.timer(LONG).await();
    return name;
  }

  @Test
  @DisplayName("RL-049 a timer that is due when it is given up leaves nothing behind")
  void dueAtThatMoment() {
    begin((ctx, input) -> {
      ctx.select(List.of(ctx.waitFor(ANSWER).map(text -> text), ctx.timer(LONG).map(any -> "")));
      return answer(ctx);
    });
    world.until(() -> messages().delayed() == 1);
    world.stopRuntimes();
    raise(world);
    world.advance(LONG.multipliedBy(2));
    world.start(node ->
        node.orchestration(
            WAITING,
            (ctx, input) -> {
              ctx.select(
                  List.of(ctx.waitFor(ANSWER).map(text -> text), ctx.timer(LONG).map(any -> "")));
              return answer(ctx);
            }));
    world.until(() -> messages().total() == 0);
    Instant updated = admin().instanceInfo("x").updatedAt();
    world.advance(LONG);
    raise(world);

    assertThat(world.output("x")).isEqualTo("yes");
    assertThat(updated).isBefore(world.clock().instant());
  }

  @Test
  @DisplayName("RL-050 ordinary orders with time limits log no warning")
  void ordinaryOrders() {
    try (Warnings warnings = new Warnings("io.duroxide")) {
      world.start(node ->
          node.activity(WORK, (ctx, input) -> input)
              .orchestration(
                  WAITING,
                  (ctx, input) -> {
                    ctx.call(WORK, "reserve", ActivityOptions.retry(3).timeout(LONG)).await();
                    ctx.waitFor(ANSWER).await(LONG);
                    return ctx.call(WORK, "ship").await();
                  }));
      int orders = 50;
      for (int i = 0; i < orders; i++) {
        world.client().start(WAITING, "ordinary-" + i, "");
      }
      for (int i = 0; i < orders; i++) {
        String id = "ordinary-" + i;
        world.until(() -> !world.events(id, EventKind.ExternalSubscribed.class).isEmpty());
        world.client().raiseEvent(id, ANSWER, "yes");
      }
      for (int i = 0; i < orders; i++) {
        assertThat(world.output("ordinary-" + i)).isEqualTo("ship");
      }
      world.until(() -> messages().total() == 0);
      world.advance(LONG.multipliedBy(2));
      assertThat(warnings.contain("ordinary-")).isFalse();
    }
  }
}
