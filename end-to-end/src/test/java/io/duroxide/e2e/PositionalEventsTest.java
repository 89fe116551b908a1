package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Choice;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.Reasons;
import io.duroxide.model.WorkItem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PositionalEventsTest extends Scenario {
  private static final Orchestration<String, String> WAITER = texts("Waiter");
  private static final Duration HOUR = Duration.ofHours(1);

  private void run(OrchestrationHandler<String, String> code) {
    world.start(node -> node.orchestration(WAITER, code));
    world.client().start(WAITER, "w", "");
  }

  private static WorkItem raised(String name, String data) {
    return new WorkItem.ExternalRaised("w", name, data);
  }

  private static String orTimer(OrchestrationContext ctx, String event, Duration limit) {
    return switch (ctx.select(ctx.waitForEvent(event), ctx.timer(limit))) {
      case Choice.First<String, Instant> first -> first.value();
      case Choice.Second<String, Instant> ignored -> "timer";
    };
  }

  private List<String> cancelledWaits() {
    return world.events("w", EventKind.ExternalSubscribedCancelled.class).stream()
        .map(EventKind.ExternalSubscribedCancelled::reason)
        .toList();
  }

  @Test
  @DisplayName("E2E-110 OR-040 an event raised after the subscription is delivered")
  void afterSubscription() {
    run((ctx, in) -> ctx.waitForEvent("go").await());
    world.awaitEvent("w", EventKind.ExternalSubscribed.class);

    world.client().raiseEvent("w", "go", "now");

    assertThat(world.output("w")).isEqualTo("now");
    assertThat(kinds("w", 1).stream().<Object>map(Object::getClass))
        .containsExactly(
            EventKind.OrchestrationStarted.class,
            EventKind.ExternalSubscribed.class,
            EventKind.ExternalEvent.class,
            EventKind.OrchestrationCompleted.class);
  }

  @Test
  @DisplayName("E2E-111 OR-041 an event before the subscription is recorded and never delivered")
  void beforeSubscription() {
    run((ctx, in) -> {
      ctx.timer(HOUR).await();
      return ctx.waitForEvent("go").await();
    });
    world.awaitEvent("w", EventKind.TimerCreated.class);
    world.client().raiseEvent("w", "go", "early");
    world.awaitEvent("w", EventKind.ExternalEvent.class);
    world.advance(HOUR);
    world.awaitEvent("w", EventKind.ExternalSubscribed.class);
    assertThat(world.client().status("w")).isInstanceOf(OrchestrationStatus.Running.class);

    world.client().raiseEvent("w", "go", "in time");

    assertThat(world.output("w")).isEqualTo("in time");
    assertThat(eventData("w")).containsExactly("early", "in time");
  }

  @Test
  @DisplayName("E2E-112 OR-041 an event after completion leaves the history as it was")
  void afterCompletion() {
    run((ctx, in) -> ctx.waitForEvent("go").await());
    world.awaitEvent("w", EventKind.ExternalSubscribed.class);
    world.client().raiseEvent("w", "go", "1");
    world.output("w");
    List<Event> before = world.history("w");

    world.blindClient().raiseEvent("w", "go", "2");
    awaitDrained();

    assertThat(world.history("w")).isEqualTo(before);
    assertThat(world.output("w")).isEqualTo("1");
  }

  @Test
  @DisplayName("E2E-113 OR-041 of two identical events one wait takes the first, both are recorded")
  void twoEventsOneWait() {
    run((ctx, in) -> ctx.waitForEvent("go").await());
    world.awaitEvent("w", EventKind.ExternalSubscribed.class);

    batch(raised("go", "same"), raised("go", "same"));

    assertThat(world.output("w")).isEqualTo("same");
    assertThat(eventData("w")).containsExactly("same", "same");
    assertThat(world.events("w", EventKind.Terminal.class)).hasSize(1);
  }

  @Test
  @DisplayName("E2E-114 OR-041 two identical events answer two waits")
  void twoEventsTwoWaits() {
    run((ctx, in) ->
        String.join(",", ctx.all(List.of(ctx.waitForEvent("go"), ctx.waitForEvent("go")))));
    awaitEvents("w", EventKind.ExternalSubscribed.class, 2);

    world.client().raiseEvent("w", "go", "same");
    awaitEvents("w", EventKind.ExternalEvent.class, 1);
    assertThat(world.client().status("w")).isInstanceOf(OrchestrationStatus.Running.class);
    world.client().raiseEvent("w", "go", "same");

    assertThat(world.output("w")).isEqualTo("same,same");
    assertThat(eventData("w")).containsExactly("same", "same");
  }

  @Test
  @DisplayName("E2E-115 the first event goes to the first wait, the second to the second")
  void byPosition() {
    run((ctx, in) -> {
      DurableFuture<String> first = ctx.waitForEvent("go");
      DurableFuture<String> second = ctx.waitForEvent("go");
      String late = second.await();
      return "first=" + first.await() + " second=" + late;
    });
    awaitEvents("w", EventKind.ExternalSubscribed.class, 2);

    world.client().raiseEvent("w", "go", "1");
    world.client().raiseEvent("w", "go", "2");

    assertThat(world.output("w")).isEqualTo("first=1 second=2");
  }

  @Test
  @DisplayName("E2E-116 a wait that lost a race does not steal the event of a later wait")
  void lostWaitDoesNotSteal() {
    run((ctx, in) -> orTimer(ctx, "go", HOUR) + "," + ctx.waitForEvent("go").await());
    world.awaitEvent("w", EventKind.TimerCreated.class);
    world.advance(HOUR);
    awaitEvents("w", EventKind.ExternalSubscribed.class, 2);

    world.client().raiseEvent("w", "go", "later");

    assertThat(world.output("w")).isEqualTo("timer,later");
    assertThat(cancelledWaits()).containsExactly(Reasons.DROPPED_FUTURE);
  }

  @Test
  @DisplayName("E2E-117 an event before a wait does not win the wait's race with a timer")
  void earlyEventLosesToTimer() {
    run((ctx, in) -> {
      ctx.timer(HOUR).await();
      return orTimer(ctx, "go", Duration.ofMillis(500));
    });
    world.awaitEvent("w", EventKind.TimerCreated.class);
    world.client().raiseEvent("w", "go", "early");
    world.awaitEvent("w", EventKind.ExternalEvent.class);
    world.advance(HOUR);
    awaitEvents("w", EventKind.TimerCreated.class, 2);
    assertThat(world.client().status("w")).isInstanceOf(OrchestrationStatus.Running.class);

    world.advance(Duration.ofMillis(500));

    assertThat(world.output("w")).isEqualTo("timer");
    assertThat(cancelledWaits()).containsExactly(Reasons.DROPPED_FUTURE);
  }

  @Test
  @DisplayName("E2E-118 OR-042 after a continue-as-new an event goes to the latest execution only")
  void latestExecution() {
    run((ctx, in) -> {
      String data = ctx.waitForEvent("go").await();
      return ctx.executionId() == 1 ? ctx.continueAsNew(data) : in + "," + data;
    });
    world.awaitEvent("w", EventKind.ExternalSubscribed.class);
    world.client().raiseEvent("w", "go", "one");
    awaitEvent("w", 2, EventKind.ExternalSubscribed.class);

    world.client().raiseEvent("w", "go", "two");

    assertThat(world.output("w")).isEqualTo("one,two");
    assertThat(kinds("w", 1))
        .filteredOn(EventKind.ExternalEvent.class::isInstance)
        .containsExactly(new EventKind.ExternalEvent("go", "one"));
    assertThat(kinds("w", 2))
        .filteredOn(EventKind.ExternalEvent.class::isInstance)
        .containsExactly(new EventKind.ExternalEvent("go", "two"));
  }

  @Test
  @DisplayName(
      "E2E-119 OR-042 an event before the new execution subscribed is lost, a later one not")
  void earlyForNewExecution() {
    run((ctx, in) -> {
      if (ctx.executionId() == 1) {
        return ctx.continueAsNew("");
      }
      ctx.timer(HOUR).await();
      return ctx.waitForEvent("go").await();
    });
    awaitEvent("w", 2, EventKind.TimerCreated.class);
    world.client().raiseEvent("w", "go", "early");
    awaitEvent("w", 2, EventKind.ExternalEvent.class);
    world.advance(HOUR);
    awaitEvent("w", 2, EventKind.ExternalSubscribed.class);

    world.client().raiseEvent("w", "go", "late");

    assertThat(world.output("w")).isEqualTo("late");
  }

  @Test
  @DisplayName("E2E-120 duplicates of an event around a crash complete the instance once")
  void duplicatesAroundCrash() {
    OrchestrationHandler<String, String> code = (ctx, in) -> ctx.waitForEvent("go").await();
    run(code);
    world.awaitEvent("w", EventKind.ExternalSubscribed.class);
    world.stopRuntimes();
    world.client().raiseEvent("w", "go", "x");
    world.client().raiseEvent("w", "go", "x");
    world.restart();
    world.start(node -> node.orchestration(WAITER, code));
    assertThat(world.output("w")).isEqualTo("x");
    world.restart();
    world.blindClient().raiseEvent("w", "go", "x");
    world.start(node -> node.orchestration(WAITER, code));
    awaitDrained();

    assertThat(world.output("w")).isEqualTo("x");
    assertThat(world.events("w", EventKind.OrchestrationCompleted.class)).hasSize(1);
    assertThat(eventData("w")).containsExactly("x", "x");
  }

  @Test
  @DisplayName("OR-040 of an event and a timer the one that comes first wins")
  void eventVersusTimer() {
    world.start(node -> node.orchestration(WAITER, (ctx, in) -> orTimer(ctx, "go", HOUR)));
    world.client().start(WAITER, "w", "");
    world.client().start(WAITER, "timed", "");
    world.awaitEvent("w", EventKind.TimerCreated.class);
    world.awaitEvent("timed", EventKind.TimerCreated.class);

    world.client().raiseEvent("w", "go", "event");
    assertThat(world.output("w")).isEqualTo("event");
    world.advance(HOUR);

    assertThat(world.output("timed")).isEqualTo("timer");
    assertThat(world.output("w")).isEqualTo("event");
  }

  @Test
  @DisplayName("OR-040 of events in one batch the first in history wins, whatever its branch")
  void batchOrderWins() {
    run((ctx, in) -> {
      var won =
          ctx.select(
              List.of(
                  ctx.waitForEvent("a"),
                  ctx.timer(HOUR).map(Instant::toString),
                  ctx.waitForEvent("b")));
      return won.index() + ":" + won.value();
    });
    awaitEvents("w", EventKind.ExternalSubscribed.class, 2);

    batch(raised("b", "B"), raised("a", "A"));

    assertThat(world.output("w")).isEqualTo("2:B");
    assertThat(cancelledWaits()).containsExactly(Reasons.DROPPED_FUTURE);
  }
}
