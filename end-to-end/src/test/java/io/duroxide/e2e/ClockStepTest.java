package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.duroxide.api.Activity;
import io.duroxide.api.EventQueue;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.telemetry.NodeEvent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** The clock of a store is set. */
class ClockStepTest extends EachStoreScenario {
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final ExternalEvent<String> GO = ExternalEvent.of("go", String.class);
  private static final EventQueue<String> MAIL = EventQueue.of("mail", String.class);
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  @DisplayName("RL-038 what was queued before a step back of 3 s is served at once")
  void servedAfterSmallStep() {
    servedAfter(Duration.ofSeconds(3));
  }

  @Test
  @DisplayName("RL-038 what was queued before a step back of 1 h is served at once")
  void servedAfterLargeStep() {
    servedAfter(HOUR);
  }

  /** A queued activity, then a queued start and a queued message. */
  private void servedAfter(Duration back) {
    world.start(
        world.options().workerConcurrency(0),
        node -> node.orchestration(FLOW, ClockStepTest::workAndMail));
    world.client().start(FLOW, "x", "1");
    world.awaitEvent("x", EventKind.ActivityScheduled.class);
    world.stopRuntimes();
    world.client().start(FLOW, "y", "2");
    world.client().enqueue("x", MAIL, "mail of x");
    world.client().enqueue("y", MAIL, "mail of y");

    world.advance(back.negated());
    world.start(node ->
        node.activity(WORK, (ctx, in) -> "work " + in)
            .orchestration(FLOW, ClockStepTest::workAndMail));

    assertThat(world.output("x")).isEqualTo("work 1, mail of x");
    assertThat(world.output("y")).isEqualTo("work 2, mail of y");
  }

  private static String workAndMail(OrchestrationContext ctx, String input) {
    return ctx.call(WORK, input).await() + ", " + ctx.dequeue(MAIL).await();
  }

  @Test
  @DisplayName("RL-039 messages sent before and after the step are read in the order sent")
  void order() {
    world.client().start(FLOW, "x", "");
    world.client().enqueue("x", MAIL, "first");
    world.advance(HOUR.negated());
    world.client().enqueue("x", MAIL, "second");
    world.restart();
    if (!store.equals("memory")) {
      world.client().enqueue("x", MAIL, "third");
      world.advance(HOUR.negated());
      world.restart();
    } else {
      world.client().enqueue("x", MAIL, "third");
    }
    world.client().enqueue("x", MAIL, "fourth");

    world.start(node -> node.orchestration(FLOW, (ctx, input) -> read(ctx)));

    assertThat(world.output("x")).isEqualTo("first,second,third,fourth");
  }

  private static String read(OrchestrationContext ctx) {
    List<String> mail = new ArrayList<>();
    while (mail.size() < 4) {
      mail.add(ctx.dequeue(MAIL).await());
    }
    return String.join(",", mail);
  }

  @Test
  @DisplayName("RL-041 step forward by 1 h: timers come once, in order; a late outcome is refused")
  void forward() {
    CountDownLatch begun = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    world.start(node ->
        node.activity(
                WORK,
                (ctx, in) -> {
                  begun.countDown();
                  go.await();
                  return "attempt";
                })
            .orchestration(
                FLOW,
                (ctx, input) -> {
                  var late = ctx.timer(Duration.ofMinutes(30));
                  var early = ctx.timer(Duration.ofMinutes(10));
                  var work = ctx.call(WORK, "");
                  early.await();
                  late.await();
                  return work.await();
                }));
    world.client().start(FLOW, "x", "");
    world.until(() -> begun.getCount() == 0);

    world.advanceHolding(1, HOUR);
    go.countDown();

    assertThat(world.output("x")).isEqualTo("attempt");
    List<Event> history = world.store().read("x");
    assertThat(history)
        .extracting(Event::kind)
        .filteredOn(EventKind.TimerFired.class::isInstance)
        .hasSize(2)
        .isSortedAccordingTo(Comparator.comparing(kind -> ((EventKind.TimerFired) kind).fireAt()));
    assertThat(history)
        .extracting(Event::kind)
        .filteredOn(EventKind.ActivityCompleted.class::isInstance)
        .hasSize(1);
  }

  @Test
  @DisplayName("RL-044 a step is logged once with its size, told once and shown by health")
  void told() {
    Queue<NodeEvent> told = new ConcurrentLinkedQueue<>();
    try (Logs logs = Logs.of("io.duroxide.providers", Level.WARN)) {
      world.client().start(FLOW, "x", "");
      world.advance(HOUR.negated());
      world.client().start(FLOW, "y", "");
      DuroxideRuntime runtime =
          world.start(
              world
                  .options()
                  .telemetry(event -> {
                    if (event instanceof NodeEvent.ClockWentBack step) {
                      told.add(step);
                    }
                  }),
              node -> node.orchestration(FLOW, (ctx, input) -> "done"));
      world.until(() -> runtime.health().facts().containsKey("store clock"));
      world.output("x");
      world.output("y");

      assertThat(logs.lines())
          .containsExactly(
              "store clock went back by PT1H; order is kept, timers come up to PT1H later");
      assertThat(runtime.health().facts().get("store clock")).contains("went back by PT1H");
      assertThat(runtime.health().problems()).isEmpty();
      assertThat(told).containsExactly(new NodeEvent.ClockWentBack(HOUR));
    }
  }

  @Test
  @DisplayName("RL-043 utcNow and the times of events do not decrease within an execution")
  void times() {
    world.start(node ->
        node.orchestration(
            FLOW,
            (ctx, input) -> {
              Instant before = ctx.utcNow();
              ctx.waitFor(GO).await();
              Instant after = ctx.utcNow();
              return after.isBefore(before) ? "earlier" : "not earlier";
            }));
    world.client().start(FLOW, "x", "");
    world.awaitEvent("x", EventKind.ExternalSubscribed.class);

    world.advance(Duration.ofHours(-1));
    world.client().raiseEvent("x", GO, "");

    assertThat(world.output("x")).isEqualTo("not earlier");
    assertThat(world.store().read("x")).extracting(event -> event.stamp().at()).isSorted();
  }

  @Test
  @DisplayName("RL-043 nor do they if the instance is cancelled after the step")
  void cancelled() {
    world.start(node -> node.orchestration(FLOW, (ctx, input) -> ctx.waitFor(GO).await()));
    world.client().start(FLOW, "x", "");
    world.awaitEvent("x", EventKind.ExternalSubscribed.class);

    world.advance(Duration.ofHours(-1));
    world.client().cancel("x", "enough");

    world.until(() -> world.client().status("x").isTerminal());
    assertThat(world.store().read("x"))
        .hasSizeGreaterThan(3)
        .extracting(event -> event.stamp().at())
        .isSorted();
  }
}
