package io.duroxide.replay;

import static io.duroxide.replay.Facts.NOON;
import static io.duroxide.replay.Facts.activityCompleted;
import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.activityScheduled;
import static io.duroxide.replay.Facts.queued;
import static io.duroxide.replay.Facts.started;
import static io.duroxide.replay.Facts.timerDue;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ContinueOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.EventKind;
import io.duroxide.model.Thrown;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FirstTurnsTest {

  @Test
  @DisplayName("RE-001 a handler that returns at once completes without actions or events")
  void returnsAtOnce() {
    TurnResult result = Engine.fresh((ctx, in) -> "out:" + in);

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.Completed("out:in"));
    assertThat(result.delta()).isEmpty();
    assertThat(result.actions()).isEmpty();
  }

  @Test
  @DisplayName("RE-002 a handler that fails at once fails the orchestration without actions")
  void failsAtOnce() {
    TurnResult result =
        Engine.fresh((ctx, in) -> {
          throw new OrchestrationFailure("no");
        });

    assertThat(result.outcome())
        .isEqualTo(
            new TurnOutcome.Failed(
                new ErrorDetails.Application(
                    ApplicationErrorKind.ORCHESTRATION_FAILED,
                    "no",
                    false,
                    new Thrown(OrchestrationFailure.class.getName(), null))));
    assertThat(result.actions()).isEmpty();
  }

  @Test
  @DisplayName("RE-003 an awaited activity suspends the turn with one schedule")
  void awaitedActivity() {
    TurnResult result = Engine.fresh((ctx, in) -> ctx.callActivity("Charge", "7").await());

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.Continue());
    assertThat(result.actions())
        .containsExactly(
            new NewAction(
                2, new Action.CallActivity("Charge", "7", ActivityRouting.ANYWHERE), null));
    assertThat(Engine.kinds(result))
        .containsExactly(new EventKind.ActivityScheduled("Charge", "7", null, null));
  }

  @Test
  @DisplayName("RE-008 continue-as-new carries the input and, if given, the version")
  void continuesAsNew() {
    assertThat(Engine.fresh((ctx, in) -> ctx.continueAsNew("next")).outcome())
        .isEqualTo(new TurnOutcome.ContinueAsNew("next", null));
    assertThat(
            Engine.fresh((ctx, in) -> ctx.continueAsNew("next", ContinueOptions.version("2.0.0")))
                .outcome())
        .isEqualTo(new TurnOutcome.ContinueAsNew("next", "2.0.0"));
  }

  @Test
  @DisplayName("RE-020 an activity completed in history lets the await return")
  void completedInHistory() {
    TurnResult result =
        Engine.replay(
            (ctx, in) -> ctx.callActivity("Charge", in).await(),
            started("7"),
            activityScheduled(2, "Charge", "7"),
            activityCompleted(3, 2, "ok"));

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.Completed("ok"));
    assertThat(result.actions()).isEmpty();
  }

  @Test
  @DisplayName("RE-140 a timer that fires first wins the select and the activity is given up")
  void timerWins() {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<String> slow = ctx.callActivity("Slow", in);
          DurableFuture<?> timer = ctx.timer(Duration.ofSeconds(5));
          return "won:" + ctx.select(List.of(slow, timer)).index();
        };
    Engine engine = Engine.of(code).started("x");
    assertThat(engine.turn().outcome()).isEqualTo(new TurnOutcome.Continue());

    TurnResult result = engine.turn(timerDue(3));

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.Completed("won:1"));
    assertThat(result.abandoned().activities()).containsExactly(2L);
  }

  @Test
  @DisplayName("RE-192 a thousand buffered messages are drained in one turn")
  void drains() {
    OrchestrationCode code =
        (ctx, in) -> {
          int sum = 0;
          for (int i = 0; i < 1000; i++) {
            sum += Integer.parseInt(ctx.dequeueEvent("q").await());
          }
          return Integer.toString(sum);
        };
    Engine engine = Engine.of(code).started("x");
    var messages = new ArrayList<io.duroxide.model.WorkItem>();
    for (int i = 0; i < 1000; i++) {
      messages.add(queued("q", Integer.toString(i)));
    }
    assertThat(engine.turn(messages.toArray(new io.duroxide.model.WorkItem[0])).outcome())
        .isEqualTo(new TurnOutcome.Completed("499500"));
  }

  @Test
  @DisplayName("RE-148 branches run beside each other")
  void branches() {
    OrchestrationCode code =
        (ctx, in) -> {
          var a =
              ctx.async(b -> b.callActivity("A1", "").await() + b.callActivity("A2", "").await());
          var b = ctx.async(c -> c.callActivity("B1", "").await());
          return ctx.all(List.of(a, b)).toString();
        };
    for (boolean cold : new boolean[] {false, true}) {
      Engine engine = Engine.of(code).started("x");
      if (cold) {
        engine.rebuildEachTurn();
      }
      assertThat(engine.turn().actions()).hasSize(2);
      engine.turn(activityDone(3, "b"));
      assertThat(engine.turn(activityDone(2, "a")).actions()).hasSize(1);
      assertThat(engine.turn(activityDone(6, "z")).outcome())
          .isEqualTo(new TurnOutcome.Completed("[az, b]"));
    }
  }

  @Test
  @DisplayName("system calls are answered inside the turn")
  void systemCalls() {
    OrchestrationCode code =
        (ctx, in) -> {
          UUID id = ctx.newGuid();
          return id + "@" + ctx.utcNow() + ctx.callActivity("X", id.toString()).await();
        };
    Engine engine = Engine.of(code).started("x");
    TurnResult result = engine.turn();
    assertThat(result.delta()).hasSize(5);
    assertThat(result.actions()).hasSize(1);
    assertThat(engine.rebuildEachTurn().turn(activityDone(6, "!")).outcome())
        .isEqualTo(new TurnOutcome.Completed(new UUID(0, 1) + "@" + NOON + "!"));
  }
}
