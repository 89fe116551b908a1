package io.duroxide.replay;

import static io.duroxide.replay.Facts.NOON;
import static io.duroxide.replay.Facts.activityCompleted;
import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.activityFailed;
import static io.duroxide.replay.Facts.activityScheduled;
import static io.duroxide.replay.Facts.childCompleted;
import static io.duroxide.replay.Facts.childDone;
import static io.duroxide.replay.Facts.childFailed;
import static io.duroxide.replay.Facts.childScheduled;
import static io.duroxide.replay.Facts.externalEvent;
import static io.duroxide.replay.Facts.failure;
import static io.duroxide.replay.Facts.queueDelivered;
import static io.duroxide.replay.Facts.queueSubscribed;
import static io.duroxide.replay.Facts.queued;
import static io.duroxide.replay.Facts.raised;
import static io.duroxide.replay.Facts.started;
import static io.duroxide.replay.Facts.subscribed;
import static io.duroxide.replay.Facts.timerCreated;
import static io.duroxide.replay.Facts.timerDue;
import static io.duroxide.replay.Facts.timerFired;
import static io.duroxide.replay.Turns.batch;
import static io.duroxide.replay.Verdicts.CONTINUE;
import static io.duroxide.replay.Verdicts.nothingAsked;
import static io.duroxide.replay.Verdicts.stillWaiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ChildOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.Thrown;
import io.duroxide.model.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class MessageConversionTest {
  private static final ErrorDetails DETAILS =
      new ErrorDetails.Application(
          ApplicationErrorKind.ACTIVITY_FAILED,
          "card refused",
          false,
          new Thrown("shop.CardRefused", "{\"code\":7}"));

  /** Schedules 2: activity, 3: timer, 4: child, and waits for "the end" (5) whatever comes. */
  private static final OrchestrationCode WAITS_FOREVER =
      (ctx, in) -> {
        ctx.callActivity("Charge", "1");
        ctx.timer(Duration.ofSeconds(5));
        ctx.callOrchestration("Ship", "2", ChildOptions.defaults());
        return ctx.waitForEvent("the end").await();
      };

  /** The turn waits and recorded exactly these. */
  private static void recorded(TurnResult result, Event... events) {
    assertThat(result.outcome()).isEqualTo(CONTINUE);
    assertThat(result.delta()).containsExactly(events);
    nothingAsked(result);
  }

  private static TurnResult after(WorkItem... messages) {
    return Turns.last(WAITS_FOREVER, batch(), batch(messages));
  }

  @Test
  @DisplayName("RE-040 an activity's result is converted with source id and result")
  void activityResult() {
    recorded(after(activityDone(2, "ok")), activityCompleted(6, 2, "ok"));
  }

  @Test
  @DisplayName("RE-041 an activity's failure is converted with source id and details")
  void activityFailure() {
    recorded(
        after(activityFailed(2, DETAILS)),
        Facts.event(6, 2, new EventKind.ActivityFailed(DETAILS)));
  }

  @Test
  @DisplayName("RE-042 a due timer is converted with source id")
  void dueTimer() {
    recorded(after(timerDue(3)), timerFired(6, 3));
  }

  @Test
  @DisplayName("RE-043 a child's result is converted with source id and result")
  void childResult() {
    recorded(after(childDone(4, "shipped")), childCompleted(6, 4, "shipped"));
  }

  @Test
  @DisplayName("RE-044 a child's failure is converted with source id and details")
  void childFailure() {
    recorded(after(childFailed(4, DETAILS)), childFailed(6, 4, DETAILS));
  }

  @Test
  @DisplayName("RE-045 a raised event is converted without a subscription, and delivered to nobody")
  void raisedUnasked() {
    recorded(after(raised("approval", "yes")), externalEvent(6, "approval", "yes"));
  }

  @Test
  @DisplayName("RE-045 a raised event is converted with a subscription, and delivered")
  void raisedAsked() {
    TurnResult result = after(raised("the end", "yes"));

    assertThat(result.outcome()).isEqualTo(Verdicts.completed("yes"));
    assertThat(result.delta()).containsExactly(externalEvent(6, "the end", "yes"));
    nothingAsked(result);
  }

  @Test
  @DisplayName("RE-046 a queue message is converted without a subscription")
  void queuedUnasked() {
    recorded(after(queued("inbox", "hi")), queueDelivered(6, "inbox", "hi"));
  }

  @Test
  @DisplayName("RE-046 a queue message is converted with a subscription, and delivered")
  void queuedAsked() {
    TurnResult result =
        Turns.last(
            (ctx, in) -> ctx.dequeueEvent("inbox").await(), batch(), batch(queued("inbox", "hi")));

    assertThat(result.outcome()).isEqualTo(Verdicts.completed("hi"));
    assertThat(result.delta()).containsExactly(queueDelivered(3, "inbox", "hi"));
    nothingAsked(result);
  }

  @Test
  @DisplayName("RE-047 several outcomes in one batch are all converted, in order")
  void severalOutcomes() {
    recorded(
        after(childDone(4, "shipped"), queued("inbox", "hi"), timerDue(3), activityDone(2, "ok")),
        childCompleted(6, 4, "shipped"),
        queueDelivered(7, "inbox", "hi"),
        timerFired(8, 3),
        activityCompleted(9, 2, "ok"));
  }

  static Stream<Arguments> repeated() {
    return Stream.of(
        Arguments.of("activity", activityDone(2, "ok")),
        Arguments.of("timer", timerDue(3)),
        Arguments.of("child", childDone(4, "shipped")));
  }

  @ParameterizedTest(
      name = "RE-048 a repeated outcome of the {0} is dropped",
      quoteTextArguments = false)
  @MethodSource("repeated")
  @DisplayName("RE-048 an outcome that is already in history is dropped")
  void repeatedOutcome(String what, WorkItem message) {
    List<TurnResult> turns = Turns.of(WAITS_FOREVER, batch(), batch(message), batch(message));

    assertThat(turns.get(1).delta()).hasSize(1);
    stillWaiting(turns.get(2));
  }

  static Stream<Arguments> contradicting() {
    WorkItem done = activityDone(2, "ok");
    WorkItem failed = activityFailed(2, failure("card refused"));
    WorkItem childDone = childDone(4, "shipped");
    WorkItem childFailed = childFailed(4, failure("no truck"));
    return Stream.of(
        Arguments.of("activity: failure repeated", failed, failed),
        Arguments.of("activity: failure after completion", done, failed),
        Arguments.of("activity: completion after failure", failed, done),
        Arguments.of("child: failure repeated", childFailed, childFailed),
        Arguments.of("child: failure after completion", childDone, childFailed),
        Arguments.of("child: completion after failure", childFailed, childDone));
  }

  @ParameterizedTest(name = "RE-049 {0} is dropped", quoteTextArguments = false)
  @MethodSource("contradicting")
  @DisplayName("RE-049 any outcome blocks any later outcome of the same schedule")
  void contradictingOutcome(String what, WorkItem first, WorkItem second) {
    List<TurnResult> turns = Turns.of(WAITS_FOREVER, batch(), batch(first), batch(second));

    assertThat(turns.get(1).delta()).hasSize(1);
    stillWaiting(turns.get(2));
  }

  @Test
  @DisplayName("RE-049 a system failure behind an outcome is dropped and ends nothing")
  void lateSystemFailure() {
    ErrorDetails trouble = new ErrorDetails.Infrastructure("read", "disk", true);

    stillWaiting(
        Turns.last(
            WAITS_FOREVER,
            batch(),
            batch(activityDone(2, "ok"), childDone(4, "shipped")),
            batch(activityFailed(2, trouble), childFailed(4, trouble))));
  }

  @ParameterizedTest(
      name = "RE-050 {0}, in one batch: the first counts",
      quoteTextArguments = false)
  @MethodSource("contradicting")
  @DisplayName("RE-050 of two outcomes for one schedule in a batch the first counts")
  void twoInOneBatch(String what, WorkItem first, WorkItem second) {
    TurnResult both = after(first, second);

    assertThat(both).isEqualTo(after(first));
    assertThat(both.delta()).hasSize(1);
  }

  @Test
  @DisplayName("RE-050 a timer that is due twice in a batch fires once")
  void timerTwiceInOneBatch() {
    recorded(after(timerDue(3), timerDue(3)), timerFired(6, 3));
  }

  static Stream<Arguments> otherExecutions() {
    return Stream.of(1L, 3L)
        .flatMap(execution ->
            Stream.of(
                    new WorkItem.ActivityCompleted(Facts.INSTANCE, execution, 2, "ok"),
                    new WorkItem.ActivityFailed(Facts.INSTANCE, execution, 2, DETAILS),
                    new WorkItem.TimerFired(Facts.INSTANCE, execution, 3, NOON),
                    new WorkItem.SubOrchCompleted(Facts.INSTANCE, execution, 4, "shipped"),
                    new WorkItem.SubOrchFailed(Facts.INSTANCE, execution, 4, DETAILS),
                    new WorkItem.ActivityCompleted(
                        Facts.INSTANCE, execution, 99, "unknown there too"))
                .map(message ->
                    Arguments.of(
                        message.getClass().getSimpleName(), message.id(), execution, message)));
  }

  @ParameterizedTest(
      name = "RE-051 {0} for id={1} of execution {2} is dropped in execution 2",
      quoteTextArguments = false)
  @MethodSource("otherExecutions")
  @DisplayName("RE-051 outcomes of an older or newer execution are dropped without error")
  void otherExecution(String kind, long id, long execution, WorkItem message) {
    for (boolean rebuild : new boolean[] {false, true}) {
      Engine engine = Engine.of(WAITS_FOREVER).execution(2).started("in");
      engine = rebuild ? engine.rebuildEachTurn() : engine;
      assertThat(engine.turn().delta()).hasSize(4);

      stillWaiting(engine.turn(message));
      assertThat(engine.turn(new WorkItem.TimerFired(Facts.INSTANCE, 2, 3, NOON)).delta())
          .hasSize(1);
    }
  }

  @Test
  @DisplayName("RE-052 identical external events are all kept, in one batch and against history")
  void identicalEvents() {
    List<TurnResult> turns =
        Turns.of(
            WAITS_FOREVER,
            batch(),
            batch(raised("tick", "x"), raised("tick", "x")),
            batch(raised("tick", "x")));

    recorded(turns.get(1), externalEvent(6, "tick", "x"), externalEvent(7, "tick", "x"));
    recorded(turns.get(2), externalEvent(8, "tick", "x"));
  }

  @Test
  @DisplayName("RE-052 identical external events answer one wait each")
  void identicalEventsAnswer() {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<String> first = ctx.waitForEvent("tick");
          DurableFuture<String> second = ctx.waitForEvent("tick");
          return first.await() + second.await();
        };

    assertThat(
            Turns.last(code, batch(), batch(raised("tick", "x")), batch(raised("tick", "x")))
                .outcome())
        .isEqualTo(Verdicts.completed("xx"));
  }

  @Test
  @DisplayName("RE-053 identical queue messages are all kept and consumed one by one")
  void identicalMessages() {
    OrchestrationCode code =
        (ctx, in) ->
            ctx.dequeueEvent("q").await()
                + ctx.dequeueEvent("q").await()
                + ctx.dequeueEvent("q").await();

    List<TurnResult> turns =
        Turns.of(code, batch(), batch(queued("q", "x"), queued("q", "x")), batch(queued("q", "x")));

    assertThat(turns.get(1).delta())
        .containsExactly(
            queueDelivered(3, "q", "x"),
            queueDelivered(4, "q", "x"),
            queueSubscribed(5, "q"),
            queueSubscribed(6, "q"));
    assertThat(turns.get(2).outcome()).isEqualTo(Verdicts.completed("xxx"));
    assertThat(turns.get(2).delta()).containsExactly(queueDelivered(7, "q", "x"));
  }

  @ParameterizedTest(
      name = "RE-054 progress and final history, rebuilt each turn: {0}",
      quoteTextArguments = false)
  @ValueSource(booleans = {false, true})
  @DisplayName("RE-054 progress is made by a conversion; the final history is baseline and delta")
  void progress(boolean rebuild) {
    List<Event> baseline =
        List.of(
            started("in"),
            activityScheduled(2, "Charge", "1"),
            timerCreated(3, NOON),
            childScheduled(4, "Ship", "sub::4", "2"),
            subscribed(5, "the end"));
    Engine engine = Engine.of(WAITS_FOREVER).history(baseline.toArray(Event[]::new));
    engine = rebuild ? engine.rebuildEachTurn() : engine;

    assertThat(engine.turn().madeProgress()).isFalse();
    TurnResult result = engine.turn(activityDone(2, "ok"));

    assertThat(result.madeProgress()).isTrue();
    List<Event> whole = new ArrayList<>(baseline);
    whole.addAll(result.delta());
    assertThat(engine.recorded()).isEqualTo(whole);
    stillWaiting(Engine.replay(WAITS_FOREVER, whole.toArray(Event[]::new)));
  }
}
