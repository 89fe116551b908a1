package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.Joined;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.model.EventKind;
import io.duroxide.provider.QueueDepth;
import io.duroxide.provider.QueueDepths;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class ConcurrencyTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Activity<String, String> ADD =
      Activity.of("Add", String.class, String.class);
  private static final Activity<String, String> MULTIPLY =
      Activity.of("Multiply", String.class, String.class);
  private static final Orchestration<String, String> ONE =
      Orchestration.of("One", String.class, String.class);
  private static final Orchestration<String, String> TWO =
      Orchestration.of("Two", String.class, String.class);

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

  private static DuroxideRuntime.Builder arithmetic(DuroxideRuntime.Builder node) {
    return node.activity(ADD, (ctx, number) -> Integer.toString(Integer.parseInt(number) + 1))
        .activity(MULTIPLY, (ctx, number) -> Integer.toString(Integer.parseInt(number) * 2));
  }

  /** An activity, an event and a timer at once. */
  private static OrchestrationHandler<String, String> mixed(
      String prefix, Activity<String, String> activity, String event) {
    return (ctx, input) -> {
      var all = ctx.join(ctx.call(activity, input), ctx.waitForEvent(event), ctx.timer(SECOND));
      Instant due = all.third().value();
      return prefix + ":" + all.first().value() + ";" + all.second().value() + ";" + due;
    };
  }

  @Test
  @DisplayName("E2E-800 OR-009 different orchestrations side by side do not disturb each other")
  void differentOrchestrations() {
    world.start(node ->
        arithmetic(node)
            .orchestration(ONE, mixed("one", ADD, "E1"))
            .orchestration(TWO, mixed("two", MULTIPLY, "E2")));

    assertSideBySide("E1", "E2", "one:11;p1", "two:20;p2");
  }

  @Test
  @DisplayName(
      "E2E-801 OR-009 orchestrations with the same activity and event names get their own results")
  void sameNames() {
    world.start(node ->
        arithmetic(node)
            .orchestration(ONE, mixed("one", ADD, "E"))
            .orchestration(TWO, mixed("two", ADD, "E")));

    assertSideBySide("E", "E", "one:11;p1", "two:11;p2");
  }

  private void assertSideBySide(String event1, String event2, String output1, String output2) {
    Instant due = world.clock().instant().plus(SECOND);
    world.client().start(ONE, "i1", "10");
    world.client().start(TWO, "i2", "10");
    world.awaitEvent("i1", EventKind.TimerCreated.class);
    world.awaitEvent("i2", EventKind.TimerCreated.class);

    world.client().raiseEvent("i2", event2, "p2");
    world.client().raiseEvent("i1", event1, "p1");
    world.advance(SECOND);

    assertThat(world.output("i1")).isEqualTo(output1 + ";" + due);
    assertThat(world.output("i2")).isEqualTo(output2 + ";" + due);
    for (String instance : List.of("i1", "i2")) {
      assertThat(world.events(instance, EventKind.ActivityCompleted.class)).hasSize(1);
      assertThat(world.events(instance, EventKind.ExternalEvent.class)).hasSize(1);
      assertThat(world.events(instance, EventKind.TimerFired.class)).hasSize(1);
    }
  }

  @Test
  @DisplayName("E2E-802 an activity and an event are joined")
  void activityAndEvent() {
    world.start(node ->
        arithmetic(node)
            .orchestration(
                ONE,
                (ctx, input) -> {
                  Joined<String, String> both =
                      ctx.join(ctx.call(ADD, input), ctx.waitForEvent("E"));
                  return "o1:a=" + both.first().value() + ";evt=" + both.second().value();
                }));
    world.client().start(ONE, "i1", "10");
    world.awaitEvent("i1", EventKind.ExternalSubscribed.class);

    world.client().raiseEvent("i1", "E", "P1");

    assertThat(world.output("i1")).isEqualTo("o1:a=11;evt=P1");
  }

  /** A node that runs one turn and one activity at a time. */
  private void startSingle(Consumer<DuroxideRuntime.Builder> registrations) {
    world.start(world.options().orchestrationConcurrency(1).workerConcurrency(1), registrations);
  }

  @Test
  @DisplayName("E2E-803 OR-010 one slot each: an activity, and activities one after the other")
  void singleSequential() {
    startSingle(node ->
        arithmetic(node)
            .orchestration(ONE, (ctx, input) -> ctx.call(ADD, input).await())
            .orchestration(
                TWO,
                (ctx, input) -> {
                  String number = input;
                  for (int i = 0; i < 5; i++) {
                    number = ctx.call(MULTIPLY, ctx.call(ADD, number).await()).await();
                  }
                  return number;
                }));

    world.client().start(ONE, "basic", "1");
    world.client().start(TWO, "sequence", "0");

    assertThat(world.output("basic")).isEqualTo("2");
    assertThat(world.output("sequence")).isEqualTo("62");
  }

  @Test
  @DisplayName("E2E-803 OR-010 one slot each: a timer")
  void singleTimer() {
    startSingle(node ->
        node.orchestration(
            ONE,
            (ctx, input) -> {
              ctx.timer(SECOND).await();
              return "fired";
            }));
    world.client().start(ONE, "timer", "");
    world.awaitEvent("timer", EventKind.TimerCreated.class);

    world.advance(SECOND);

    assertThat(world.output("timer")).isEqualTo("fired");
  }

  @Test
  @DisplayName("E2E-803 OR-010 one slot each: a chain of executions")
  void singleChain() {
    startSingle(node ->
        arithmetic(node)
            .orchestration(
                ONE,
                (ctx, input) -> {
                  String next = ctx.call(ADD, input).await();
                  return next.equals("5") ? "reached " + next : ctx.continueAsNew(next);
                }));

    world.client().start(ONE, "chain", "0");

    assertThat(world.output("chain")).isEqualTo("reached 5");
    assertThat(world.store().management().orElseThrow().listExecutions("chain"))
        .containsExactly(1L, 2L, 3L, 4L, 5L);
  }

  @Test
  @DisplayName(
      "E2E-803 OR-010 one slot each: several instances, one turn and one activity at a time")
  void singleManyInstances() {
    CountDownLatch gate = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    startSingle(node ->
        node.activity(
                ADD,
                (ctx, input) -> {
                  begun.incrementAndGet();
                  gate.await();
                  return input + "+";
                })
            .orchestration(
                ONE,
                (ctx, input) ->
                    String.join(
                        " ", ctx.all(List.of(ctx.call(ADD, input), ctx.call(ADD, input + "x"))))));
    for (int i = 0; i < 10; i++) {
      world.client().start(ONE, "many-" + i, "i" + i);
    }
    for (int i = 0; i < 10; i++) {
      world.awaitEvent("many-" + i, EventKind.ActivityScheduled.class);
    }
    world.until(() -> begun.get() > 0);
    assertThat(begun).hasValue(1);
    assertThat(world.store().management().orElseThrow().queueDepths())
        .isEqualTo(new QueueDepths(QueueDepth.EMPTY, new QueueDepth(19, 0, 1)));
    gate.countDown();

    for (int i = 0; i < 10; i++) {
      assertThat(world.output("many-" + i)).isEqualTo("i%d+ i%dx+".formatted(i, i));
    }
    assertThat(begun).hasValue(20);
  }

  @Test
  @DisplayName(
      "E2E-803 OR-010 one slot each: an activity that takes its time does not hold up turns")
  void singleSlowActivity() {
    CountDownLatch gate = new CountDownLatch(1);
    startSingle(node ->
        node.activity(
                ADD,
                (ctx, input) -> {
                  gate.await();
                  return "slow";
                })
            .orchestration(ONE, (ctx, input) -> ctx.call(ADD, input).await())
            .orchestration(TWO, (ctx, input) -> ctx.waitForEvent("E").await()));
    world.client().start(ONE, "slow", "");
    world.awaitEvent("slow", EventKind.ActivityScheduled.class);

    world.client().start(TWO, "quick", "");
    world.awaitEvent("quick", EventKind.ExternalSubscribed.class);
    world.client().raiseEvent("quick", "E", "quick");

    assertThat(world.output("quick")).isEqualTo("quick");
    gate.countDown();
    assertThat(world.output("slow")).isEqualTo("slow");
  }
}
