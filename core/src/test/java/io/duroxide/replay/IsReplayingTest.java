package io.duroxide.replay;

import static io.duroxide.replay.Facts.activityCompleted;
import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.activityScheduled;
import static io.duroxide.replay.Facts.queued;
import static io.duroxide.replay.Facts.started;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.DurableFuture;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.WorkItem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IsReplayingTest {
  private static final OrchestrationCode TWO_STEPS =
      (ctx, in) -> {
        boolean first = ctx.isReplaying();
        ctx.callActivity("A", "").await();
        boolean second = ctx.isReplaying();
        ctx.callActivity("B", "").await();
        return first + "," + second + "," + ctx.isReplaying();
      };

  private static TurnOutcome completed(String output) {
    return new TurnOutcome.Completed(output);
  }

  @Test
  @DisplayName("RE-130 nothing stored yet: false from the first line")
  void freshIsNotReplaying() {
    assertThat(Engine.fresh((ctx, in) -> "" + ctx.isReplaying()).outcome())
        .isEqualTo(completed("false"));
  }

  @Test
  @DisplayName("RE-131 one stored event: true on the first line")
  void storedIsReplaying() {
    assertThat(Engine.replay((ctx, in) -> "" + ctx.isReplaying(), started("in")).outcome())
        .isEqualTo(completed("true"));
  }

  @Test
  @DisplayName("RE-132 true while stored events are re-run, false behind the first new one")
  void turnsFalseAtTheFirstNewEvent() {
    TurnResult result =
        Engine.of(TWO_STEPS)
            .history(
                started("in"),
                activityScheduled(2, "A", ""),
                activityCompleted(3, 2, ""),
                activityScheduled(4, "B", ""))
            .turn(activityDone(4, ""));

    assertThat(result.outcome()).isEqualTo(completed("true,true,false"));
  }

  @Test
  @DisplayName("RE-132 all stored: true to the last line")
  void staysTrueToTheEnd() {
    TurnResult result =
        Engine.replay(
            TWO_STEPS,
            started("in"),
            activityScheduled(2, "A", ""),
            activityCompleted(3, 2, ""),
            activityScheduled(4, "B", ""),
            activityCompleted(5, 4, ""));

    assertThat(result.outcome()).isEqualTo(completed("true,true,true"));
  }

  @Test
  @DisplayName("RE-132 false in a turn that was not stored before, whatever its events")
  void falseInOneTurn() {
    TurnResult result =
        Engine.of(
                (ctx, in) -> {
                  boolean first = ctx.isReplaying();
                  ctx.dequeueEvent("q").await();
                  return first + "," + ctx.isReplaying();
                })
            .started("in")
            .turn(queued("q", "m"));

    assertThat(result.outcome()).isEqualTo(completed("false,false"));
  }

  @Test
  @DisplayName("RE-133 code behind the last stored completion is still a repetition")
  void lastStoredCompletionIsARepetition() {
    List<String> said = new ArrayList<>();
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.callActivity("A", "").await();
          said.add("behind A: " + ctx.isReplaying());
          ctx.callActivity("B", "").await();
          said.add("behind B: " + ctx.isReplaying());
          return "";
        };
    Engine.of(code)
        .history(
            started("in"),
            activityScheduled(2, "A", ""),
            activityCompleted(3, 2, ""),
            activityScheduled(4, "B", ""))
        .turn(activityDone(4, ""));

    assertThat(said).containsExactly("behind A: true", "behind B: false");
  }

  @ParameterizedTest(name = "RE-133 each line is traced once over the life, rebuilt: {0}")
  @ValueSource(booleans = {false, true})
  void everyLineIsTracedOnce(boolean rebuilt) {
    Map<String, Integer> traces = new TreeMap<>();
    OrchestrationCode code =
        (ctx, in) -> {
          Consumer<String> trace =
              line -> {
                if (!ctx.isReplaying()) {
                  traces.merge(line, 1, Integer::sum);
                }
              };
          trace.accept("1 start");
          List<DurableFuture<String>> parts = new ArrayList<>();
          for (String name : List.of("A", "B", "C")) {
            parts.add(
                ctx.async(b -> {
                  String got = b.callActivity(name, "").await();
                  trace.accept("2 " + name);
                  return got;
                }));
          }
          ctx.join(parts);
          trace.accept("3 joined");
          ctx.newGuid();
          trace.accept("4 guid");
          ctx.dequeueEvent("q").await();
          trace.accept("5 message");
          return "";
        };
    Engine engine = Engine.of(code).started("in");
    if (rebuilt) {
      engine.rebuildEachTurn();
    }
    engine.turn();
    engine.turn(queued("q", "early"));
    for (WorkItem message :
        List.of(activityDone(3, "b"), activityDone(2, "a"), activityDone(4, "c"))) {
      engine.turn(message);
    }

    assertThat(traces)
        .containsOnlyKeys("1 start", "2 A", "2 B", "2 C", "3 joined", "4 guid", "5 message")
        .allSatisfy((line, count) -> assertThat(count).as(line).isEqualTo(1));
  }

  @Test
  @DisplayName("RE-134 actions emitted while replaying are matched, not emitted again")
  void repeatedActionsAreMatched() {
    OrchestrationCode code =
        (ctx, in) -> {
          String flag = "" + ctx.isReplaying();
          ctx.callActivity("A", "x").await();
          return flag;
        };
    TurnResult result = Engine.replay(code, started("in"), activityScheduled(2, "A", "x"));

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.Continue());
    assertThat(result.actions()).isEmpty();
    assertThat(result.delta()).isEmpty();
  }

  @Test
  @DisplayName("RE-134 an action that depends on the flag is a mismatch like any other")
  void flagDoesNotExcuseAMismatch() {
    OrchestrationCode code =
        (ctx, in) -> ctx.callActivity(ctx.isReplaying() ? "Replayed" : "New", "").await();
    Engine engine = Engine.of(code).started("in").rebuildEachTurn();
    engine.turn();

    assertThat(engine.turn(activityDone(2, "")).outcome())
        .isInstanceOfSatisfying(
            TurnOutcome.Failed.class,
            failed -> {
              assertThat(failed.details()).isInstanceOf(ErrorDetails.Configuration.class);
              assertThat(failed.details().displayMessage()).contains("schedule mismatch");
            });
  }
}
