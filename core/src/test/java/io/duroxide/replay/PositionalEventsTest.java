package io.duroxide.replay;

import static io.duroxide.replay.Decisions.waitDropped;
import static io.duroxide.replay.Facts.NOON;
import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.event;
import static io.duroxide.replay.Facts.externalEvent;
import static io.duroxide.replay.Facts.raised;
import static io.duroxide.replay.Facts.started;
import static io.duroxide.replay.Facts.subscribed;
import static io.duroxide.replay.Facts.timerCreated;
import static io.duroxide.replay.Facts.timerDue;
import static io.duroxide.replay.Facts.timerFired;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.EventKind;
import io.duroxide.replay.TurnOutcome.Completed;
import io.duroxide.replay.TurnOutcome.Continue;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class PositionalEventsTest {
  private static final Duration SOON = Duration.ofSeconds(5);

  @Test
  @DisplayName("RE-180 the first wait gets the first event, the second the second, surplus nobody")
  void inOrder() {
    OrchestrationCode code =
        (ctx, in) -> {
          var first = ctx.waitForEvent("go");
          var second = ctx.waitForEvent("go");
          String both = second.await() + first.await();
          return both + ctx.waitForEvent("go").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    TurnResult three = twin.turn(raised("go", "1"), raised("go", "2"), raised("go", "surplus"));
    assertThat(three.outcome()).isEqualTo(new Continue());
    assertThat(Engine.kinds(three))
        .containsExactly(
            new EventKind.ExternalEvent("go", "1"),
            new EventKind.ExternalEvent("go", "2"),
            new EventKind.ExternalEvent("go", "surplus"),
            new EventKind.ExternalSubscribed("go"));

    assertThat(twin.turn(raised("go", "4")).outcome()).isEqualTo(new Completed("214"));
  }

  @Test
  @DisplayName("RE-181 an early event is not delivered, a later one is, and both are recorded")
  void earlyEventIsLost() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.callActivity("A", "").await();
          return ctx.waitForEvent("go").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    assertThat(Engine.kinds(twin.turn(raised("go", "early"))))
        .containsExactly(new EventKind.ExternalEvent("go", "early"));
    assertThat(twin.turn(activityDone(2, "")).outcome()).isEqualTo(new Continue());

    TurnResult result = twin.turn(raised("go", "later"));

    assertThat(result.outcome()).isEqualTo(new Completed("later"));
    assertThat(twin.recorded())
        .filteredOn(e -> e.kind() instanceof EventKind.ExternalEvent)
        .hasSize(2);
  }

  @Test
  @DisplayName("RE-181 an event in the very first batch is too early")
  void eventInTheFirstBatch() {
    Twin twin = Twin.started((ctx, in) -> ctx.waitForEvent("go").await());

    assertThat(twin.turn(raised("go", "early")).outcome()).isEqualTo(new Continue());
    assertThat(twin.turn(raised("go", "later")).outcome()).isEqualTo(new Completed("later"));
  }

  @Test
  @DisplayName("RE-182 an abandoned wait does not take the next event, the following wait does")
  void abandonedWaitTakesNothing() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.select(ctx.waitForEvent("go"), ctx.timer(SOON));
          return ctx.waitForEvent("go").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    assertThat(twin.turn(timerDue(3)).delta())
        .endsWith(
            event(5, new EventKind.ExternalSubscribed("go")),
            event(6, 2, new EventKind.ExternalSubscribedCancelled(Decisions.DROPPED)));

    assertThat(twin.turn(raised("go", "x")).outcome()).isEqualTo(new Completed("x"));
  }

  @Test
  @DisplayName("RE-182 an abandoned wait stops counting at once, also for an older second wait")
  void olderSecondWait() {
    OrchestrationCode code =
        (ctx, in) -> {
          var first = ctx.waitForEvent("go");
          var second = ctx.waitForEvent("go");
          ctx.select(first, ctx.timer(SOON));
          return second.await() + ctx.callActivity("A", "").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();

    TurnResult result = twin.turn(timerDue(4), raised("go", "x"));

    assertThat(Engine.kinds(result)).contains(new EventKind.ActivityScheduled("A", "", null, null));
    TurnResult broken = twin.turn(activityDone(99, ""));
    assertThat(broken.outcome()).isInstanceOf(TurnOutcome.Failed.class);
    assertThat(broken.outstanding())
        .as("the second wait was answered, the first decided")
        .isEqualTo(new Outstanding(List.of(7L), List.of(), List.of(), List.of()));
  }

  @Test
  @DisplayName(
      "RE-183 timer and event in one batch: the event is not kept for the later wait, the next one"
          + " arrives")
  void timerThenEventInOneBatch() {
    OrchestrationCode code =
        (ctx, in) -> {
          int winner = ctx.select(List.of(ctx.waitForEvent("go"), ctx.timer(SOON))).index();
          return winner + ctx.waitForEvent("go").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    assertThat(twin.turn(timerDue(3), raised("go", "missed")).outcome()).isEqualTo(new Continue());

    assertThat(twin.turn(raised("go", "taken")).outcome()).isEqualTo(new Completed("1taken"));
  }

  @Test
  @DisplayName("RE-183 event and timer in one batch: the event wins")
  void eventThenTimerInOneBatch() {
    OrchestrationCode code =
        (ctx, in) -> "" + ctx.select(List.of(ctx.waitForEvent("go"), ctx.timer(SOON))).value();
    Twin twin = Twin.started(code);
    twin.turn();

    assertThat(twin.turn(raised("go", "first"), timerDue(3)).outcome())
        .isEqualTo(new Completed("first"));
  }

  @Test
  @DisplayName("RE-184 two names do not interfere, and empty data is data")
  void namesAreApart() {
    OrchestrationCode code =
        (ctx, in) -> {
          var a = ctx.waitForEvent("a");
          var b = ctx.waitForEvent("b");
          return "[" + a.await() + "][" + b.await() + "]";
        };
    Twin twin = Twin.started(code);
    twin.turn();
    assertThat(twin.turn(raised("b", "x"), raised("c", "?")).outcome()).isEqualTo(new Continue());

    assertThat(twin.turn(raised("a", "")).outcome()).isEqualTo(new Completed("[][x]"));
  }

  @Test
  @DisplayName("RE-185 a wait open at the end is outstanding")
  void openWaitIsOutstanding() {
    TurnResult result =
        Engine.fresh((ctx, in) -> {
          ctx.waitForEvent("never");
          return "done";
        });

    assertThat(result.outcome()).isEqualTo(new Completed("done"));
    assertThat(result.delta()).containsExactly(event(2, new EventKind.ExternalSubscribed("never")));
    assertThat(result.outstanding())
        .isEqualTo(new Outstanding(List.of(), List.of(), List.of(2L), List.of()));
  }

  @Test
  @DisplayName("RE-185 a satisfied or already decided wait is not")
  void satisfiedOrDecidedIsNot() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.waitForEvent("satisfied");
          ctx.select(ctx.waitForEvent("given up"), ctx.timer(SOON));
          return "done";
        };
    TurnResult result =
        Engine.replay(
            code,
            started("in"),
            subscribed(2, "satisfied"),
            subscribed(3, "given up"),
            timerCreated(4, NOON),
            externalEvent(5, "satisfied", ""),
            timerFired(6, 4),
            waitDropped(7, 3));

    assertThat(result.outcome()).isEqualTo(new Completed("done"));
    assertThat(result.outstanding()).isEqualTo(Outstanding.NOTHING);
  }
}
