package io.duroxide.replay;

import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.activityFailed;
import static io.duroxide.replay.Facts.activityScheduled;
import static io.duroxide.replay.Facts.childFailed;
import static io.duroxide.replay.Facts.event;
import static io.duroxide.replay.Facts.failure;
import static io.duroxide.replay.Facts.started;
import static io.duroxide.replay.Turns.batch;
import static io.duroxide.replay.Verdicts.completed;
import static io.duroxide.replay.Verdicts.failed;
import static io.duroxide.replay.Verdicts.nothingAsked;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ChildOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ConfigurationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.PoisonSubject;
import io.duroxide.model.Thrown;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class FailuresTest {
  /** Reports how its activity (2) or child (3) ended, whichever ends first. */
  private static final OrchestrationCode HANDLING =
      (ctx, in) -> {
        DurableFuture<String> activity = ctx.callActivity("Charge", "1");
        DurableFuture<String> child = ctx.callOrchestration("Ship", "2", ChildOptions.defaults());
        try {
          return ctx.select(List.of(activity, child)).value();
        } catch (OrchestrationFailure e) {
          return "handled " + e.getClass().getSimpleName() + ": " + e.getMessage();
        }
      };

  @Test
  @DisplayName("RE-110 an application failure of an activity reaches the code")
  void applicationFailure() {
    TurnResult result =
        Turns.last(HANDLING, batch(), batch(activityFailed(2, failure("card refused"))));

    assertThat(result.outcome())
        .isEqualTo(completed("handled ActivityFailedException: card refused"));
  }

  @Test
  @DisplayName("RE-110 an application failure nobody catches fails the orchestration with its text")
  void uncaughtApplicationFailure() {
    Thrown thrown = new Thrown("shop.CardRefused", "{\"code\":7}");
    TurnResult result =
        Turns.last(
            (ctx, in) -> ctx.callActivity("Charge", "1").await(),
            batch(),
            batch(
                activityFailed(
                    2,
                    new ErrorDetails.Application(
                        ApplicationErrorKind.ACTIVITY_FAILED, "card refused", false, thrown))));

    assertThat(result.outcome())
        .isEqualTo(
            failed(
                new ErrorDetails.Application(
                    ApplicationErrorKind.ORCHESTRATION_FAILED, "card refused", false, thrown)));
    assertThat(result.delta()).hasSize(1);
    nothingAsked(result);
  }

  private static final ErrorDetails INFRASTRUCTURE =
      new ErrorDetails.Infrastructure("read", "disk gone", true);
  private static final ErrorDetails CONFIGURATION =
      new ErrorDetails.Configuration(ConfigurationErrorKind.NONDETERMINISM, "Ship", "changed");
  private static final ErrorDetails POISON =
      new ErrorDetails.Poison(
          11, 10, new PoisonSubject.Activity("order-7", 1, "Charge", 2), "serialized");

  static Stream<Arguments> systemErrors() {
    return Stream.of(
        Arguments.of("infrastructure", INFRASTRUCTURE),
        Arguments.of("configuration", CONFIGURATION),
        Arguments.of("poison", POISON));
  }

  /** The turn failed with these details; the failure is recorded, the other task outstanding. */
  private static void ended(TurnResult result, ErrorDetails details, Event recorded) {
    assertThat(result.outcome()).isEqualTo(failed(details));
    assertThat(result.delta()).containsExactly(recorded);
    nothingAsked(result);
  }

  @ParameterizedTest(
      name = "RE-111 an activity failure of category {0} ends the orchestration",
      quoteTextArguments = false)
  @MethodSource("systemErrors")
  @DisplayName("RE-111 a system failure of an activity ends the orchestration")
  void systemFailureOfActivity(String category, ErrorDetails details) {
    TurnResult result = Turns.last(HANDLING, batch(), batch(activityFailed(2, details)));

    ended(result, details, event(4, 2, new EventKind.ActivityFailed(details)));
    assertThat(result.outstanding().activities()).isEmpty();
    assertThat(result.outstanding().children()).containsExactly(new ChildRef(3, "order-7::sub::3"));
  }

  @ParameterizedTest(
      name = "RE-112 a child failure of category {0} ends the orchestration",
      quoteTextArguments = false)
  @MethodSource("systemErrors")
  @DisplayName("RE-112 a system failure of a child ends the orchestration")
  void systemFailureOfChild(String category, ErrorDetails details) {
    TurnResult result = Turns.last(HANDLING, batch(), batch(childFailed(3, details)));

    ended(result, details, childFailed(4, 3, details));
    assertThat(result.outstanding().activities()).containsExactly(2L);
    assertThat(result.outstanding().children()).isEmpty();
  }

  @ParameterizedTest(
      name = "RE-111 RE-112 the code is not run for a failure of category {0}",
      quoteTextArguments = false)
  @MethodSource("systemErrors")
  @DisplayName("RE-111 RE-112 the code is not run when a system failure arrives")
  void codeNotRun(String category, ErrorDetails details) {
    AtomicInteger runs = new AtomicInteger();
    OrchestrationCode code =
        (ctx, in) -> {
          runs.incrementAndGet();
          return HANDLING.run(ctx, in);
        };
    Event[] open = {
      started(""),
      activityScheduled(2, "Charge", "1"),
      Facts.childScheduled(3, "Ship", "sub::3", "2")
    };

    Engine.of(code).history(open).turn(activityFailed(2, details));
    Engine.of(code).history(open).turn(childFailed(3, details));

    assertThat(runs).hasValue(0);
  }

  @ParameterizedTest(
      name = "RE-111 RE-112 a recorded failure of category {0} still ends it",
      quoteTextArguments = false)
  @MethodSource("systemErrors")
  @DisplayName("RE-111 RE-112 a recorded system failure never reaches the code")
  void recordedSystemFailure(String category, ErrorDetails details) {
    TurnResult result =
        Engine.replay(
            HANDLING,
            started(""),
            activityScheduled(2, "Charge", "1"),
            Facts.childScheduled(3, "Ship", "sub::3", "2"),
            event(4, 2, new EventKind.ActivityFailed(details)));

    assertThat(result.outcome()).isEqualTo(failed(details));
    Verdicts.nothingNew(result);
  }

  static Stream<Arguments> childErrors() {
    return Stream.of(
        Arguments.of(ApplicationErrorKind.ORCHESTRATION_FAILED, "no truck", "no truck"),
        Arguments.of(new ApplicationErrorKind.Cancelled("too late"), "", "canceled: too late"),
        Arguments.of(ApplicationErrorKind.PANICKED, "index 7", "orchestration panicked: index 7"));
  }

  @ParameterizedTest(name = "RE-113 a failed child reads: {2}", quoteTextArguments = false)
  @MethodSource("childErrors")
  @DisplayName("RE-113 an application failure of a child reaches the code as display text")
  void childFailure(ApplicationErrorKind kind, String message, String text) {
    TurnResult result =
        Turns.last(
            HANDLING, batch(), batch(childFailed(3, new ErrorDetails.Application(kind, message))));

    assertThat(result.outcome())
        .isEqualTo(completed("handled SubOrchestrationFailedException: " + text));
    assertThat(result.abandoned().activities()).containsExactly(2L);
  }

  @Test
  @DisplayName("RE-114 of two system failures in one batch the first is reported, both recorded")
  void firstSystemFailure() {
    TurnResult result =
        Turns.last(
            HANDLING, batch(), batch(childFailed(3, POISON), activityFailed(2, INFRASTRUCTURE)));

    assertThat(result.outcome()).isEqualTo(failed(POISON));
    assertThat(result.delta()).hasSize(2);
    nothingAsked(result);
  }

  @Test
  @DisplayName("RE-114 a system failure before a nondeterminism is reported")
  void systemFailureFirst() {
    TurnResult result =
        Turns.last(
            HANDLING, batch(), batch(activityFailed(2, INFRASTRUCTURE), activityDone(99, "a")));

    assertThat(result.outcome()).isEqualTo(failed(INFRASTRUCTURE));
    assertThat(result.delta()).hasSize(1);
  }

  @Test
  @DisplayName("RE-114 a nondeterminism before a system failure is reported")
  void nondeterminismFirst() {
    TurnResult result =
        Turns.last(
            HANDLING, batch(), batch(activityDone(99, "a"), activityFailed(2, INFRASTRUCTURE)));

    Verdicts.nondeterministic(result, "no matching schedule for completion id=99");
    assertThat(result.delta()).hasSize(1);
  }
}
