package io.duroxide.replay;

import static io.duroxide.replay.Facts.NOON;
import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.queued;
import static io.duroxide.replay.Facts.timerDue;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.DurableFuture;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FirstTurnsTest {

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
