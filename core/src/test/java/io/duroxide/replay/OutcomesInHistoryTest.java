package io.duroxide.replay;

import static io.duroxide.replay.Facts.NOON;
import static io.duroxide.replay.Facts.activityCompleted;
import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.activityFailed;
import static io.duroxide.replay.Facts.activityScheduled;
import static io.duroxide.replay.Facts.cancel;
import static io.duroxide.replay.Facts.childCompleted;
import static io.duroxide.replay.Facts.childDone;
import static io.duroxide.replay.Facts.childFailed;
import static io.duroxide.replay.Facts.childScheduled;
import static io.duroxide.replay.Facts.event;
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
import static io.duroxide.replay.Verdicts.CONTINUE;
import static io.duroxide.replay.Verdicts.onlyCompleted;
import static io.duroxide.replay.Verdicts.stillWaiting;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ActivityFailedException;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.SubOrchestrationFailedException;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.Retention;
import io.duroxide.model.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class OutcomesInHistoryTest {
  static final OrchestrationCode ACTIVITY = (ctx, in) -> ctx.callActivity("Charge", in).await();
  static final OrchestrationCode TIMER =
      (ctx, in) -> ctx.timer(Duration.ofSeconds(5)).await().toString();
  static final OrchestrationCode WAIT = (ctx, in) -> ctx.waitForEvent("approval").await();
  static final OrchestrationCode DEQUEUE = (ctx, in) -> ctx.dequeueEvent("inbox").await();
  static final OrchestrationCode CHILD =
      (ctx, in) -> ctx.callOrchestration("Ship", in, ChildOptions.defaults()).await();

  @Test
  @DisplayName("RE-020 an activity completed in history lets the await return")
  void activity() {
    onlyCompleted(
        Engine.replay(
            ACTIVITY,
            started("7"),
            activityScheduled(2, "Charge", "7"),
            activityCompleted(3, 2, "ok")),
        "ok");
  }

  @Test
  @DisplayName("RE-021 an activity failed in history throws its display text")
  void failedActivity() {
    OrchestrationCode code =
        (ctx, in) -> {
          try {
            return ctx.callActivity("Charge", in).await();
          } catch (ActivityFailedException e) {
            return e.task() + ": " + e.getMessage();
          }
        };

    onlyCompleted(
        Engine.replay(
            code,
            started("7"),
            activityScheduled(2, "Charge", "7"),
            activityFailed(3, 2, "card refused")),
        "Charge: card refused");
  }

  @Test
  @DisplayName("RE-022 a timer that fired in history lets the await return")
  void timer() {
    onlyCompleted(
        Engine.replay(TIMER, started("7"), timerCreated(2, NOON), timerFired(3, 2)),
        NOON.toString());
  }

  @Test
  @DisplayName("RE-023 a positional event in history lets the wait return its data")
  void positionalEvent() {
    onlyCompleted(
        Engine.replay(
            WAIT, started("7"), subscribed(2, "approval"), externalEvent(3, "approval", "yes")),
        "yes");
  }

  @Test
  @DisplayName("RE-024 a child completed in history lets the await return its result")
  void child() {
    onlyCompleted(
        Engine.replay(
            CHILD,
            started("7"),
            childScheduled(2, "Ship", "sub::2", "7"),
            childCompleted(3, 2, "shipped")),
        "shipped");
  }

  @Test
  @DisplayName("RE-025 a child failed in history throws its error")
  void failedChild() {
    OrchestrationCode code =
        (ctx, in) -> {
          try {
            return ctx.callOrchestration("Ship", in, ChildOptions.defaults()).await();
          } catch (SubOrchestrationFailedException e) {
            return e.task() + ": " + e.getMessage();
          }
        };

    onlyCompleted(
        Engine.replay(
            code,
            started("7"),
            childScheduled(2, "Ship", "sub::2", "7"),
            childFailed(
                3,
                2,
                new ErrorDetails.Application(
                    ApplicationErrorKind.ORCHESTRATION_FAILED, "no truck"))),
        "Ship: no truck");
  }

  @Test
  @DisplayName("RE-026 a queue message recorded before the subscription resolves the dequeue")
  void earlyMessage() {
    onlyCompleted(
        Engine.replay(
            DEQUEUE, started("7"), queueDelivered(2, "inbox", "hi"), queueSubscribed(3, "inbox")),
        "hi");
  }

  static Stream<Arguments> openSchedules() {
    return Stream.of(
        Arguments.of("activity", ACTIVITY, activityScheduled(2, "Charge", "7")),
        Arguments.of("timer", TIMER, timerCreated(2, NOON)),
        Arguments.of("wait", WAIT, subscribed(2, "approval")),
        Arguments.of("dequeue", DEQUEUE, queueSubscribed(2, "inbox")),
        Arguments.of("child", CHILD, childScheduled(2, "Ship", "sub::2", "7")));
  }

  @ParameterizedTest(name = "RE-027 an open {0} keeps the turn waiting", quoteTextArguments = false)
  @MethodSource("openSchedules")
  @DisplayName("RE-027 what is scheduled but open keeps the turn waiting, with nothing new")
  void open(String what, OrchestrationCode code, Event scheduled) {
    stillWaiting(Engine.replay(code, started("7"), scheduled));
  }

  /** Uses every kind of action; ids 2 to 18 are its schedules, 20 to 23 its decisions. */
  private static final OrchestrationCode EVERYTHING =
      (ctx, in) -> {
        ctx.setCustomStatus("busy");
        ctx.kv().putText("key", "value");
        ctx.kv().clear("key");
        ctx.kv().clearAll();
        ctx.startDetached("Audit", in, ChildOptions.instanceId("audit-7"));
        List<DurableFuture<?>> wanted =
            List.of(
                ctx.callActivity("Charge", "1"),
                ctx.callActivity("Refuse", "2"),
                ctx.callOrchestration("Ship", "3", ChildOptions.defaults()),
                ctx.callOrchestration("Sink", "4", ChildOptions.instanceId("sink-7")),
                ctx.timer(Duration.ofSeconds(5)),
                ctx.waitForEvent("approval"),
                ctx.dequeueEvent("inbox"));
        ctx.callActivity("Slow", "").cancel();
        ctx.callOrchestration("Slow", "", ChildOptions.defaults()).cancel();
        ctx.waitForEvent("never").cancel();
        ctx.dequeueEvent("nowhere").cancel();
        ctx.pruneHistory(Retention.keepLast(1));
        ctx.join(wanted);
        return ctx.callActivity("Last", "").await();
      };

  private static final List<WorkItem> WHAT_ARRIVES =
      List.of(
          activityDone(7, "ok"),
          activityFailed(8, failure("card refused")),
          childDone(9, "shipped"),
          childFailed(10, failure("sunk")),
          timerDue(11),
          raised("approval", "yes"),
          raised("approval", "surplus"),
          queued("nowhere", "nobody reads this"),
          queued("inbox", "hi"));

  @Test
  @DisplayName("RE-028 replaying a committed history of any kinds of events emits nothing")
  void replayEmitsNothing() {
    Engine engine = Engine.of(EVERYTHING).started("7");
    Set<Class<?>> covered = new HashSet<>();
    engine.turn();
    for (WorkItem message : WHAT_ARRIVES) {
      stillWaiting(Engine.replay(EVERYTHING, recorded(engine)));
      assertThat(engine.turn(message).outcome()).isEqualTo(CONTINUE);
    }
    stillWaiting(Engine.replay(EVERYTHING, recorded(engine)));

    engine.turn(cancel("stop"));
    for (EventKind end : ends()) {
      List<Event> ended = new ArrayList<>(engine.recorded());
      ended.add(event(1000, end));
      stillWaiting(Engine.replay(EVERYTHING, ended.toArray(Event[]::new)));
      ended.forEach(e -> covered.add(e.kind().getClass()));
    }
    assertThat(covered).isEqualTo(leaves(EventKind.class));
  }

  private static Event[] recorded(Engine engine) {
    return engine.recorded().toArray(Event[]::new);
  }

  private static List<EventKind> ends() {
    return List.of(
        new EventKind.OrchestrationCompleted("out"),
        new EventKind.OrchestrationFailed(failure("no")),
        new EventKind.OrchestrationContinuedAsNew("next"));
  }

  private static Set<Class<?>> leaves(Class<?> type) {
    if (!type.isSealed()) {
      return Set.of(type);
    }
    Set<Class<?>> all = new HashSet<>();
    for (Class<?> part : type.getPermittedSubclasses()) {
      all.addAll(leaves(part));
    }
    return all;
  }
}
