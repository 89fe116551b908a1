package io.duroxide.replay;

import static io.duroxide.replay.Facts.NOON;
import static io.duroxide.replay.Facts.activityCompleted;
import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.activityScheduled;
import static io.duroxide.replay.Facts.failure;
import static io.duroxide.replay.Facts.queued;
import static io.duroxide.replay.Facts.raised;
import static io.duroxide.replay.Facts.started;
import static io.duroxide.replay.Facts.timerCreated;
import static io.duroxide.replay.Facts.timerDue;
import static io.duroxide.replay.Facts.timerFired;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ActivityFailedException;
import io.duroxide.api.Choice;
import io.duroxide.api.Choice3;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Outcome;
import io.duroxide.api.Selected;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.replay.TurnOutcome.Completed;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SelectTest {
  private static final Duration SOON = Duration.ofSeconds(5);

  /** Schedules activity 2 and timer 3 and says which came first. */
  private static final OrchestrationCode ACTIVITY_OR_TIMER =
      (ctx, in) ->
          switch (ctx.select(ctx.callActivity("Slow", in), ctx.timer(SOON))) {
            case Choice.First<String, Instant>(String result) -> "activity:" + result;
            case Choice.Second<String, Instant>(Instant due) -> "timer:" + due;
          };

  private static final OrchestrationCode TWO_ACTIVITIES =
      (ctx, in) -> {
        var first = ctx.callActivity("A", "");
        var second = ctx.callActivity("B", "");
        return winner(ctx.select(List.of(first, second)));
      };

  private static String winner(Selected<String> selected) {
    return selected.index() + ":" + selected.value();
  }

  @Test
  @DisplayName("RE-140 the activity wins, nothing is given up but a timer")
  void activityWins() {
    Twin twin = Twin.started(ACTIVITY_OR_TIMER);
    twin.turn();

    TurnResult result = twin.turn(activityDone(2, "ok"));

    assertThat(result.outcome()).isEqualTo(new Completed("activity:ok"));
    assertThat(Engine.kinds(result)).containsExactly(new EventKind.ActivityCompleted("ok"));
    assertThat(result.abandoned()).isEqualTo(new Abandoned(List.of(), List.of(), List.of(3L)));
  }

  @Test
  @DisplayName("RE-140 the timer wins and the activity is given up")
  void timerWins() {
    Twin twin = Twin.started(ACTIVITY_OR_TIMER);
    twin.turn();

    TurnResult result = twin.turn(timerDue(3));

    assertThat(result.outcome()).isEqualTo(new Completed("timer:" + NOON));
    assertThat(result.abandoned().activities()).containsExactly(2L);
  }

  @Test
  @DisplayName("RE-140 both pending: the turn ends with both schedules and no decision")
  void bothPending() {
    TurnResult result = Twin.started(ACTIVITY_OR_TIMER).turn();

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.Continue());
    assertThat(Engine.kinds(result))
        .containsExactly(
            new EventKind.ActivityScheduled("Slow", "in", null, null),
            new EventKind.TimerCreated(NOON.plus(SOON)));
    assertThat(result.actions())
        .containsExactly(
            new NewAction(2, new Action.CallActivity("Slow", "in", ActivityRouting.ANYWHERE), null),
            new NewAction(3, new Action.CreateTimer(NOON.plus(SOON)), null));
    assertThat(result.abandoned()).isEqualTo(Abandoned.NOTHING);
  }

  @Test
  @DisplayName("RE-141 two completions in one batch: the earlier wins though it is a later operand")
  void earlierInTheBatchWins() {
    Twin twin = Twin.started(TWO_ACTIVITIES);
    twin.turn();

    TurnResult result = twin.turn(activityDone(3, "b"), activityDone(2, "a"));

    assertThat(result.outcome()).isEqualTo(new Completed("1:b"));
    assertThat(result.abandoned().activities()).containsExactly(2L);
  }

  @Test
  @DisplayName("RE-142 both complete before the select is evaluated: the first in history wins")
  void firstInHistoryWins() {
    OrchestrationCode code =
        (ctx, in) -> {
          var first = ctx.callActivity("A", "");
          var second = ctx.callActivity("B", "");
          ctx.callActivity("Gate", "").await();
          return winner(ctx.select(List.of(first, second)));
        };
    Twin twin = Twin.started(code);
    twin.turn();
    twin.turn(activityDone(3, "b"), activityDone(2, "a"));

    TurnResult result = twin.turn(activityDone(4, ""));

    assertThat(result.outcome()).isEqualTo(new Completed("1:b"));
    assertThat(result.abandoned()).isEqualTo(Abandoned.NOTHING);
  }

  @Test
  @DisplayName("RE-142 both complete in history, the later operand first: history order decides")
  void historyOrderDecides() {
    TurnResult result =
        Engine.replay(
            TWO_ACTIVITIES,
            started("in"),
            activityScheduled(2, "A", ""),
            activityScheduled(3, "B", ""),
            activityCompleted(4, 3, "b"),
            activityCompleted(5, 2, "a"));

    assertThat(result.outcome()).isEqualTo(new Completed("1:b"));
  }

  @ParameterizedTest(name = "RE-143 select of three kinds won by {0}")
  @CsvSource({"activity, 0:a", "event, 1:e", "message, 2:m"})
  void threeKinds(String by, String output) {
    OrchestrationCode code =
        (ctx, in) ->
            switch (ctx.select(
                ctx.callActivity("A", ""), ctx.waitForEvent("go"), ctx.dequeueEvent("q"))) {
              case Choice3.First<String, String, String>(String value) -> "0:" + value;
              case Choice3.Second<String, String, String>(String value) -> "1:" + value;
              case Choice3.Third<String, String, String>(String value) -> "2:" + value;
            };
    Twin twin = Twin.started(code);
    twin.turn();
    WorkItem message =
        switch (by) {
          case "activity" -> activityDone(2, "a");
          case "event" -> raised("go", "e");
          default -> queued("q", "m");
        };

    TurnResult result = twin.turn(message);

    assertThat(result.outcome()).isEqualTo(new Completed(output));
    assertThat(result.delta()).hasSize(3);
    assertThat(result.delta().stream().skip(1).map(e -> e.source()).toList())
        .doesNotContain(2L + Integer.parseInt(output.substring(0, 1)))
        .isSubsetOf(2L, 3L, 4L);
  }

  @Test
  @DisplayName("RE-144 a failure is a completion and can win")
  void failureWins() {
    OrchestrationCode code =
        (ctx, in) -> {
          Selected<Object> winner =
              ctx.select(List.of(ctx.callActivity("A", ""), ctx.waitForEvent("go")));
          return switch (winner.outcome()) {
            case Outcome.Success<Object> ok -> "ok";
            case Outcome.Failure<Object>(RuntimeException e) -> winner.index() + e.getMessage();
          };
        };
    Twin twin = Twin.started(code);
    twin.turn();

    TurnResult result = twin.turn(Facts.activityFailed(2, failure("broken")));

    assertThat(result.outcome()).isEqualTo(new Completed("0broken"));
    assertThat(Engine.kinds(result))
        .contains(new EventKind.ExternalSubscribedCancelled(Decisions.DROPPED));
  }

  @Test
  @DisplayName("RE-144 the typed select throws the winner's failure")
  void typedSelectThrows() {
    OrchestrationCode code =
        (ctx, in) -> {
          try {
            return ctx.select(ctx.callActivity("A", ""), ctx.timer(SOON)).toString();
          } catch (ActivityFailedException e) {
            return "caught " + e.getMessage();
          }
        };
    Twin twin = Twin.started(code);
    twin.turn();

    assertThat(twin.turn(Facts.activityFailed(2, failure("broken"))).outcome())
        .isEqualTo(new Completed("caught broken"));
  }

  @Test
  @DisplayName("RE-150 a mapped loser is cancelled like the activity it shows")
  void mappedLoserIsCancelled() {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<Integer> length = ctx.callActivity("A", "").map(String::length);
          return "" + ctx.select(List.of(length, ctx.timer(SOON))).index();
        };
    Twin twin = Twin.started(code);
    twin.turn();

    TurnResult result = twin.turn(timerDue(3));

    assertThat(result.outcome()).isEqualTo(new Completed("1"));
    assertThat(result.abandoned().activities()).containsExactly(2L);
  }

  @Test
  @DisplayName("RE-150 a mapped winner gives the transformed value")
  void mappedWinner() {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<Integer> length = ctx.callActivity("A", "").map(String::length);
          return "" + ctx.select(List.of(length, ctx.timer(SOON))).value();
        };
    Twin twin = Twin.started(code);
    twin.turn();

    assertThat(twin.turn(activityDone(2, "four")).outcome()).isEqualTo(new Completed("4"));
  }

  @Test
  @DisplayName("RE-151 an activity scheduled behind a select with a lost timer replays")
  void schedulingBehindALostTimer() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.select(ctx.callActivity("A", ""), ctx.timer(SOON));
          return ctx.callActivity("B", "").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();

    assertThat(Engine.kinds(twin.turn(activityDone(2, "a"))))
        .containsExactly(
            new EventKind.ActivityCompleted("a"),
            new EventKind.ActivityScheduled("B", "", null, null));
    assertThat(twin.turn(timerDue(3)).outcome()).isEqualTo(new TurnOutcome.Continue());
    assertThat(twin.turn(activityDone(5, "b")).outcome()).isEqualTo(new Completed("b"));
  }

  @Test
  @DisplayName("RE-151 the late firing of a lost timer in history disturbs nothing")
  void lateFiringInHistory() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.select(ctx.callActivity("A", ""), ctx.timer(SOON));
          return ctx.callActivity("B", "").await();
        };
    TurnResult result =
        Engine.replay(
            code,
            started("in"),
            activityScheduled(2, "A", ""),
            timerCreated(3, NOON),
            activityCompleted(4, 2, "a"),
            activityScheduled(5, "B", ""),
            timerFired(6, 3),
            activityCompleted(7, 5, "b"));

    assertThat(result.outcome()).isEqualTo(new Completed("b"));
    assertThat(result.delta()).isEmpty();
  }
}
