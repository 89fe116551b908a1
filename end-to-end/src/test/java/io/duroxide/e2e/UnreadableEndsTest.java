package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import io.duroxide.api.Activity;
import io.duroxide.api.ActivityOptions;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.QueueDepths;
import io.duroxide.provider.TagFilter;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Instances whose history cannot be read, and how ends are told. */
class UnreadableEndsTest {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Activity<String, String> LATER =
      Activity.of("Later", String.class, String.class);
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Orchestration<String, String> CHILD =
      Orchestration.of("Child", String.class, String.class);

  private final Faults faults = new Faults();
  private World world;

  @BeforeEach
  void open() {
    world = World.open(Mode.REPLAYED);
    world.decorate(faults::on);
  }

  @AfterEach
  void close() {
    world.close();
  }

  @ParameterizedTest(name = "RL-080 an unreadable history of {0} events ends once, at event {1}")
  @CsvSource({"500, 99999", "99998, 99999", "99999, 100000", "100500, 100501"})
  void endsOnce(int events, long endId) {
    startFamily();
    world.client().start(FLOW, "p", "");
    world.awaitEvent("c", EventKind.ExternalSubscribed.class);
    world.stopRuntimes();
    lengthen("c", events);

    faults.unreadable("c");
    startFamily();
    world.client().raiseEvent("c", "go", "");
    world.until(() -> faults.done("abandonOrchestrationItem") == 1);
    assertThat(depths()).as("the message is kept").isNotEqualTo(QueueDepths.EMPTY);
    world.advance(Duration.ofSeconds(1));

    OrchestrationStatus.Failed parent = (OrchestrationStatus.Failed) world.end("p");
    assertThat(parent.details()).isInstanceOf(ErrorDetails.Poison.class);
    assertThat(world.client().status("c")).isInstanceOf(OrchestrationStatus.Failed.class);

    world.blindClient().raiseEvent("c", "go", "too late");
    world.until(() -> faults.done("abandonOrchestrationItem") == 2);
    world.advance(Duration.ofSeconds(1));
    world.until(() -> depths().equals(QueueDepths.EMPTY));
    List<Event> history = world.history("c");
    assertThat(history).hasSize(events + 1);
    assertThat(history.getLast().id()).isEqualTo(endId);
    assertThat(world.events("c", EventKind.OrchestrationFailed.class)).hasSize(1);
  }

  private void startFamily() {
    world.start(
        world.options().maxAttempts(1),
        node ->
            node.orchestration(CHILD, (ctx, in) -> ctx.waitForEvent("go").await())
                .orchestration(
                    FLOW, (ctx, in) -> ctx.call(CHILD, in, ChildOptions.instanceId("c")).await()));
  }

  private QueueDepths depths() {
    return world.store().management().orElseThrow().queueDepths();
  }

  private void lengthen(String instance, int events) {
    ExecutionKey key = new ExecutionKey(instance, 1);
    List<Event> stored = world.history(instance);
    List<Event> more = new ArrayList<>();
    for (long id = stored.getLast().id() + 1; id <= events; id++) {
      more.add(
          new Event(
              key, id, null, stored.getFirst().stamp(), new EventKind.ExternalEvent("e", "")));
    }
    world.store().appendWithExecution(key, more);
  }

  @Test
  @DisplayName("RL-081 an unreadable instance leaves no activity: queued ones never begin")
  void activitiesGo() {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    AtomicInteger begun = new AtomicInteger();
    world.start(world.options().maxAttempts(1), node -> registerWork(node, running, cancelled));
    world.client().start(FLOW, "c", "");
    world.until(() -> running.getCount() == 0);
    assertThat(depths().worker().ready()).isOne();

    faults.unreadable("c");
    world.client().raiseEvent("c", "go", "");
    world.until(() -> faults.done("abandonOrchestrationItem") == 1);
    world.advanceHolding(1, Duration.ofSeconds(1));

    assertThat(world.end("c")).isInstanceOf(OrchestrationStatus.Failed.class);
    world.until(() -> cancelled.getCount() == 0);
    assertThat(depths().worker().ready()).isZero();
    world.start(
        world.options().tags(TagFilter.ANY),
        node ->
            node.activity(
                LATER,
                (ctx, in) -> {
                  begun.incrementAndGet();
                  return in;
                }));
    world.until(() -> depths().equals(QueueDepths.EMPTY));
    assertThat(begun).hasValue(0);
  }

  private static void registerWork(
      DuroxideRuntime.Builder node, CountDownLatch running, CountDownLatch cancelled) {
    node.activity(
            WORK,
            (ctx, in) -> {
              running.countDown();
              ctx.awaitCancelled(World.PATIENCE);
              cancelled.countDown();
              return "";
            })
        .orchestration(
            FLOW,
            (ctx, in) -> {
              ctx.call(WORK, in);
              ctx.call(LATER, in, ActivityOptions.options().tag("elsewhere"));
              return ctx.waitForEvent("go").await();
            });
  }

  @Test
  @DisplayName("What ends as cancelled is logged at INFO with its reason")
  void cancelledIsLogged() {
    world.start(node -> node.orchestration(FLOW, (ctx, in) -> ctx.waitForEvent("go").await()));
    try (Logs logs = Logs.of("io.duroxide.runtime.turns", Level.INFO)) {
      world.client().start(FLOW, "flow", "");
      world.awaitEvent("flow", EventKind.ExternalSubscribed.class);
      world.client().cancel("flow", "the customer left");
      world.end("flow");
      world.until(() -> logs.lines().contains("orchestration cancelled"));
      ILoggingEvent line =
          logs.written().stream()
              .filter(event -> event.getFormattedMessage().equals("orchestration cancelled"))
              .findFirst()
              .orElseThrow();
      assertThat(line.getLevel()).isEqualTo(Level.INFO);
      assertThat(Logs.fields(line)).containsEntry("error", "canceled: the customer left");
    }
  }
}
