package io.duroxide.replay;

import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.failure;
import static io.duroxide.replay.Facts.raised;
import static io.duroxide.replay.Facts.timerDue;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.Awaited;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.api.Saga;
import io.duroxide.model.EventKind;
import io.duroxide.replay.TurnOutcome.Completed;
import io.duroxide.replay.TurnOutcome.Continue;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class SagaAndScopeTest {
  private static final Activity<String, String> RELEASE =
      Activity.of("Release", String.class, String.class);
  private static final Activity<String, String> REFUND =
      Activity.of("Refund", String.class, String.class);

  private static EventKind activity(String name, String input) {
    return new EventKind.ActivityScheduled(name, input, null, null);
  }

  private static String failureOf(TurnResult result) {
    return ((TurnOutcome.Failed) result.outcome()).details().displayMessage();
  }

  /** Reserves, charges, ships; both first steps can be undone. */
  private static final OrchestrationCode ORDER =
      (ctx, in) -> {
        try (Saga saga = ctx.saga()) {
          saga.undo(RELEASE, "r");
          saga.undo(REFUND, "c");
          String shipped = ctx.callActivity("Ship", "").await();
          saga.commit();
          return shipped;
        }
      };

  @Test
  @DisplayName("a committed saga undoes nothing")
  void committed() {
    Twin twin = Twin.started(ORDER);
    twin.turn();

    TurnResult result = twin.turn(activityDone(2, "ok"));

    assertThat(result.outcome()).isEqualTo(new Completed("ok"));
    assertThat(result.actions()).isEmpty();
  }

  @Test
  @DisplayName("a saga that fails undoes its steps newest first, one behind the other")
  void newestFirst() {
    Twin twin = Twin.started(ORDER);
    twin.turn();
    TurnResult refund = twin.turn(Facts.activityFailed(2, failure("no truck")));
    TurnResult release = twin.turn(activityDone(4, ""));
    TurnResult end = twin.turn(activityDone(6, ""));

    assertThat(Engine.kinds(refund)).endsWith(activity("Refund", "c"));
    assertThat(Engine.kinds(release)).endsWith(activity("Release", "r"));
    assertThat(failureOf(end)).isEqualTo("no truck");
  }

  @Test
  @DisplayName("a failing undo does not hide the failure nor stop the other undos")
  void failingUndo() {
    Twin twin = Twin.started(ORDER);
    twin.turn();
    twin.turn(Facts.activityFailed(2, failure("no truck")));
    TurnResult release = twin.turn(Facts.activityFailed(4, failure("no refund")));

    assertThat(Engine.kinds(release)).endsWith(activity("Release", "r"));
    assertThat(failureOf(twin.turn(activityDone(6, "")))).isEqualTo("no truck");
  }

  @Test
  @DisplayName(
      "undo failures are suppressed in the failure, or the first is thrown with the others")
  void suppressedFailures() {
    OrchestrationCode code =
        (ctx, in) -> {
          try (Saga saga = ctx.saga()) {
            saga.undo(b -> {
              throw new OrchestrationFailure("older");
            });
            saga.undo(b -> {
              throw new java.io.IOException("newer");
            });
            if (in.equals("fail")) {
              throw new OrchestrationFailure("body");
            }
          } catch (RuntimeException e) {
            return e.getMessage() + Arrays.toString(e.getSuppressed());
          }
          return "";
        };

    assertThat(((Completed) Engine.of(code).started("leave").turn().outcome()).output())
        .startsWith("an undo failed: java.io.IOException: newer")
        .contains("older");
    assertThat(((Completed) Engine.of(code).started("fail").turn().outcome()).output())
        .startsWith("body[")
        .contains("newer");
  }

  @Test
  @DisplayName("a saga that is unwound undoes nothing")
  void unwound() {
    Twin twin = Twin.started(ORDER);
    twin.turn();
    assertThat(twin.turn(raised("other", "")).actions()).isEmpty();

    TurnResult cancelled = twin.turn(Facts.cancel("enough"));

    assertThat(cancelled.outcome()).isEqualTo(new TurnOutcome.Cancelled("enough"));
    assertThat(Engine.kinds(cancelled))
        .containsExactly(new EventKind.OrchestrationCancelRequested("enough"));
    assertThat(cancelled.actions()).isEmpty();
  }

  @Test
  @DisplayName("a saga left by continue-as-new undoes nothing")
  void leftByContinueAsNew() {
    OrchestrationCode code =
        (ctx, in) -> {
          try (Saga saga = ctx.saga()) {
            saga.undo(RELEASE, "r");
            return ctx.continueAsNew("next");
          }
        };
    TurnResult result = Engine.fresh(code);

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.ContinueAsNew("next", null, null));
    assertThat(result.delta()).isEmpty();
  }

  @Test
  @DisplayName("a cancellation scope gives up what is pending when it closes, and only that")
  void scope() {
    OrchestrationCode code =
        (ctx, in) -> {
          try (var scope = ctx.cancellationScope()) {
            scope.own(ctx.callActivity("Slow", ""));
            var quick = scope.own(ctx.callActivity("Quick", ""));
            scope.own(ctx.timer(Duration.ofHours(1)));
            quick.await();
          }
          return ctx.waitForEvent("go").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();

    TurnResult result = twin.turn(activityDone(3, ""));

    assertThat(result.abandoned().activities()).containsExactly(2L);
    assertThat(result.delta()).hasSize(3);
    assertThat(twin.turn(raised("go", "on")).outcome()).isEqualTo(new Completed("on"));
  }

  private static final OrchestrationCode AT_MOST =
      (ctx, in) ->
          switch (ctx.callActivity("A", "").await(Duration.ofMinutes(1))) {
            case Awaited.Got<String>(String result) -> "got " + result;
            case Awaited.TimedOut<String> ignored -> "too late";
          };

  @Test
  @DisplayName("await with a limit gives the result that came in time")
  void inTime() {
    Twin twin = Twin.started(AT_MOST);
    assertThat(Engine.kinds(twin.turn()))
        .containsExactly(activity("A", ""), new EventKind.TimerCreated(Facts.NOON.plusSeconds(60)));

    TurnResult result = twin.turn(activityDone(2, "ok"));

    assertThat(result.outcome()).isEqualTo(new Completed("got ok"));
    assertThat(result.abandoned()).isEqualTo(new Abandoned(List.of(), List.of(), List.of(3L)));
  }

  @Test
  @DisplayName("await with a limit gives up what did not come in time")
  void tooLate() {
    Twin twin = Twin.started(AT_MOST);
    twin.turn();

    TurnResult result = twin.turn(timerDue(3));

    assertThat(result.outcome()).isEqualTo(new Completed("too late"));
    assertThat(result.abandoned().activities()).containsExactly(2L);
  }

  @Test
  @DisplayName("await with a limit throws the failure that came in time")
  void failedInTime() {
    Twin twin = Twin.started(AT_MOST);
    assertThat(twin.turn().outcome()).isEqualTo(new Continue());

    assertThat(failureOf(twin.turn(Facts.activityFailed(2, failure("broken")))))
        .isEqualTo("broken");
  }
}
