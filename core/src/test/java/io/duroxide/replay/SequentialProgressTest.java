package io.duroxide.replay;

import static io.duroxide.replay.Facts.NOON;
import static io.duroxide.replay.Facts.activityCompleted;
import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.activityScheduled;
import static io.duroxide.replay.Facts.event;
import static io.duroxide.replay.Facts.started;
import static io.duroxide.replay.Facts.timerCreated;
import static io.duroxide.replay.Facts.timerDue;
import static io.duroxide.replay.Facts.timerFired;
import static io.duroxide.replay.Turns.batch;
import static io.duroxide.replay.Verdicts.CONTINUE;
import static io.duroxide.replay.Verdicts.completed;
import static io.duroxide.replay.Verdicts.nothingAsked;
import static io.duroxide.replay.Verdicts.onlyCompleted;
import static io.duroxide.replay.Verdicts.stillWaiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ChildOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SequentialProgressTest {
  private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);
  private static final OrchestrationCode TWO_STEPS =
      (ctx, in) -> ctx.callActivity("A", "1").await() + ctx.callActivity("B", "2").await();

  private static Action activity(String name, String input) {
    return new Action.CallActivity(name, input, ActivityRouting.ANYWHERE);
  }

  @Test
  @DisplayName("RE-030 with the first of two done in history the second is the only new action")
  void secondStep() {
    TurnResult result =
        Engine.replay(
            TWO_STEPS, started(""), activityScheduled(2, "A", "1"), activityCompleted(3, 2, "a"));

    assertThat(result.outcome()).isEqualTo(CONTINUE);
    assertThat(result.actions()).containsExactly(new NewAction(4, activity("B", "2"), null));
    assertThat(result.delta()).containsExactly(activityScheduled(4, "B", "2"));
  }

  @Test
  @DisplayName("RE-030 the outcome of the first of two makes the second the only new action")
  void secondStepAfterMessage() {
    TurnResult result = Turns.last(TWO_STEPS, batch(), batch(activityDone(2, "a")));

    assertThat(result.outcome()).isEqualTo(CONTINUE);
    assertThat(result.actions()).containsExactly(new NewAction(4, activity("B", "2"), null));
    assertThat(result.delta())
        .containsExactly(activityCompleted(3, 2, "a"), activityScheduled(4, "B", "2"));
  }

  @Test
  @DisplayName("RE-031 with both done in history both results are there")
  void bothDone() {
    onlyCompleted(
        Engine.replay(
            TWO_STEPS,
            started(""),
            activityScheduled(2, "A", "1"),
            activityCompleted(3, 2, "a"),
            activityScheduled(4, "B", "2"),
            activityCompleted(5, 4, "b")),
        "ab");
  }

  @Test
  @DisplayName("RE-031 the outcomes of both, turn by turn, give both results")
  void bothDoneByMessages() {
    TurnResult result =
        Turns.last(TWO_STEPS, batch(), batch(activityDone(2, "a")), batch(activityDone(4, "b")));

    assertThat(result.outcome()).isEqualTo(completed("ab"));
    assertThat(result.delta()).containsExactly(activityCompleted(5, 4, "b"));
    nothingAsked(result);
  }

  @Test
  @DisplayName("RE-032 after the activity the timer is created")
  void activityThenTimer() {
    OrchestrationCode code =
        (ctx, in) -> ctx.callActivity("A", "1").await() + ctx.timer(FIVE_SECONDS).await();

    TurnResult result =
        Engine.replay(
            code, started(""), activityScheduled(2, "A", "1"), activityCompleted(3, 2, "a"));

    assertThat(result.outcome()).isEqualTo(CONTINUE);
    assertThat(result.delta()).containsExactly(timerCreated(4, NOON.plus(FIVE_SECONDS)));
    assertThat(Turns.last(code, batch(), batch(activityDone(2, "a"))).actions())
        .isEqualTo(result.actions());
  }

  @Test
  @DisplayName("RE-032 after the timer the activity is scheduled")
  void timerThenActivity() {
    OrchestrationCode code =
        (ctx, in) -> ctx.timer(FIVE_SECONDS).await() + ctx.callActivity("A", "1").await();

    TurnResult result = Engine.replay(code, started(""), timerCreated(2, NOON), timerFired(3, 2));

    assertThat(result.outcome()).isEqualTo(CONTINUE);
    assertThat(result.delta()).containsExactly(activityScheduled(4, "A", "1"));
    assertThat(Turns.last(code, batch(), batch(timerDue(2))).actions()).isEqualTo(result.actions());
  }

  @Test
  @DisplayName("RE-033 ten sequential activities replay to completion")
  void tenSteps() {
    OrchestrationCode code =
        (ctx, in) -> {
          StringBuilder text = new StringBuilder();
          for (int i = 0; i < 10; i++) {
            text.append(ctx.callActivity("Step", Integer.toString(i)).await());
          }
          return text.toString();
        };
    List<Event> history = new ArrayList<>(List.of(started("")));
    for (int i = 0; i < 10; i++) {
      long id = 2L + 2L * i;
      history.add(activityScheduled(id, "Step", Integer.toString(i)));
      history.add(activityCompleted(id + 1, id, "<" + i + ">"));
    }

    onlyCompleted(
        Engine.replay(code, history.toArray(Event[]::new)), "<0><1><2><3><4><5><6><7><8><9>");
  }

  @Test
  @DisplayName("RE-034 identical activities with a timer between get their own results")
  void identicalActivities() {
    OrchestrationCode code =
        (ctx, in) -> {
          String first = ctx.callActivity("Roll", "d6").await();
          ctx.timer(FIVE_SECONDS).await();
          return first + ctx.callActivity("Roll", "d6").await();
        };

    assertThat(
            Turns.of(
                    code,
                    batch(),
                    batch(activityDone(2, "one")),
                    batch(timerDue(4)),
                    batch(activityDone(6, "two")))
                .stream()
                .map(TurnResult::outcome))
        .containsExactly(CONTINUE, CONTINUE, CONTINUE, completed("onetwo"));
  }

  @Test
  @DisplayName("RE-034 identical activities in flight together get their own results")
  void identicalActivitiesTogether() {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<String> first = ctx.callActivity("Roll", "d6");
          ctx.timer(FIVE_SECONDS);
          DurableFuture<String> second = ctx.callActivity("Roll", "d6");
          return first.await() + second.await();
        };

    assertThat(
            Turns.last(code, batch(), batch(activityDone(4, "two")), batch(activityDone(2, "one")))
                .outcome())
        .isEqualTo(completed("onetwo"));
  }

  @Test
  @DisplayName("RE-035 a detached start before an activity replays without mismatch")
  void detachedThenActivity() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.startDetached("Audit", "1", ChildOptions.instanceId("audit-7"));
          return ctx.callActivity("A", "2").await();
        };
    Event chained = event(2, new EventKind.OrchestrationChained("Audit", "audit-7", "1"));

    stillWaiting(Engine.replay(code, started(""), chained, activityScheduled(3, "A", "2")));
    onlyCompleted(
        Engine.replay(
            code,
            started(""),
            chained,
            activityScheduled(3, "A", "2"),
            activityCompleted(4, 3, "a")),
        "a");
    assertThat(Turns.last(code, batch(), batch(activityDone(3, "a"))).outcome())
        .isEqualTo(completed("a"));
  }

  private static final OrchestrationCode ONLY_SECOND_AWAITED =
      (ctx, in) -> {
        ctx.callActivity("Forgotten", "1");
        return ctx.callActivity("Awaited", "2").await();
      };

  @Test
  @DisplayName("RE-036 an outcome nobody awaits does not disturb the one that is awaited")
  void unawaitedOutcomeFirst() {
    List<TurnResult> turns =
        Turns.of(
            ONLY_SECOND_AWAITED,
            batch(),
            batch(activityDone(2, "unseen")),
            batch(activityDone(3, "seen")));

    assertThat(turns.get(1).outcome()).isEqualTo(CONTINUE);
    assertThat(turns.get(1).delta()).containsExactly(activityCompleted(4, 2, "unseen"));
    assertThat(turns.get(2).outcome()).isEqualTo(completed("seen"));
    assertThat(turns.get(2).outstanding()).isEqualTo(Outstanding.NOTHING);
  }

  @Test
  @DisplayName("RE-036 an outcome behind the awaited one in its batch is recorded, not outstanding")
  void unawaitedOutcomeBehind() {
    TurnResult result =
        Turns.last(
            ONLY_SECOND_AWAITED,
            batch(),
            batch(activityDone(3, "seen"), activityDone(2, "unseen")));

    assertThat(result.outcome()).isEqualTo(completed("seen"));
    assertThat(result.delta())
        .containsExactly(activityCompleted(4, 3, "seen"), activityCompleted(5, 2, "unseen"));
    assertThat(result.outstanding()).isEqualTo(Outstanding.NOTHING);
  }

  @Test
  @DisplayName("RE-036 an activity nobody awaited and nobody answered is outstanding at the end")
  void unansweredIsOutstanding() {
    TurnResult result = Turns.last(ONLY_SECOND_AWAITED, batch(), batch(activityDone(3, "seen")));

    assertThat(result.outcome()).isEqualTo(completed("seen"));
    assertThat(result.outstanding().activities()).containsExactly(2L);
  }
}
