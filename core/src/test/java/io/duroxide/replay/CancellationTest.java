package io.duroxide.replay;

import static io.duroxide.replay.Decisions.cancelRequested;
import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.activityScheduled;
import static io.duroxide.replay.Facts.cancel;
import static io.duroxide.replay.Facts.event;
import static io.duroxide.replay.Facts.started;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.OrchestrationFailure;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventKind.OrchestrationCancelRequested;
import io.duroxide.replay.TurnOutcome.Cancelled;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class CancellationTest {
  private static final OrchestrationCode CHARGE =
      (ctx, in) -> ctx.callActivity("Charge", in).await();

  @Test
  @DisplayName("RE-120 a cancel message ends an execution whose code would return")
  void cancelMessageBeatsReturn() {
    TurnResult result = Engine.of((ctx, in) -> "out").started("in").turn(cancel("enough"));

    assertThat(result.outcome()).isEqualTo(new Cancelled("enough"));
    assertThat(Engine.kinds(result)).containsExactly(new OrchestrationCancelRequested("enough"));
    assertThat(result.outstanding()).isEqualTo(Outstanding.NOTHING);
  }

  @Test
  @DisplayName("RE-120 a cancel in the batch of the last completion beats the return")
  void cancelBeatsLastCompletion() {
    Twin twin = Twin.started(CHARGE);
    twin.turn();

    TurnResult result = twin.turn(activityDone(2, "ok"), cancel("enough"));

    assertThat(result.outcome()).isEqualTo(new Cancelled("enough"));
    assertThat(Engine.kinds(result))
        .containsExactly(
            new EventKind.ActivityCompleted("ok"), new OrchestrationCancelRequested("enough"));
    assertThat(result.outstanding()).isEqualTo(Outstanding.NOTHING);
  }

  @Test
  @DisplayName("RE-120 a cancel in history ends an execution whose code would return")
  void cancelInHistory() {
    TurnResult result =
        Engine.replay((ctx, in) -> "out", started("in"), cancelRequested(2, "enough"));

    assertThat(result.outcome()).isEqualTo(new Cancelled("enough"));
    assertThat(result.delta()).isEmpty();
  }

  @Test
  @DisplayName("RE-120 a cancel beats continue-as-new and a deliberate failure")
  void cancelBeatsOtherEnds() {
    assertThat(
            Engine.of((ctx, in) -> ctx.continueAsNew("next"))
                .started("in")
                .turn(cancel("enough"))
                .outcome())
        .isEqualTo(new Cancelled("enough"));
    assertThat(
            Engine.of(
                    (ctx, in) -> {
                      throw new OrchestrationFailure("no");
                    })
                .started("in")
                .turn(cancel("enough"))
                .outcome())
        .isEqualTo(new Cancelled("enough"));
  }

  @Test
  @DisplayName("RE-121 a cancel while an activity is pending leaves it outstanding, not dropped")
  void cancelWithPendingActivity() {
    Twin twin = Twin.started(CHARGE);
    twin.turn();

    TurnResult result = twin.turn(cancel("enough"));

    assertThat(result.outcome()).isEqualTo(new Cancelled("enough"));
    assertThat(Engine.kinds(result)).containsExactly(new OrchestrationCancelRequested("enough"));
    assertThat(result.actions()).isEmpty();
    assertThat(result.abandoned()).isEqualTo(Abandoned.NOTHING);
    assertThat(result.outstanding().activities()).containsExactly(2L);
  }

  @Test
  @DisplayName("RE-121 an activity asked for in the cancelled turn is recorded and outstanding")
  void cancelInTheFirstTurn() {
    TurnResult result = Engine.of(CHARGE).started("in").turn(cancel("enough"));

    assertThat(result.outcome()).isEqualTo(new Cancelled("enough"));
    assertThat(Engine.kinds(result))
        .containsExactly(
            new OrchestrationCancelRequested("enough"),
            new EventKind.ActivityScheduled("Charge", "in", null, null));
    assertThat(result.outstanding().activities()).containsExactly(3L);
  }

  @Test
  @DisplayName("RE-122 of two cancels in one batch the first counts and is recorded alone")
  void twoCancelsInOneBatch() {
    Twin twin = Twin.started(CHARGE);
    twin.turn();

    TurnResult result = twin.turn(cancel("first"), cancel("second"));

    assertThat(result.outcome()).isEqualTo(new Cancelled("first"));
    assertThat(Engine.kinds(result)).containsExactly(new OrchestrationCancelRequested("first"));
  }

  @Test
  @DisplayName("RE-122 a cancel that history has already is not recorded again")
  void cancelAlreadyInHistory() {
    TurnResult result =
        Engine.of(CHARGE)
            .history(
                started("in"), activityScheduled(2, "Charge", "in"), cancelRequested(3, "first"))
            .turn(cancel("second"));

    assertThat(result.outcome()).isEqualTo(new Cancelled("first"));
    assertThat(result.delta()).isEmpty();
  }

  @ParameterizedTest(name = "RE-123 a cancel behind {0} changes nothing")
  @MethodSource("terminals")
  void cancelWhenTerminal(EventKind.Terminal terminal) {
    TurnResult result =
        Engine.of(CHARGE).history(started("in"), event(2, terminal)).turn(cancel("late"));

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.Continue());
    assertThat(result.madeProgress()).isFalse();
    assertThat(result.actions()).isEmpty();
    assertThat(result.outstanding()).isEqualTo(Outstanding.NOTHING);
  }

  static List<EventKind.Terminal> terminals() {
    return List.of(
        new EventKind.OrchestrationCompleted("out"),
        new EventKind.OrchestrationFailed(
            new ErrorDetails.Application(ApplicationErrorKind.ORCHESTRATION_FAILED, "no")),
        new EventKind.OrchestrationContinuedAsNew("next"));
  }
}
