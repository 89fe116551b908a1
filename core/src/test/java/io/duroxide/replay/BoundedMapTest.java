package io.duroxide.replay;

import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.failure;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.replay.TurnOutcome.Completed;
import io.duroxide.replay.TurnOutcome.Continue;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class BoundedMapTest {
  private static OrchestrationCode mapping(int elements, int parallelism) {
    List<Integer> input = IntStream.range(0, elements).boxed().toList();
    return (ctx, in) ->
        ctx.map(input, parallelism, (b, element) -> b.callActivity("A", "" + element).await())
            .toString();
  }

  @ParameterizedTest(name = "never more than {0} of ten are in flight, and all run")
  @ValueSource(ints = {1, 3, 10, 20})
  void bounded(int parallelism) {
    Twin twin = Twin.started(mapping(10, parallelism));
    ArrayDeque<NewAction> inFlight = new ArrayDeque<>(twin.turn().actions());
    List<String> order = new ArrayList<>();
    TurnOutcome last = new Continue();
    while (!inFlight.isEmpty()) {
      assertThat(inFlight.size()).isEqualTo(Math.min(parallelism, 10 - order.size()));
      NewAction newest = inFlight.removeLast();
      String input = ((Action.CallActivity) newest.action()).input();
      order.add(input);
      TurnResult result = twin.turn(activityDone(newest.eventId(), "r" + input));
      inFlight.addAll(result.actions());
      last = result.outcome();
    }

    assertThat(order).hasSize(10).doesNotHaveDuplicates();
    assertThat(last).isEqualTo(new Completed("[r0, r1, r2, r3, r4, r5, r6, r7, r8, r9]"));
  }

  @Test
  @DisplayName("no elements: no branch, an empty result")
  void noElements() {
    assertThat(Engine.fresh(mapping(0, 3)).outcome()).isEqualTo(new Completed("[]"));
  }

  @Test
  @DisplayName("a bound below one is refused")
  void noBound() {
    assertThat(
            ((TurnOutcome.Failed) Engine.fresh(mapping(1, 0)).outcome()).details().displayMessage())
        .contains("parallelism must be at least 1, not 0");
  }

  @Test
  @DisplayName("all elements run although some fail; the first failure in element order counts")
  void firstFailureInElementOrder() {
    Twin twin = Twin.started(mapping(4, 2));
    twin.turn();
    WorkItem second = Facts.activityFailed(3, failure("second"));
    TurnResult third = twin.turn(second);
    assertThat(Engine.kinds(third)).endsWith(new EventKind.ActivityScheduled("A", "2", null, null));
    TurnResult fourth = twin.turn(Facts.activityFailed(2, failure("first")));
    assertThat(fourth.actions()).hasSize(1);
    twin.turn(activityDone(5, ""));

    TurnResult end = twin.turn(activityDone(7, ""));

    assertThat(((TurnOutcome.Failed) end.outcome()).details().displayMessage()).isEqualTo("first");
  }

  @Test
  @DisplayName("a checked exception of one element does not keep the others from running")
  void checkedException() {
    OrchestrationCode code =
        (ctx, in) ->
            ctx.map(
                    List.of("a", "b", "c"),
                    1,
                    (b, element) -> {
                      if (element.equals("a")) {
                        throw new IOException("broken " + element);
                      }
                      b.setCustomStatus(element);
                      return element;
                    })
                .toString();
    TurnResult result = Engine.fresh(code);

    assertThat(((TurnOutcome.Failed) result.outcome()).details().displayMessage())
        .isEqualTo("orchestration panicked: java.io.IOException: broken a");
    assertThat(Engine.kinds(result))
        .containsExactly(
            new EventKind.CustomStatusUpdated("b"), new EventKind.CustomStatusUpdated("c"));
  }

  @Test
  @DisplayName("all gives the results in argument order, or the first failure in argument order")
  void all() {
    OrchestrationCode code =
        (ctx, in) ->
            ctx.<String>all(List.of(ctx.callActivity("A", ""), ctx.callActivity("B", "")))
                .toString();
    Twin twin = Twin.started(code);
    twin.turn();
    twin.turn(activityDone(3, "b"));
    assertThat(twin.turn(activityDone(2, "a")).outcome()).isEqualTo(new Completed("[a, b]"));

    Twin failing = Twin.started(code);
    failing.turn();
    assertThat(failing.turn(Facts.activityFailed(3, failure("B broke"))).outcome())
        .as("all waits for the others")
        .isEqualTo(new Continue());
    assertThat(
            ((TurnOutcome.Failed)
                    failing.turn(Facts.activityFailed(2, failure("A broke"))).outcome())
                .details()
                .displayMessage())
        .isEqualTo("A broke");
  }
}
