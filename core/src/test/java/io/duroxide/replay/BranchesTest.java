package io.duroxide.replay;

import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.failure;
import static io.duroxide.replay.Facts.timerDue;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.DurableFuture;
import io.duroxide.api.Joined;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.api.Outcome;
import io.duroxide.model.EventKind;
import io.duroxide.replay.TurnOutcome.Completed;
import io.duroxide.replay.TurnOutcome.Continue;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class BranchesTest {
  private static final Duration SOON = Duration.ofSeconds(5);

  private static EventKind activity(String name) {
    return new EventKind.ActivityScheduled(name, "", null, null);
  }

  @Test
  @DisplayName("RE-148 branches start in order, and that order is the order of actions")
  void startOrderIsActionOrder() {
    OrchestrationCode code =
        (ctx, in) -> {
          var a =
              ctx.async(b -> {
                b.kv().putText("a", "1");
                return b.callActivity("A1", "").await();
              });
          ctx.setCustomStatus("between");
          var b =
              ctx.async(c -> {
                c.callActivity("B1", "");
                return c.callActivity("B2", "").await();
              });
          return ctx.all(List.of(a, b)).toString();
        };
    TurnResult result = Twin.started(code).turn();

    assertThat(Engine.kinds(result))
        .containsExactly(
            new EventKind.KeyValueSet("a", "1", Facts.NOON),
            activity("A1"),
            new EventKind.CustomStatusUpdated("between"),
            activity("B1"),
            activity("B2"));
  }

  @Test
  @DisplayName("RE-148 the steps of a branch run one behind the other, beside those of another")
  void sequentialSteps() {
    OrchestrationCode code =
        (ctx, in) -> {
          var a =
              ctx.async(b -> b.callActivity("A1", "").await() + b.callActivity("A2", "").await());
          var b =
              ctx.async(c -> c.callActivity("B1", "").await() + c.callActivity("B2", "").await());
          return ctx.all(List.of(a, b)).toString();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    TurnResult both = twin.turn(activityDone(3, "b"), activityDone(2, "a"));
    assertThat(both.actions())
        .extracting(NewAction::eventId)
        .as("B2 in answer to the first message, then A2")
        .containsExactly(6L, 7L);
    assertThat(Engine.kinds(both).subList(2, 4)).containsExactly(activity("B2"), activity("A2"));

    assertThat(twin.turn(activityDone(7, "y"), activityDone(6, "z")).outcome())
        .isEqualTo(new Completed("[ay, bz]"));
  }

  @Test
  @DisplayName("RE-148 one event that lets two branches proceed runs them in order")
  void oneEventForTwoBranches() {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<String> gate = ctx.callActivity("Gate", "");
          var a = ctx.async(b -> gate.await() + b.callActivity("A", "").await());
          var b = ctx.async(c -> gate.await() + c.callActivity("B", "").await());
          return ctx.all(List.of(a, b)).toString();
        };
    Twin twin = Twin.started(code);
    twin.turn();

    assertThat(Engine.kinds(twin.turn(activityDone(2, "g"))))
        .containsExactly(new EventKind.ActivityCompleted("g"), activity("A"), activity("B"));
    assertThat(twin.turn(activityDone(5, "b"), activityDone(4, "a")).outcome())
        .isEqualTo(new Completed("[ga, gb]"));
  }

  private static final OrchestrationCode JOIN_INSIDE_SELECT =
      (ctx, in) -> {
        var both =
            ctx.async(b ->
                b.<String>all(List.of(b.callActivity("A", ""), b.callActivity("B", "")))
                    .toString());
        return "" + ctx.select(List.of(both, ctx.timer(SOON))).value();
      };

  @Test
  @DisplayName("RE-148 a join inside a select can win")
  void joinInsideSelectWins() {
    Twin twin = Twin.started(JOIN_INSIDE_SELECT);
    twin.turn();
    twin.turn(activityDone(3, "b"));

    assertThat(twin.turn(activityDone(2, "a")).outcome()).isEqualTo(new Completed("[a, b]"));
  }

  @Test
  @DisplayName("RE-148 a join inside a select can lose, and gives up what is still pending")
  void joinInsideSelectLoses() {
    Twin twin = Twin.started(JOIN_INSIDE_SELECT);
    twin.turn();
    twin.turn(activityDone(2, "a"));

    TurnResult result = twin.turn(timerDue(4));

    assertThat(result.outcome()).isEqualTo(new Completed(Facts.NOON.toString()));
    assertThat(result.abandoned().activities()).containsExactly(3L);
  }

  @Test
  @DisplayName("RE-148 selects inside a join each find their own winner")
  void selectInsideJoin() {
    OrchestrationCode code =
        (ctx, in) -> {
          var first =
              ctx.async(b -> b.select(List.of(b.callActivity("A", ""), b.timer(SOON))).index());
          var second =
              ctx.async(b -> b.select(List.of(b.callActivity("B", ""), b.timer(SOON))).index());
          return ctx.<Integer>all(List.of(first, second)).toString();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    assertThat(twin.turn(timerDue(3)).abandoned().activities()).containsExactly(2L);

    assertThat(twin.turn(activityDone(4, "b")).outcome()).isEqualTo(new Completed("[1, 0]"));
  }

  @Test
  @DisplayName("RE-148 a failure in a branch is that branch's completion")
  void failureIsACompletion() {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<String> failing =
              ctx.async(b -> {
                b.callActivity("A", "").await();
                throw new OrchestrationFailure("in the branch");
              });
          Joined<String, String> both = ctx.join(failing, ctx.callActivity("B", ""));
          Outcome.Failure<String> failed = (Outcome.Failure<String>) both.first();
          return failed.failure().getMessage() + ", " + both.second().value();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    assertThat(twin.turn(activityDone(2, "")).outcome()).isEqualTo(new Continue());

    assertThat(twin.turn(activityDone(3, "b")).outcome())
        .isEqualTo(new Completed("in the branch, b"));
  }

  private static final OrchestrationCode LOSER_WITH_EFFECTS =
      (ctx, in) -> {
        var loser =
            ctx.async(b -> {
              b.kv().putText("k", "kept");
              b.setCustomStatus("seen");
              b.callActivity("A", "").await();
              b.kv().putText("k", "lost");
              b.setCustomStatus("lost");
              return b.callActivity("Never", "").await();
            });
        int winner = ctx.select(List.of(loser, ctx.timer(SOON))).index();
        ctx.callActivity("Behind", "").await();
        return winner + ctx.kv().getText("k").orElse("") + ctx.customStatus().orElse("");
      };

  @Test
  @DisplayName("RE-149 a losing branch executes nothing further; its earlier effects stay")
  void loserStops() {
    Twin twin = Twin.started(LOSER_WITH_EFFECTS);
    twin.turn();
    TurnResult lost = twin.turn(timerDue(5));
    assertThat(Engine.kinds(lost).subList(1, 3))
        .containsExactly(
            activity("Behind"), new EventKind.ActivityCancelRequested(Decisions.DROPPED));
    assertThat(lost.abandoned().activities()).containsExactly(4L);
    assertThat(twin.turn(activityDone(4, "late")).actions()).isEmpty();

    assertThat(twin.turn(activityDone(7, "")).outcome()).isEqualTo(new Completed("1keptseen"));
  }

  @Test
  @DisplayName("RE-149 a loser's completion in the winner's batch runs nothing of it either")
  void loserStopsInTheSameBatch() {
    Twin twin = Twin.started(LOSER_WITH_EFFECTS);
    twin.turn();

    TurnResult result = twin.turn(timerDue(5), Facts.activityFailed(4, failure("late")));

    assertThat(Engine.kinds(result)).contains(activity("Behind")).doesNotContain(activity("Never"));
    assertThat(twin.turn(activityDone(8, "")).outcome()).isEqualTo(new Completed("1keptseen"));
  }

  @Test
  @DisplayName("RE-149 branches inside a losing branch stop with it")
  void nestedBranchesStop() {
    OrchestrationCode code =
        (ctx, in) -> {
          var loser =
              ctx.async(b -> {
                var inner = b.async(c -> c.callActivity("Inner", "").await());
                b.callActivity("Outer", "").await();
                return inner.await();
              });
          ctx.select(List.of(loser, ctx.timer(SOON)));
          return ctx.waitForEvent("go").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();

    assertThat(twin.turn(timerDue(4)).abandoned().activities()).containsExactly(2L, 3L);
    assertThat(twin.turn(activityDone(2, ""), activityDone(3, "")).actions()).isEmpty();
  }
}
