package io.duroxide.replay;

import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.childDone;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.DurableFuture;
import io.duroxide.api.StartOptions;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Differences of the kind that {@link PropertyTest} looks for, made small and readable. */
class FoundByPropertiesTest {

  @Test
  @DisplayName("RE-232 an outcome behind the event that ends the code leaves nothing outstanding")
  void outcomeBehindTheEnd() {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<String> first = ctx.callActivity("A", in);
          ctx.callOrchestration("C", in, StartOptions.defaults());
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
}
