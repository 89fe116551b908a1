package io.duroxide.replay;

import static io.duroxide.replay.Facts.activityCompleted;
import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.activityFailed;
import static io.duroxide.replay.Facts.cancel;
import static io.duroxide.replay.Facts.event;
import static io.duroxide.replay.Facts.queued;
import static io.duroxide.replay.Facts.raised;
import static io.duroxide.replay.Turns.batch;
import static io.duroxide.replay.Verdicts.failed;
import static io.duroxide.replay.Verdicts.nothingAsked;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.OrchestrationContext;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.EventKind;
import io.duroxide.model.PoisonSubject;
import io.duroxide.model.Thrown;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** How unexpected exceptions end an orchestration, and which of several ends counts. */
class EndingsTest {
  private static final ErrorDetails POISON =
      new ErrorDetails.Poison(
          11, 10, new PoisonSubject.Activity("order-7", 1, "A", 2), "serialized");

  private static TurnOutcome panicked(Class<? extends Throwable> type, String message) {
    return failed(
        new ErrorDetails.Application(
            ApplicationErrorKind.PANICKED, message, false, new Thrown(type.getName(), null)));
  }

  private static final TurnOutcome BOOM =
      panicked(IllegalStateException.class, "java.lang.IllegalStateException: boom");

  private static String boom() {
    throw new IllegalStateException("boom");
  }

  @Test
  @DisplayName("RE-115 a panic on the first line keeps its message")
  void panicOnFirstLine() {
    TurnResult result = Engine.fresh((ctx, in) -> boom());

    assertThat(result.outcome()).isEqualTo(BOOM);
    assertThat(Verdicts.failure(result).displayMessage())
        .startsWith("orchestration panicked: ")
        .endsWith("boom");
    Verdicts.nothingNew(result);
  }

  @Test
  @DisplayName("RE-115 a panic after an await keeps its message, and what was asked for before it")
  void panicAfterAwait() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.callActivity("A", "").await();
          ctx.setCustomStatus("about to fail");
          return boom();
        };

    TurnResult result = Turns.last(code, batch(), batch(activityDone(2, "a")));

    assertThat(result.outcome()).isEqualTo(BOOM);
    assertThat(result.delta())
        .containsExactly(
            activityCompleted(3, 2, "a"),
            event(4, new EventKind.CustomStatusUpdated("about to fail")));
    assertThat(result.outstanding()).isEqualTo(Outstanding.NOTHING);
  }

  static Stream<Arguments> panics() {
    return Stream.of(
        Arguments.of(
            new IllegalStateException(),
            panicked(IllegalStateException.class, "java.lang.IllegalStateException")),
        Arguments.of(
            new AssertionError("not so"),
            panicked(AssertionError.class, "java.lang.AssertionError: not so")),
        Arguments.of(
            new StackOverflowError(),
            panicked(StackOverflowError.class, "java.lang.StackOverflowError")),
        Arguments.of(
            new IOException("disk"), panicked(IOException.class, "java.io.IOException: disk")));
  }

  @ParameterizedTest(name = "RE-115 {0} is a panic", quoteTextArguments = false)
  @MethodSource("panics")
  @DisplayName("RE-115 any unexpected throwable, with or without message, is a panic")
  void panics(Throwable thrown, TurnOutcome outcome) {
    TurnResult result =
        Engine.fresh((ctx, in) -> {
          switch (thrown) {
            case Exception e -> throw e;
            case Error e -> throw e;
            default -> throw new IllegalArgumentException(thrown);
          }
        });

    assertThat(result.outcome()).isEqualTo(outcome);
    Verdicts.nothingNew(result);
  }

  private static String panicsAfterStep(OrchestrationContext branch) {
    branch.callActivity("A", "").await();
    return boom();
  }

  private static final OrchestrationCode PANIC_IN_JOIN =
      (ctx, in) ->
          String.join(
              "",
              ctx.all(
                  List.of(
                      ctx.async(EndingsTest::panicsAfterStep),
                      ctx.async(b -> b.callActivity("B", "").await()))));

  @Test
  @DisplayName("RE-116 a panic inside a branch of a join fails the orchestration once all ended")
  void panicInJoin() {
    TurnResult result =
        Turns.last(
            PANIC_IN_JOIN, batch(), batch(activityDone(2, "a")), batch(activityDone(3, "b")));

    assertThat(result.outcome()).isEqualTo(BOOM);
    nothingAsked(result);
  }

  @Test
  @DisplayName("RE-116 a panic inside a branch of a select wins it and fails the orchestration")
  void panicInSelect() {
    OrchestrationCode code =
        (ctx, in) ->
            ctx.<String>select(
                    List.of(
                        ctx.async(EndingsTest::panicsAfterStep),
                        ctx.async(b -> b.callActivity("B", "").await())))
                .value();

    TurnResult result = Turns.last(code, batch(), batch(activityDone(2, "a")));

    assertThat(result.outcome()).isEqualTo(BOOM);
    assertThat(result.outstanding().activities()).containsExactly(3L);
  }

  @Test
  @DisplayName("RE-116 a panic on the first line of a branch fails the orchestration at once")
  void panicAtOnce() {
    OrchestrationCode code =
        (ctx, in) -> ctx.<String>select(List.of(ctx.async(b -> boom()))).value();

    TurnResult result = Engine.fresh(code);

    assertThat(result.outcome()).isEqualTo(BOOM);
    Verdicts.nothingNew(result);
  }

  @Test
  @DisplayName("RE-116 a panic inside a branch that nobody looked at fails the orchestration")
  void panicNobodySaw() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.async(b -> boom());
          return "fine";
        };

    assertThat(Engine.fresh(code).outcome()).isEqualTo(BOOM);
  }

  @Test
  @DisplayName("RE-117 the handler is invoked once per turn when each turn is rebuilt")
  void invokedOncePerTurn() {
    AtomicInteger runs = new AtomicInteger();
    OrchestrationCode code = counted(runs);
    Engine engine = Engine.of(code).started("").rebuildEachTurn();

    engine.turn();
    assertThat(runs).hasValue(1);
    engine.turn(activityDone(2, "a"), raised("x", ""), queued("q", "1"), queued("q", "2"));
    assertThat(runs).hasValue(2);
    engine.turn();
    assertThat(runs).hasValue(3);
    assertThat(engine.turn(activityDone(10, "b")).outcome()).isEqualTo(Verdicts.completed("b"));
    assertThat(runs).hasValue(4);
  }

  @Test
  @DisplayName("RE-117 the handler of a parked execution is invoked once over all turns")
  void invokedOnceWhenParked() {
    AtomicInteger runs = new AtomicInteger();
    OrchestrationCode code = counted(runs);
    Engine engine = Engine.of(code).started("");

    engine.turn();
    engine.turn(activityDone(2, "a"), raised("x", ""), queued("q", "1"), queued("q", "2"));
    engine.turn();
    assertThat(engine.turn(activityDone(10, "b")).outcome()).isEqualTo(Verdicts.completed("b"));

    assertThat(runs).hasValue(1);
  }

  private static OrchestrationCode counted(AtomicInteger runs) {
    return (ctx, in) -> {
      runs.incrementAndGet();
      ctx.callActivity("A", "").await();
      ctx.dequeueEvent("q").await();
      ctx.dequeueEvent("q").await();
      ctx.setCustomStatus("drained");
      return ctx.callActivity("B", "").await();
    };
  }

  private static final OrchestrationCode RETURNS =
      (ctx, in) -> ctx.callActivity("A", "").await() + "!";
  private static final OrchestrationCode CONTINUES =
      (ctx, in) -> ctx.continueAsNew(ctx.callActivity("A", "").await());
  private static final OrchestrationCode PANICS = (ctx, in) -> panicsAfterStep(ctx);

  @Test
  @DisplayName("RE-118 an abort beats a cancel in the same batch, in either order")
  void abortBeatsCancel() {
    for (var messages :
        List.of(
            batch(cancel("stop"), activityFailed(2, POISON)),
            batch(activityFailed(2, POISON), cancel("stop")))) {
      TurnResult result = Turns.last(RETURNS, batch(), messages);

      assertThat(result.outcome()).isEqualTo(failed(POISON));
      assertThat(Engine.kinds(result))
          .containsExactlyInAnyOrder(
              new EventKind.OrchestrationCancelRequested("stop"),
              new EventKind.ActivityFailed(POISON));
    }
  }

  @Test
  @DisplayName("RE-118 a cancel beats a return and a continue-as-new of the same turn")
  void cancelBeatsReturn() {
    for (OrchestrationCode code : List.of(RETURNS, CONTINUES)) {
      TurnResult result = Turns.last(code, batch(), batch(activityDone(2, "a"), cancel("stop")));

      assertThat(result.outcome()).isEqualTo(new TurnOutcome.Cancelled("stop"));
      assertThat(result.delta())
          .containsExactly(
              activityCompleted(3, 2, "a"),
              event(4, new EventKind.OrchestrationCancelRequested("stop")));
    }
  }

  @Test
  @DisplayName("RE-118 a panic beats a cancel of the same turn")
  void panicBeatsCancel() {
    assertThat(Turns.last(PANICS, batch(), batch(activityDone(2, "a"), cancel("stop"))).outcome())
        .isEqualTo(BOOM);
  }

  @Test
  @DisplayName("RE-118 a continue-as-new beats a value returned or thrown afterwards")
  @SuppressWarnings("Finally")
  void continueAsNewBeatsReturn() {
    OrchestrationCode swallowing =
        (ctx, in) -> {
          try {
            return ctx.continueAsNew("next");
          } catch (Throwable swallowed) {
            ctx.setCustomStatus("ignored");
            return "returned";
          }
        };
    OrchestrationCode throwing =
        (ctx, in) -> {
          try {
            return ctx.continueAsNew("next");
          } finally {
            boom();
          }
        };

    for (OrchestrationCode code : List.of(swallowing, throwing)) {
      TurnResult result = Engine.fresh(code);
      assertThat(result.outcome()).isEqualTo(new TurnOutcome.ContinueAsNew("next", null, null));
      Verdicts.nothingNew(result);
    }
  }

  @Test
  @DisplayName("RE-118 a continue-as-new inside a branch beats what the code around it waits for")
  void continueAsNewInBranch() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.async(b -> b.continueAsNew(b.callActivity("A", "").await()));
          return ctx.waitForEvent("go").await();
        };

    TurnResult result =
        Turns.last(code, batch(), batch(activityDone(2, "next"), raised("go", "now")));

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.ContinueAsNew("next", null, null));
    nothingAsked(result);
    assertThat(result.outstanding().waits()).containsExactly(3L);
  }

  @Test
  @DisplayName("RE-118 of two continue-as-new the first wins")
  @SuppressWarnings("Finally")
  void firstContinueAsNew() {
    OrchestrationCode code =
        (ctx, in) -> {
          try {
            return ctx.continueAsNew("first");
          } finally {
            ctx.continueAsNew("second");
          }
        };

    assertThat(Engine.fresh(code).outcome())
        .isEqualTo(new TurnOutcome.ContinueAsNew("first", null, null));
  }
}
