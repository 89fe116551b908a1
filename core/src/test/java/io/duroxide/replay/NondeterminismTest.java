package io.duroxide.replay;

import static io.duroxide.api.ActivityOptions.options;
import static io.duroxide.replay.Facts.NOON;
import static io.duroxide.replay.Facts.activityCompleted;
import static io.duroxide.replay.Facts.activityScheduled;
import static io.duroxide.replay.Facts.childScheduled;
import static io.duroxide.replay.Facts.event;
import static io.duroxide.replay.Facts.queueSubscribed;
import static io.duroxide.replay.Facts.started;
import static io.duroxide.replay.Facts.subscribed;
import static io.duroxide.replay.Facts.timerCreated;
import static io.duroxide.replay.Verdicts.completed;
import static io.duroxide.replay.Verdicts.nothingNew;
import static io.duroxide.replay.Verdicts.refused;
import static io.duroxide.replay.Verdicts.stillWaiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ActivityOptions;
import io.duroxide.api.ChildOptions;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Code whose actions are not those that history recorded. */
class NondeterminismTest {
  private static OrchestrationCode activity(String name, String input, ActivityOptions options) {
    return (ctx, in) -> ctx.callActivity(name, input, options).await();
  }

  private static OrchestrationCode child(String name, String input, ChildOptions options) {
    return (ctx, in) -> ctx.callOrchestration(name, input, options).await();
  }

  private static OrchestrationCode detached(String name, String id, String input) {
    return (ctx, in) -> {
      ctx.startDetached(name, input, ChildOptions.instanceId(id));
      return ctx.waitForEvent("the end").await();
    };
  }

  private static final OrchestrationCode TIMER =
      (ctx, in) -> ctx.timer(Duration.ofSeconds(5)).await().toString();
  private static final OrchestrationCode WAIT = (ctx, in) -> ctx.waitForEvent("go").await();
  private static final OrchestrationCode DEQUEUE = (ctx, in) -> ctx.dequeueEvent("go").await();

  private static Event routed(String session, String tag) {
    return event(2, new EventKind.ActivityScheduled("A", "1", session, tag));
  }

  private static Event chained(String name, String id, String input) {
    return event(2, new EventKind.OrchestrationChained(name, id, input));
  }

  static Stream<Arguments> mismatches() {
    Event a = activityScheduled(2, "A", "1");
    Event timer = timerCreated(2, NOON);
    Event ship = childScheduled(2, "Ship", "sub::2", "1");
    Event audit = chained("Audit", "audit-7", "1");
    OrchestrationCode callA = activity("A", "1", options());
    return Stream.of(
        Arguments.of("RE-070 activity recorded, timer emitted", a, TIMER),
        Arguments.of("RE-071 timer recorded, activity emitted", timer, callA),
        Arguments.of("RE-072 different activity name", a, activity("B", "1", options())),
        Arguments.of("RE-073 different activity input", a, activity("A", "2", options())),
        Arguments.of("RE-074 session added", a, activity("A", "1", options().session("s"))),
        Arguments.of(
            "RE-074 session changed",
            routed("s", null),
            activity("A", "1", options().session("other"))),
        Arguments.of("RE-074 session removed", routed("s", null), callA),
        Arguments.of("RE-075 tag added", a, activity("A", "1", options().tag("t"))),
        Arguments.of(
            "RE-075 tag changed", routed(null, "t"), activity("A", "1", options().tag("other"))),
        Arguments.of("RE-075 tag removed", routed(null, "t"), callA),
        Arguments.of("RE-076 different wait name", subscribed(2, "stop"), WAIT),
        Arguments.of("RE-077 different queue name", queueSubscribed(2, "stop"), DEQUEUE),
        Arguments.of("RE-078 wait recorded, dequeue emitted", subscribed(2, "go"), DEQUEUE),
        Arguments.of("RE-078 dequeue recorded, wait emitted", queueSubscribed(2, "go"), WAIT),
        Arguments.of(
            "RE-079 different child name", ship, child("Sink", "1", ChildOptions.defaults())),
        Arguments.of(
            "RE-079 different child input", ship, child("Ship", "2", ChildOptions.defaults())),
        Arguments.of("RE-081 different detached name", audit, detached("Log", "audit-7", "1")),
        Arguments.of("RE-081 different detached id", audit, detached("Audit", "audit-8", "1")),
        Arguments.of("RE-081 different detached input", audit, detached("Audit", "audit-7", "2")));
  }

  @ParameterizedTest(name = "{0}: schedule mismatch", quoteTextArguments = false)
  @MethodSource("mismatches")
  @DisplayName("RE-070 to RE-081 an action that differs from the recorded one is a mismatch")
  void mismatch(String what, Event recorded, OrchestrationCode code) {
    refused(code, "schedule mismatch: event 2 recorded ", started(""), recorded);
  }

  @Test
  @DisplayName("RE-072 the text names what was recorded and what the code asks for")
  void mismatchText() {
    refused(
        activity("Reserve", "7", options()),
        "order-7/1: schedule mismatch: event 2 recorded activity 'Charge' with input '7', the code"
            + " now asks for activity 'Reserve' with input '7'; was the orchestration changed"
            + " without a new version?",
        started(""),
        activityScheduled(2, "Charge", "7"));
  }

  @Test
  @DisplayName("RE-072 a mismatch behind a recorded outcome is found")
  void laterMismatch() {
    refused(
        (ctx, in) -> ctx.callActivity("A", "").await() + ctx.callActivity("C", "").await(),
        "schedule mismatch: event 4 recorded activity 'B'",
        started(""),
        activityScheduled(2, "A", ""),
        activityCompleted(3, 2, "a"),
        activityScheduled(4, "B", ""));
  }

  static Stream<Arguments> acceptedChildren() {
    return Stream.of(
        Arguments.of("a version", ChildOptions.version("2.0.0")),
        Arguments.of("an explicit id", ChildOptions.instanceId("ship-2")),
        Arguments.of("both", ChildOptions.instanceId("ship-2").withVersion("2.0.0")));
  }

  @ParameterizedTest(
      name = "RE-080 {0} that the recorded child did not have is accepted",
      quoteTextArguments = false)
  @MethodSource("acceptedChildren")
  @DisplayName("RE-080 a different child version or explicit child id is accepted")
  void acceptedChild(String what, ChildOptions options) {
    OrchestrationCode code = child("Ship", "1", options);

    stillWaiting(Engine.replay(code, started(""), childScheduled(2, "Ship", "sub::2", "1")));
    stillWaiting(Engine.replay(code, started(""), childScheduled(2, "Ship", "ship-1", "1")));
  }

  @Test
  @DisplayName("RE-081 a different version of a detached start is accepted")
  void acceptedDetachedVersion() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.startDetached("Audit", "1", ChildOptions.instanceId("audit-7").withVersion("2.0.0"));
          return ctx.waitForEvent("the end").await();
        };

    stillWaiting(
        Engine.replay(
            code, started(""), chained("Audit", "audit-7", "1"), subscribed(3, "the end")));
  }

  @Test
  @DisplayName("RE-082 a detached start recorded while the code waits is named")
  void detachedNotEmitted() {
    refused(
        activity("A", "1", options()),
        "history OrchestrationChained but no emitted action",
        started(""),
        activityScheduled(2, "A", "1"),
        event(3, new EventKind.OrchestrationChained("Audit", "audit-7", "1")));
  }

  static Stream<Arguments> schedules() {
    return Stream.of(
            activityScheduled(3, "B", "2"),
            timerCreated(3, NOON),
            subscribed(3, "go"),
            queueSubscribed(3, "go"),
            childScheduled(3, "Ship", "sub::3", "1"))
        .map(event -> Arguments.of(event.kind().getClass().getSimpleName(), event));
  }

  @ParameterizedTest(name = "RE-083 {0} recorded while the code waits", quoteTextArguments = false)
  @MethodSource("schedules")
  @DisplayName("RE-083 a schedule recorded while the code waits and emitted nothing is refused")
  void notEmitted(String what, Event recorded) {
    refused(
        activity("A", "1", options()),
        "history schedule but no emitted action: event 3 recorded ",
        started(""),
        activityScheduled(2, "A", "1"),
        recorded);
  }

  static Stream<Arguments> duplicates() {
    return Stream.of(
        Arguments.of(
            "activity",
            activity("A", "1", options()),
            List.of(activityScheduled(2, "A", "1"), activityScheduled(3, "A", "1"))),
        Arguments.of("timer", TIMER, List.of(timerCreated(2, NOON), timerCreated(3, NOON))),
        Arguments.of("wait", WAIT, List.of(subscribed(2, "go"), subscribed(3, "go"))));
  }

  @ParameterizedTest(
      name = "RE-084 the {0} is recorded twice and emitted once",
      quoteTextArguments = false)
  @MethodSource("duplicates")
  @DisplayName("RE-084 a schedule recorded twice and emitted once is refused")
  void duplicate(String what, OrchestrationCode code, List<Event> twice) {
    refused(
        code,
        "history schedule but no emitted action: event 3",
        started(""),
        twice.get(0),
        twice.get(1));
  }

  @Test
  @DisplayName("RE-090 a different timer delay is accepted and the recorded time stands")
  void differentDelay() {
    Instant recorded = NOON.plusSeconds(3600);
    Engine engine = Engine.of(TIMER).history(started(""), timerCreated(2, recorded));

    stillWaiting(engine.turn());
    assertThat(engine.turn(new WorkItem.TimerFired(Facts.INSTANCE, 1, 2, recorded)).outcome())
        .isEqualTo(completed(recorded.toString()));
  }

  @Test
  @DisplayName("RE-091 returning before a recorded schedule is accepted")
  void earlyReturn() {
    TurnResult result =
        Engine.replay(
            (ctx, in) -> "early",
            started(""),
            activityScheduled(2, "A", "1"),
            activityCompleted(3, 2, "a"));

    assertThat(result.outcome()).isEqualTo(completed("early"));
    nothingNew(result);
    assertThat(result.outstanding()).isEqualTo(Outstanding.NOTHING);
  }

  @Test
  @DisplayName("RE-091 what an early return leaves unread and open in history is outstanding")
  void earlyReturnLeavesOpen() {
    TurnResult result =
        Engine.replay(
            (ctx, in) -> ctx.callActivity("A", "1").await(),
            started(""),
            activityScheduled(2, "A", "1"),
            activityCompleted(3, 2, "a"),
            activityScheduled(4, "B", "2"),
            childScheduled(5, "Ship", "sub::5", "3"),
            subscribed(6, "go"),
            queueSubscribed(7, "inbox"),
            activityScheduled(8, "C", "4"),
            activityCompleted(9, 8, "c"),
            subscribed(10, "given up"),
            event(11, 10, new EventKind.ExternalSubscribedCancelled("orchestration_terminal")));

    assertThat(result.outcome()).isEqualTo(completed("a"));
    nothingNew(result);
    assertThat(result.outstanding())
        .isEqualTo(
            new Outstanding(
                List.of(4L),
                List.of(new ChildRef(5, "order-7::sub::5")),
                List.of(6L),
                List.of(7L)));
  }

  private static final Event STATUS = event(2, new EventKind.CustomStatusUpdated("busy"));

  @Test
  @DisplayName("RE-092 a status recorded where another action is emitted is a mismatch")
  void statusMismatch() {
    refused(
        activity("A", "1", options()),
        "custom status mismatch: event 2 recorded a custom status update, the code now asks for"
            + " activity 'A'",
        started(""),
        STATUS);
  }

  @Test
  @DisplayName("RE-092 a status recorded where nothing is emitted is a mismatch")
  void statusNotEmitted() {
    refused(
        activity("A", "1", options()),
        "custom status mismatch: event 3",
        started(""),
        activityScheduled(2, "A", "1"),
        event(3, new EventKind.CustomStatusUpdated("busy")));
  }

  @Test
  @DisplayName("RE-092 an action recorded where a status is emitted is a mismatch")
  void statusInstead() {
    refused(
        (ctx, in) -> {
          ctx.setCustomStatus("busy");
          return ctx.callActivity("A", "1").await();
        },
        "schedule mismatch: event 2",
        started(""),
        activityScheduled(2, "A", "1"));
  }

  @Test
  @DisplayName("RE-092 a different status text, or a reset instead, is accepted")
  void otherStatusText() {
    Event next = activityScheduled(3, "A", "1");
    OrchestrationCode otherText =
        (ctx, in) -> {
          ctx.setCustomStatus("other");
          return ctx.callActivity("A", "1").await();
        };
    OrchestrationCode reset =
        (ctx, in) -> {
          ctx.resetCustomStatus();
          return ctx.callActivity("A", "1").await();
        };

    stillWaiting(Engine.replay(otherText, started(""), STATUS, next));
    stillWaiting(Engine.replay(reset, started(""), STATUS, next));
  }
}
