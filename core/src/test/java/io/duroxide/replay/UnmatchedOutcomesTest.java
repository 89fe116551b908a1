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
import static io.duroxide.replay.Facts.event;
import static io.duroxide.replay.Facts.externalEvent;
import static io.duroxide.replay.Facts.failure;
import static io.duroxide.replay.Facts.raised;
import static io.duroxide.replay.Facts.started;
import static io.duroxide.replay.Facts.timerCreated;
import static io.duroxide.replay.Facts.timerDue;
import static io.duroxide.replay.Facts.timerFired;
import static io.duroxide.replay.Turns.batch;
import static io.duroxide.replay.Verdicts.nondeterministic;
import static io.duroxide.replay.Verdicts.refused;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ChildOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.model.ConfigurationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Outcomes, arriving or recorded, that fit no open schedule. */
class UnmatchedOutcomesTest {
  /** Schedules 2: activity, 3: timer, 4: child, and waits for all of them. */
  private static final OrchestrationCode THREE_KINDS =
      (ctx, in) -> {
        List<DurableFuture<?>> all =
            List.of(
                ctx.callActivity("A", "1"),
                ctx.timer(Duration.ofSeconds(5)),
                ctx.callOrchestration("Ship", "2", ChildOptions.defaults()));
        return ctx.join(all).toString();
      };

  private static final List<Event> THREE_OPEN =
      List.of(
          started(""),
          activityScheduled(2, "A", "1"),
          timerCreated(3, NOON),
          childScheduled(4, "Ship", "sub::4", "2"));

  private static Event[] threeOpen(Event... more) {
    List<Event> all = new ArrayList<>(THREE_OPEN);
    all.addAll(List.of(more));
    return all.toArray(Event[]::new);
  }

  static Stream<Arguments> unknown() {
    return Stream.of(
        Arguments.of("activity", activityDone(99, "a"), "completion id=99"),
        Arguments.of("failed activity", activityFailed(99, failure("no")), "completion id=99"),
        Arguments.of("timer", timerDue(99), "timer id=99"),
        Arguments.of("child", childDone(99, "c"), "sub-orchestration id=99"),
        Arguments.of("failed child", childFailed(99, failure("no")), "sub-orchestration id=99"),
        Arguments.of("id of no schedule", activityDone(1, "a"), "completion id=1"));
  }

  @ParameterizedTest(name = "RE-085 {0}: no matching schedule for {2}", quoteTextArguments = false)
  @MethodSource("unknown")
  @DisplayName("RE-085 an outcome message for an unknown id fails and names the id")
  void unknownId(String what, WorkItem message, String words) {
    TurnResult result = Turns.last(THREE_KINDS, batch(), batch(message));

    nondeterministic(result, "no matching schedule for " + words);
    assertThat(result.delta()).isEmpty();
    assertThat(result.outstanding())
        .isEqualTo(
            new Outstanding(
                List.of(2L), List.of(new ChildRef(4, "order-7::sub::4")), List.of(), List.of()));
  }

  @Test
  @DisplayName("RE-085 what arrives around an unknown outcome is still recorded, the code not run")
  void unknownIdAmongOthers() {
    AtomicInteger runs = new AtomicInteger();
    OrchestrationCode code =
        (ctx, in) -> {
          runs.incrementAndGet();
          return THREE_KINDS.run(ctx, in);
        };

    TurnResult result =
        Engine.of(code)
            .history(threeOpen())
            .turn(timerDue(3), activityDone(99, "a"), raised("go", "now"));

    nondeterministic(result, "no matching schedule for completion id=99");
    assertThat(result.delta()).containsExactly(timerFired(5, 3), externalEvent(6, "go", "now"));
    assertThat(runs).hasValue(0);
  }

  static Stream<Arguments> wrongKindMessages() {
    String child = "sub-orchestration";
    return Stream.of(
        Arguments.of("activity completed", activityDone(3, "a"), 3, "activity", "timer"),
        Arguments.of("activity failed", activityFailed(3, failure("no")), 3, "activity", "timer"),
        Arguments.of("activity completed", activityDone(4, "a"), 4, "activity", child),
        Arguments.of("activity failed", activityFailed(4, failure("no")), 4, "activity", child),
        Arguments.of("timer fired", timerDue(2), 2, "timer", "activity"),
        Arguments.of("timer fired", timerDue(4), 4, "timer", child),
        Arguments.of("child completed", childDone(2, "c"), 2, child, "activity"),
        Arguments.of("child failed", childFailed(2, failure("no")), 2, child, "activity"),
        Arguments.of("child completed", childDone(3, "c"), 3, child, "timer"),
        Arguments.of("child failed", childFailed(3, failure("no")), 3, child, "timer"));
  }

  @ParameterizedTest(name = "RE-086 {0}, but id={2} is a {4}", quoteTextArguments = false)
  @MethodSource("wrongKindMessages")
  @DisplayName("RE-086 an outcome message of the wrong kind fails and names both kinds")
  void wrongKindMessage(String what, WorkItem message, int id, String completed, String scheduled) {
    TurnResult result = Turns.last(THREE_KINDS, batch(), batch(message));

    nondeterministic(result, "completion kind mismatch for id=" + id, completed, scheduled);
    assertThat(result.delta()).isEmpty();
  }

  static Stream<Arguments> completionFirst() {
    return Stream.of(
        Arguments.of(
            "ActivityCompleted", activityCompleted(2, 3, "a"), activityScheduled(3, "A", "1")),
        Arguments.of("ActivityFailed", activityFailed(2, 3, "no"), activityScheduled(3, "A", "1")),
        Arguments.of("TimerFired", timerFired(2, 3), timerCreated(3, NOON)),
        Arguments.of(
            "SubOrchestrationCompleted",
            childCompleted(2, 3, "c"),
            childScheduled(3, "Ship", "sub::3", "2")),
        Arguments.of(
            "SubOrchestrationFailed",
            childFailed(2, 3, failure("no")),
            childScheduled(3, "Ship", "sub::3", "2")));
  }

  @ParameterizedTest(name = "RE-087 {0} before its schedule", quoteTextArguments = false)
  @MethodSource("completionFirst")
  @DisplayName("RE-087 a recorded completion before its schedule is refused")
  void completionBeforeSchedule(String what, Event completion, Event schedule) {
    OrchestrationCode code =
        switch (schedule.kind()) {
          case EventKind.ActivityScheduled a ->
              (ctx, in) -> ctx.callActivity(a.name(), a.input()).await();
          case EventKind.TimerCreated ignored -> (ctx, in) -> ctx.timer(Duration.ZERO).await() + "";
          default ->
              (ctx, in) -> ctx.callOrchestration("Ship", "2", ChildOptions.defaults()).await();
        };

    refused(
        code,
        "completion without open schedule: event 2 completes id=3",
        started(""),
        completion,
        schedule);
  }

  static Stream<Arguments> closed() {
    EventKind activityDone = new EventKind.ActivityCompleted("a");
    EventKind activityFailed = new EventKind.ActivityFailed(failure("no"));
    EventKind fired = new EventKind.TimerFired(NOON);
    EventKind childDone = new EventKind.SubOrchestrationCompleted("c");
    EventKind childFailed = new EventKind.SubOrchestrationFailed(failure("no"));
    return Stream.of(
            Arguments.of(2, activityDone, activityDone),
            Arguments.of(2, activityDone, activityFailed),
            Arguments.of(2, activityFailed, activityDone),
            Arguments.of(2, activityFailed, activityFailed),
            Arguments.of(3, fired, fired),
            Arguments.of(4, childDone, childDone),
            Arguments.of(4, childDone, childFailed),
            Arguments.of(4, childFailed, childDone),
            Arguments.of(4, childFailed, childFailed))
        .map(row -> Arguments.of(row.get()[0], kindNamed(row.get()[1]), kindNamed(row.get()[2])));
  }

  private static Named<Object> kindNamed(Object kind) {
    return Named.of(kind.getClass().getSimpleName(), kind);
  }

  @ParameterizedTest(name = "RE-088 {2} recorded after {1}", quoteTextArguments = false)
  @MethodSource("closed")
  @DisplayName("RE-088 a second recorded completion for a closed schedule is refused")
  void secondCompletion(int source, EventKind first, EventKind second) {
    refused(
        THREE_KINDS,
        "completion without open schedule: event 6 completes id=" + source,
        threeOpen(event(5, source, first), event(6, source, second)));
  }

  static Stream<Arguments> wrongKinds() {
    return Stream.of(
        Arguments.of("activity completion", "timer", activityCompleted(5, 3, "a")),
        Arguments.of("activity failure", "timer", activityFailed(5, 3, "no")),
        Arguments.of("activity completion", "child", activityCompleted(5, 4, "a")),
        Arguments.of("activity failure", "child", activityFailed(5, 4, "no")),
        Arguments.of("timer completion", "activity", timerFired(5, 2)),
        Arguments.of("timer completion", "child", timerFired(5, 4)),
        Arguments.of("child completion", "activity", childCompleted(5, 2, "c")),
        Arguments.of("child failure", "activity", childFailed(5, 2, failure("no"))),
        Arguments.of("child completion", "timer", childCompleted(5, 3, "c")),
        Arguments.of("child failure", "timer", childFailed(5, 3, failure("no"))));
  }

  @ParameterizedTest(name = "RE-089 {0} recorded for a {1}", quoteTextArguments = false)
  @MethodSource("wrongKinds")
  @DisplayName("RE-089 a recorded completion of another kind than its schedule is refused")
  void wrongKind(String completion, String schedule, Event recorded) {
    refused(
        THREE_KINDS,
        "completion kind mismatch: event 5 completes id=" + recorded.source(),
        threeOpen(recorded));
  }

  private static TurnResult openWith(Event... more) {
    return Engine.replay(THREE_KINDS, threeOpen(more));
  }

  static Stream<Arguments> everyCondition() {
    OrchestrationCode waits = (ctx, in) -> ctx.waitForEvent("go").await();
    return Stream.of(
        Arguments.of("ND-1", Turns.last(THREE_KINDS, batch(), batch(activityDone(99, "a")))),
        Arguments.of("ND-2", Turns.last(THREE_KINDS, batch(), batch(activityDone(3, "a")))),
        Arguments.of("ND-3", openWith(activityScheduled(5, "B", ""))),
        Arguments.of("ND-4", Engine.replay(waits, started(""), timerCreated(2, NOON))),
        Arguments.of("ND-5", openWith(event(5, new EventKind.OrchestrationChained("A", "a", "")))),
        Arguments.of("ND-6", openWith(event(5, new EventKind.CustomStatusUpdated("busy")))),
        Arguments.of("ND-6", openWith(event(5, new EventKind.KeyValueSet("k", "v", NOON)))),
        Arguments.of("ND-6", openWith(event(5, new EventKind.KeyValueCleared("k")))),
        Arguments.of("ND-6", openWith(event(5, new EventKind.KeyValuesCleared()))),
        Arguments.of("ND-7", openWith(activityCompleted(5, 99, "a"))),
        Arguments.of("ND-8", openWith(timerFired(5, 2))),
        Arguments.of(
            "ND-9", openWith(event(5, 2, new EventKind.ActivityCancelRequested("dropped_future")))),
        Arguments.of("ND-10", Engine.replay(waits)));
  }

  @ParameterizedTest(
      name = "RE-093 {0} is Configuration/Nondeterminism and not retryable",
      quoteTextArguments = false)
  @MethodSource("everyCondition")
  @DisplayName("RE-093 every nondeterminism is Configuration/Nondeterminism and not retryable")
  void everyNondeterminism(String condition, TurnResult result) {
    nondeterministic(result, "order-7/1: ");
    ErrorDetails.Configuration details = (ErrorDetails.Configuration) Verdicts.failure(result);
    assertThat(details)
        .isEqualTo(
            new ErrorDetails.Configuration(
                ConfigurationErrorKind.NONDETERMINISM, "Order", details.message()));
    assertThat(details.reachesCode()).isFalse();
  }
}
