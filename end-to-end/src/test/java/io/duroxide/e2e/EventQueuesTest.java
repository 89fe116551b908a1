package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Choice;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.client.StartOptions;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.Reasons;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.OrphanQueuePolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class EventQueuesTest extends Scenario {
  private static final Orchestration<String, String> READER = texts("Reader");
  private static final Duration HOUR = Duration.ofHours(1);

  private void run(OrchestrationHandler<String, String> code) {
    world.start(node -> node.orchestration(READER, code));
    world.client().start(READER, "r", "");
  }

  private static WorkItem message(String queue, String data) {
    return new WorkItem.QueueMessage("r", queue, data);
  }

  private static String orTimer(OrchestrationContext ctx, String queue, Duration limit) {
    return switch (ctx.select(ctx.dequeueEvent(queue), ctx.timer(limit))) {
      case Choice.First<String, Instant> first -> first.value();
      case Choice.Second<String, Instant> ignored -> "timer";
    };
  }

  private List<String> cancelledDequeues() {
    return world.events("r", EventKind.QueueSubscriptionCancelled.class).stream()
        .map(EventKind.QueueSubscriptionCancelled::reason)
        .toList();
  }

  @Test
  @DisplayName("E2E-140 OR-043 a dequeue gets a message sent afterwards")
  void afterSubscription() {
    run((ctx, in) -> ctx.dequeueEvent("q").await());
    world.awaitEvent("r", EventKind.QueueSubscribed.class);

    world.client().enqueue("r", "q", "hello");

    assertThat(world.output("r")).isEqualTo("hello");
  }

  @Test
  @DisplayName("E2E-141 OR-043 a message sent before the dequeue is there when it is reached")
  void beforeSubscription() {
    run((ctx, in) -> {
      ctx.timer(HOUR).await();
      return ctx.dequeueEvent("q").await();
    });
    world.awaitEvent("r", EventKind.TimerCreated.class);
    world.client().enqueue("r", "q", "early");
    world.awaitEvent("r", EventKind.QueueEventDelivered.class);

    world.advance(HOUR);

    assertThat(world.output("r")).isEqualTo("early");
  }

  @Test
  @DisplayName("E2E-142 OR-043 messages come out in the order they went in")
  void firstInFirstOut() {
    run((ctx, in) -> ctx.dequeueEvent("q").await() + "," + ctx.dequeueEvent("q").await());

    world.client().enqueue("r", "q", "1");
    world.client().enqueue("r", "q", "2");

    assertThat(world.output("r")).isEqualTo("1,2");
    assertThat(queueData("r")).containsExactly("1", "2");
  }

  @Test
  @DisplayName("OR-043 messages and dequeues are typed")
  void typed() {
    EventQueue<Integer> numbers = EventQueue.of("numbers", Integer.class);
    run((ctx, in) -> Integer.toString(ctx.dequeue(numbers).await() + ctx.dequeue(numbers).await()));

    world.client().enqueue("r", numbers, 40);
    world.client().enqueue("r", numbers, 2);

    assertThat(world.output("r")).isEqualTo("42");
  }

  /** A dequeue loses against a timer, the next one takes a message. */
  private void loseThenTake() {
    run((ctx, in) -> orTimer(ctx, "q", HOUR) + "," + ctx.dequeueEvent("q").await());
    world.awaitEvent("r", EventKind.TimerCreated.class);
    world.advance(HOUR);
    awaitEvents("r", EventKind.QueueSubscribed.class, 2);
  }

  @Test
  @DisplayName(
      "E2E-143 E2E-146 OR-044 the dequeue after a lost one gets the message; more is recorded,"
          + " unused")
  void extraInBatch() {
    loseThenTake();

    batch(message("q", "m1"), message("q", "m2"));

    assertThat(world.output("r")).isEqualTo("timer,m1");
    assertThat(queueData("r")).containsExactly("m1", "m2");
    assertThat(cancelledDequeues()).containsExactly(Reasons.DROPPED_FUTURE);
    Event cancelled =
        world.history("r").stream()
            .filter(event -> event.kind() instanceof EventKind.QueueSubscriptionCancelled)
            .findFirst()
            .orElseThrow();
    assertThat(cancelled.source()).isEqualTo(2L);
  }

  @Test
  @DisplayName(
      "E2E-144 OR-044 EN-094 a message sent blindly after the end is discarded and not recorded")
  void extraAfterEnd() {
    loseThenTake();
    world.client().enqueue("r", "q", "m1");
    assertThat(world.output("r")).isEqualTo("timer,m1");
    List<Event> before = world.history("r");

    world.blindClient().enqueue("r", "q", "m2");
    awaitDrained();

    assertThat(world.history("r")).isEqualTo(before);
    assertThat(queueData("r")).containsExactly("m1");
  }

  @Test
  @DisplayName("E2E-145 a queue and an event of the same name do not mix")
  void sameName() {
    run((ctx, in) -> {
      DurableFuture<String> event = ctx.waitForEvent("x");
      DurableFuture<String> queue = ctx.dequeueEvent("x");
      return String.join("|", ctx.all(List.of(event, queue)));
    });
    world.awaitEvent("r", EventKind.QueueSubscribed.class);

    batch(
        message("x", "message"),
        message("x", "more"),
        new WorkItem.ExternalRaised("r", "x", "event"));

    assertThat(world.output("r")).isEqualTo("event|message");
  }

  @Test
  @DisplayName("E2E-147 OR-044 a dequeue open at the end is recorded as given up by it")
  void openAtEnd() {
    run((ctx, in) -> {
      ctx.dequeueEvent("never");
      return ctx.dequeueEvent("q").await();
    });

    world.client().enqueue("r", "q", "m");

    assertThat(world.output("r")).isEqualTo("m");
    assertThat(cancelledDequeues()).containsExactly(Reasons.ORCHESTRATION_TERMINAL);
  }

  @Test
  @DisplayName(
      "E2E-148 of two cancelled dequeues and an active one the active one gets the message")
  void cancelledDoNotConsume() {
    run((ctx, in) -> {
      DurableFuture<String> first = ctx.dequeueEvent("q");
      DurableFuture<String> second = ctx.dequeueEvent("q");
      DurableFuture<String> third = ctx.dequeueEvent("q");
      first.cancel();
      second.cancel();
      return third.await();
    });
    awaitEvents("r", EventKind.QueueSubscriptionCancelled.class, 2);

    world.client().enqueue("r", "q", "m");

    assertThat(world.output("r")).isEqualTo("m");
    assertThat(cancelledDequeues()).containsExactly(Reasons.DROPPED_FUTURE, Reasons.DROPPED_FUTURE);
  }

  @Test
  @DisplayName("E2E-151 OR-043 three queues do not see each other's messages")
  void threeQueues() {
    run((ctx, in) -> {
      StringBuilder seen = new StringBuilder();
      for (String queue : List.of("a", "b", "c", "c", "b", "a")) {
        seen.append(ctx.dequeueEvent(queue).await()).append(' ');
      }
      return seen.toString();
    });

    for (String data : List.of("c1", "a1", "b1", "a2", "c2", "b2")) {
      world.client().enqueue("r", data.substring(0, 1), data);
    }

    assertThat(world.output("r")).isEqualTo("a1 b1 c1 c2 b2 a2 ");
  }

  @Test
  @DisplayName("E2E-152 OR-043 arrivals before and after the subscriptions keep their order")
  void staggered() {
    run((ctx, in) -> {
      String c1 = ctx.dequeueEvent("cmd").await();
      String s1 = ctx.dequeueEvent("stat").await();
      String c2 = ctx.dequeueEvent("cmd").await();
      String s2 = ctx.dequeueEvent("stat").await();
      return "cmd:" + c1 + "," + c2 + "|stat:" + s1 + "," + s2;
    });
    world.awaitEvent("r", EventKind.QueueSubscribed.class);
    world.client().enqueue("r", "stat", "s1");
    awaitEvents("r", EventKind.QueueEventDelivered.class, 1);
    world.client().enqueue("r", "cmd", "c1");
    awaitEvents("r", EventKind.QueueSubscribed.class, 3);
    world.client().enqueue("r", "stat", "s2");
    awaitEvents("r", EventKind.QueueEventDelivered.class, 3);

    world.client().enqueue("r", "cmd", "c2");

    assertThat(world.output("r")).isEqualTo("cmd:c1,c2|stat:s1,s2");
  }

  @Test
  @DisplayName(
      "E2E-153 E2E-931 OR-045 EN-094 a message sent blindly before the start is dropped with a"
          + " warning")
  void beforeStart() {
    try (Warnings warnings = new Warnings("io.duroxide.providers")) {
      world.start(node -> node.orchestration(READER, (ctx, in) -> ctx.dequeueEvent("q").await()));
      world.blindClient().enqueue("r", "q", "too early");
      // The line is written once the messages are gone.
      world.until(() -> warnings.contain("dropped queue messages for an unknown instance"));
      awaitDrained();
    }
    assertThat(world.client().status("r")).isInstanceOf(OrchestrationStatus.NotFound.class);

    world.client().start(READER, "r", "");
    world.awaitEvent("r", EventKind.QueueSubscribed.class);
    assertThat(queueData("r")).isEmpty();
    world.client().enqueue("r", "q", "in time");

    assertThat(world.output("r")).isEqualTo("in time");
  }

  @Test
  @DisplayName("E2E-931 OR-045 a message before the start waits for it where orphans are held")
  void heldBeforeStart() {
    world.start(
        world.options().orphanQueuePolicy(OrphanQueuePolicy.HOLD),
        node ->
            node.orchestration(
                READER,
                (ctx, in) -> ctx.dequeueEvent("q").await() + ctx.dequeueEvent("q").await()));
    world.client().enqueue("r", "q", "1");
    // Another instance's turns show that the dispatcher went past the message.
    world.client().start(READER, "other", "");
    world.client().enqueue("other", "q", "do");
    world.client().enqueue("other", "q", "ne");
    assertThat(world.output("other")).isEqualTo("done");
    assertThat(world.client().status("r")).isInstanceOf(OrchestrationStatus.NotFound.class);

    world.client().enqueue("r", "q", "2");
    world.client().start(READER, "r", "");

    assertThat(world.output("r")).isEqualTo("12");
  }

  @Test
  @DisplayName("E2E-931 a message while a delayed start is queued is not dropped")
  void delayedStart() {
    world.start(node -> node.orchestration(READER, (ctx, in) -> ctx.dequeueEvent("q").await()));
    world.client().start(READER, "r", "", StartOptions.delayed(HOUR));
    world.client().enqueue("r", "q", "kept");
    // Another instance's turns show that the dispatcher went past the message.
    world.client().start(READER, "other", "");
    world.client().enqueue("other", "q", "done");
    assertThat(world.output("other")).isEqualTo("done");
    assertThat(world.client().status("r")).isInstanceOf(OrchestrationStatus.NotFound.class);

    world.advance(HOUR);

    assertThat(world.output("r")).isEqualTo("kept");
  }

  @Test
  @DisplayName("E2E-931 start-and-enqueue never loses its messages")
  void startAndEnqueue() {
    EventQueue<String> queue = EventQueue.of("q", String.class);
    world.start(node ->
        node.orchestration(
            READER, (ctx, in) -> ctx.dequeue(queue).await() + "," + ctx.dequeue(queue).await()));

    world.client().startAndEnqueue(READER, "r", "", queue, List.of("1", "2"));

    assertThat(world.output("r")).isEqualTo("1,2");
  }
}
