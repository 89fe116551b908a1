package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.Choice;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Limits;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.CarriedEvent;
import io.duroxide.model.EventKind;
import io.duroxide.model.Reasons;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CustomStatus;
import io.duroxide.runtime.RuntimeOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class QueueScenariosTest extends Scenario {
  private static final Orchestration<String, String> READER = texts("Reader");
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Duration HOUR = Duration.ofHours(1);

  @Test
  @DisplayName("E2E-149 OR-047 queues, events, activities and timers over many turns")
  void mixture() {
    world.start(node ->
        node.activity(WORK, (ctx, in) -> "[" + in + "]")
            .orchestration(
                READER,
                (ctx, in) -> {
                  List<String> transcript = new ArrayList<>();
                  transcript.add(ctx.call(WORK, ctx.dequeueEvent("cmd").await()).await());
                  transcript.add(ctx.waitForEvent("approve").await());
                  ctx.timer(HOUR).await();
                  transcript.add(ctx.dequeueEvent("cmd").await());
                  var both = ctx.join(ctx.dequeueEvent("data"), ctx.waitForEvent("approve"));
                  transcript.add(ctx.call(WORK, both.first().value()).await());
                  transcript.add(both.second().value());
                  return String.join(" ", transcript);
                }));
    world.client().start(READER, "r", "");
    world.client().enqueue("r", "cmd", "c1");
    world.awaitEvent("r", EventKind.ExternalSubscribed.class);
    world.client().enqueue("r", "cmd", "c2");
    world.client().raiseEvent("r", "approve", "yes");
    world.awaitEvent("r", EventKind.TimerCreated.class);
    world.client().enqueue("r", "data", "d1");
    world.client().raiseEvent("r", "approve", "nobody waits");
    awaitEvents("r", EventKind.ExternalEvent.class, 2);
    world.advance(HOUR);
    awaitEvents("r", EventKind.ExternalSubscribed.class, 2);
    world.client().raiseEvent("r", "approve", "again");

    assertThat(world.output("r")).isEqualTo("[c1] yes c2 [d1] again");
    assertThat(eventData("r")).containsExactly("yes", "nobody waits", "again");
    assertThat(queueData("r")).containsExactly("c1", "c2", "d1");
    assertThat(world.events("r", EventKind.Decision.class)).isEmpty();
  }

  @Test
  @DisplayName("E2E-150 OR-047 a select and then a join over an event and a queue")
  void selectThenJoin() {
    world.start(node ->
        node.orchestration(
            READER,
            (ctx, in) -> {
              var won = ctx.select(List.of(ctx.waitForEvent("e"), ctx.dequeueEvent("q")));
              var both = ctx.join(ctx.waitForEvent("e"), ctx.dequeueEvent("q"));
              return won.index()
                  + ":"
                  + won.value()
                  + "|"
                  + both.first().value()
                  + "|"
                  + both.second().value();
            }));
    world.client().start(READER, "r", "");
    world.awaitEvent("r", EventKind.QueueSubscribed.class);
    world.client().enqueue("r", "q", "q1");
    awaitEvents("r", EventKind.QueueSubscribed.class, 2);

    batch(new WorkItem.ExternalRaised("r", "e", "e1"), new WorkItem.QueueMessage("r", "q", "q2"));

    assertThat(world.output("r")).isEqualTo("1:q1|e1|q2");
    assertThat(world.events("r", EventKind.Decision.class))
        .containsExactly(new EventKind.ExternalSubscribedCancelled(Reasons.DROPPED_FUTURE));
  }

  private static List<String> drain(OrchestrationContext ctx) {
    List<String> drained = new ArrayList<>();
    while (true) {
      switch (ctx.select(ctx.dequeueEvent("config"), ctx.timer(Duration.ZERO))) {
        case Choice.First<String, Instant> message -> drained.add(message.value());
        case Choice.Second<String, Instant> ignored -> {
          return drained;
        }
      }
    }
  }

  @Test
  @DisplayName("E2E-154 OR-048 no, one or many messages between cycles reach the right cycle")
  void hotReload() {
    world.start(node ->
        node.activity(WORK, (ctx, in) -> in)
            .orchestration(
                READER,
                (ctx, in) -> {
                  StringBuilder cycles = new StringBuilder();
                  for (int cycle = 0; cycle < 4; cycle++) {
                    cycles.append(ctx.call(WORK, drain(ctx).toString()).await());
                    ctx.waitForEvent("next cycle").await();
                  }
                  return cycles.toString();
                }));
    world.client().start(READER, "r", "");

    List<List<String>> between =
        List.of(List.of("a"), List.of(), List.of("b", "c", "d"), List.of("never read"));
    int sent = 0;
    for (int cycle = 1; cycle <= 4; cycle++) {
      awaitEvents("r", EventKind.ExternalSubscribed.class, cycle);
      for (String config : between.get(cycle - 1)) {
        world.client().enqueue("r", "config", config);
        sent++;
      }
      awaitEvents("r", EventKind.QueueEventDelivered.class, sent);
      world.client().raiseEvent("r", "next cycle", "");
    }

    assertThat(world.output("r")).isEqualTo("[][a][][b, c, d]");
    assertThat(queueData("r")).containsExactly("a", "b", "c", "d", "never read");
  }

  @Test
  @DisplayName("E2E-821 OR-048 a chat: typed messages in, answers by custom status, Bye! ends it")
  void chat() {
    record Line(int number, String text) {}
    EventQueue<Line> inbox = EventQueue.of("inbox", Line.class);
    world.start(node ->
        node.activity(WORK, (ctx, in) -> "You said: " + in)
            .orchestration(
                READER,
                (ctx, in) -> {
                  int lines = 0;
                  while (true) {
                    Line line = ctx.dequeue(inbox).await();
                    lines++;
                    ctx.setCustomStatus(line.number() + " " + ctx.call(WORK, line.text()).await());
                    if (line.text().equals("Bye!")) {
                      return "Chat of " + lines + " lines ended";
                    }
                  }
                }));
    world.client().start(READER, "chat", "");

    List<String> said = List.of("Hello", "How are you?", "Bye!");
    long seen = 0;
    for (int number = 1; number <= said.size(); number++) {
      world.client().enqueue("chat", inbox, new Line(number, said.get(number - 1)));
      CustomStatus answer =
          world.client().waitForStatusChange("chat", seen, World.PATIENCE).customStatus();
      assertThat(answer.status()).isEqualTo(number + " You said: " + said.get(number - 1));
      assertThat(answer.version()).isEqualTo(seen + 1);
      seen = answer.version();
    }

    assertThat(world.output("chat")).isEqualTo("Chat of 3 lines ended");
    assertThat(world.client().status("chat"))
        .isInstanceOf(OrchestrationStatus.Completed.class)
        .extracting(status -> status.customStatus().version())
        .isEqualTo(3L);
  }

  /** Takes one message, continues as new at an event, then reads {@code reads} of queue a. */
  private void carrying(RuntimeOptions.Builder options, int reads) {
    world.start(
        options,
        node ->
            node.orchestration(
                READER,
                (ctx, in) -> {
                  if (ctx.executionId() == 1) {
                    String first = ctx.dequeueEvent("a").await();
                    ctx.waitForEvent("go").await();
                    return ctx.continueAsNew(first);
                  }
                  ctx.waitForEvent("go").await();
                  List<String> read = new ArrayList<>(List.of(in));
                  for (int i = 0; i < reads; i++) {
                    read.add(ctx.dequeueEvent("a").await());
                  }
                  read.add(ctx.dequeueEvent("b").await());
                  return String.join(",", read);
                }));
    world.client().start(READER, "r", "");
    world.awaitEvent("r", EventKind.QueueSubscribed.class);
  }

  private List<CarriedEvent> carried() {
    return ((EventKind.OrchestrationStarted) kinds("r", 2).getFirst()).inheritance().messages();
  }

  @Test
  @DisplayName(
      "OR-046 unconsumed messages move to the next execution in order, new ones stay behind them")
  void carriedInOrder() {
    carrying(world.options(), 3);
    batch(
        new WorkItem.QueueMessage("r", "a", "a1"),
        new WorkItem.QueueMessage("r", "b", "b1"),
        new WorkItem.QueueMessage("r", "a", "a2"),
        new WorkItem.QueueMessage("r", "a", "a3"));
    world.awaitEvent("r", EventKind.ExternalSubscribed.class);
    world.client().raiseEvent("r", "go", "");
    awaitEvent("r", 2, EventKind.ExternalSubscribed.class);
    assertThat(carried())
        .containsExactly(
            new CarriedEvent("b", "b1"), new CarriedEvent("a", "a2"), new CarriedEvent("a", "a3"));

    world.client().enqueue("r", "a", "a4");
    world.client().raiseEvent("r", "go", "");

    assertThat(world.output("r")).isEqualTo("a1,a2,a3,a4,b1");
    assertThat(queueData("r")).containsExactly("b1", "a2", "a3", "a4");
  }

  @Test
  @DisplayName(
      "E2E-155 OR-046 25 messages are all carried, with a cap of 20 the oldest 20, with a warning")
  void cap() {
    List<WorkItem> messages = new ArrayList<>();
    messages.add(new WorkItem.QueueMessage("r", "a", "first"));
    IntStream.rangeClosed(1, 25)
        .forEach(i -> messages.add(new WorkItem.QueueMessage("r", "a", "m" + i)));

    carrying(world.options(), 0);
    world.store().enqueueForOrchestrator(messages);
    world.awaitEvent("r", EventKind.ExternalSubscribed.class);
    world.client().raiseEvent("r", "go", "");
    awaitEvent("r", 2, EventKind.ExternalSubscribed.class);
    assertThat(carried()).hasSize(25).endsWith(new CarriedEvent("a", "m25"));

    close();
    open();
    Limits capped = Limits.DEFAULT.withCarriedMessages(20);
    try (Warnings warnings = new Warnings("io.duroxide.runtime.turns")) {
      carrying(world.options().limits(capped), 0);
      world.store().enqueueForOrchestrator(messages);
      world.awaitEvent("r", EventKind.ExternalSubscribed.class);
      world.client().raiseEvent("r", "go", "");
      awaitEvent("r", 2, EventKind.ExternalSubscribed.class);
      world.until(() -> warnings.contain("the newest 5 are dropped"));
    }

    assertThat(carried())
        .hasSize(20)
        .startsWith(new CarriedEvent("a", "m1"))
        .endsWith(new CarriedEvent("a", "m20"));
  }
}
