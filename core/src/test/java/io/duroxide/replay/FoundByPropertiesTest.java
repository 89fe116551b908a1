package io.duroxide.replay;

import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.activityFailed;
import static io.duroxide.replay.Facts.childDone;
import static io.duroxide.replay.Facts.raised;
import static io.duroxide.replay.Facts.timerDue;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ChildOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.EventKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Differences of the kind that {@link PropertyTest} looks for, made small and readable. */
class FoundByPropertiesTest {

  @Test
  @DisplayName("RE-232 an outcome behind the event that ends the code leaves nothing outstanding")
  void outcomeBehindTheEnd() {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<String> first = ctx.callActivity("A", in);
          ctx.callOrchestration("C", in, ChildOptions.defaults());
          ctx.callActivity("B", in);
          return first.await();
        };
    Engine engine = Engine.of(code).started("x");
    engine.turn();

    TurnResult result = engine.turn(activityDone(2, "ok"), childDone(3, "late"));

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.Completed("ok"));
    assertThat(result.outstanding().children()).isEmpty();
    assertThat(result.outstanding().activities()).containsExactly(4L);
  }

  @Test
  @DisplayName("RE-163 giving up a future wakes the branch that waits for it")
  void givingUpWakes() {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<String> slow = ctx.callActivity("Slow", in);
          DurableFuture<String> waiting =
              ctx.async(b -> {
                try {
                  return slow.await();
                } catch (CancellationException e) {
                  return "given up";
                }
              });
          slow.cancel();
          return waiting.await();
        };

    assertThat(Engine.fresh(code).outcome()).isEqualTo(new TurnOutcome.Completed("given up"));
  }

  @Test
  @DisplayName("RE-149 giving up a branch wakes the branch that waits for it")
  void givingUpABranchWakes() {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<String> slow = ctx.async(b -> b.callActivity("Slow", in).await());
          DurableFuture<String> waiting =
              ctx.async(b -> {
                try {
                  return slow.await();
                } catch (CancellationException e) {
                  return "given up";
                }
              });
          slow.cancel();
          return waiting.await();
        };

    assertThat(Engine.fresh(code).outcome()).isEqualTo(new TurnOutcome.Completed("given up"));
  }

  @Test
  @DisplayName("RE-149 a branch given up by a branch it started goes no further")
  void givenUpFromInside() {
    List<String> ran = new ArrayList<>();
    OrchestrationCode code =
        (ctx, in) -> {
          List<DurableFuture<String>> outer = new ArrayList<>();
          outer.add(
              ctx.async(b -> {
                b.callActivity("A", in).await();
                b.async(c -> {
                  outer.getFirst().cancel();
                  return "inner";
                });
                ran.add("outer went on");
                return "outer";
              }));
          return ctx.join(outer).toString();
        };
    Engine engine = Engine.of(code).started("x");
    engine.turn();

    TurnResult result = engine.turn(activityDone(2, "ok"));

    assertThat(result.outcome()).isInstanceOf(TurnOutcome.Completed.class);
    assertThat(ran).isEmpty();
  }

  @Test
  @DisplayName("RE-149 a parked branch given up by a branch it started gives up all it waits for")
  void givenUpFromInsideWhileParked() {
    OrchestrationCode code =
        (ctx, in) -> {
          List<DurableFuture<String>> outer = new ArrayList<>();
          outer.add(
              ctx.async(b -> {
                DurableFuture<String> inner =
                    b.async(c -> {
                      c.callActivity("A", in).await();
                      outer.getFirst().cancel();
                      return "inner";
                    });
                DurableFuture<String> slow = b.callActivity("Slow", in);
                return slow.await() + inner.await();
              }));
          return ctx.waitForEvent("go").await();
        };
    Engine engine = Engine.of(code).started("x");
    engine.turn();

    TurnResult result = engine.turn(activityDone(2, "ok"));

    assertThat(result.abandoned().activities()).containsExactly(3L);
    assertThat(engine.turn(activityDone(3, "late")).actions()).isEmpty();
    engine.close();
  }

  @ParameterizedTest(name = "RE-185 a wait that was answered is not outstanding, rebuilt: {0}")
  @ValueSource(booleans = {false, true})
  void answeredWaitIsNotOutstanding(boolean rebuilt) {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<String> first = ctx.waitForEvent("go");
          DurableFuture<String> second = ctx.waitForEvent("go");
          ctx.select(List.of(first, ctx.timer(Duration.ofSeconds(5))));
          return ctx.callActivity("A", in).await() + second.await();
        };
    Engine engine = Engine.of(code).started("x");
    if (rebuilt) {
      engine.rebuildEachTurn();
    }
    engine.turn();
    TurnResult given = engine.turn(timerDue(4), raised("go", "!"));
    assertThat(Engine.kinds(given))
        .contains(new EventKind.ExternalSubscribedCancelled("dropped_future"));

    ErrorDetails broken = new ErrorDetails.Infrastructure("disk", "full", false);
    TurnResult result = engine.turn(activityFailed(7, broken));

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.Failed(broken));
    assertThat(result.outstanding().waits()).isEmpty();
  }
}
