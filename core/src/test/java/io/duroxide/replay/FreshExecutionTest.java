package io.duroxide.replay;

import static io.duroxide.api.ActivityOptions.options;
import static io.duroxide.replay.Facts.NOON;
import static io.duroxide.replay.Facts.activityScheduled;
import static io.duroxide.replay.Facts.childScheduled;
import static io.duroxide.replay.Facts.event;
import static io.duroxide.replay.Facts.queueSubscribed;
import static io.duroxide.replay.Facts.subscribed;
import static io.duroxide.replay.Facts.timerCreated;
import static io.duroxide.replay.Verdicts.CONTINUE;
import static io.duroxide.replay.Verdicts.completed;
import static io.duroxide.replay.Verdicts.nothingNew;
import static io.duroxide.replay.Verdicts.onlyCompleted;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ActivityOptions;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.ContinueOptions;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.KvEntry;
import io.duroxide.model.Thrown;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class FreshExecutionTest {
  private static final Duration FIVE_SECONDS = Duration.ofSeconds(5);
  private static final Instant SOON = NOON.plus(FIVE_SECONDS);

  /** The turn waits after exactly this one action and its event. */
  private static void waitsFor(TurnResult result, Action action, String child, Event event) {
    assertThat(result.outcome()).isEqualTo(CONTINUE);
    assertThat(result.actions()).containsExactly(new NewAction(2, action, child));
    assertThat(result.delta()).containsExactly(event);
    assertThat(result.abandoned()).isEqualTo(Abandoned.NOTHING);
    assertThat(result.outstanding()).isEqualTo(Outstanding.NOTHING);
  }

  @Test
  @DisplayName("RE-001 a handler that returns at once completes without actions or events")
  void returnsAtOnce() {
    onlyCompleted(Engine.fresh((ctx, in) -> "out:" + in), "out:in");
  }

  @Test
  @DisplayName("RE-002 a handler that fails at once fails the orchestration without actions")
  void failsAtOnce() {
    TurnResult result =
        Engine.fresh((ctx, in) -> {
          throw new OrchestrationFailure("no");
        });

    assertThat(result.outcome())
        .isEqualTo(
            Verdicts.failed(
                new ErrorDetails.Application(
                    ApplicationErrorKind.ORCHESTRATION_FAILED,
                    "no",
                    false,
                    new Thrown(OrchestrationFailure.class.getName(), null))));
    nothingNew(result);
  }

  @Test
  @DisplayName("RE-003 an awaited activity suspends the turn with one schedule")
  void awaitedActivity() {
    waitsFor(
        Engine.fresh((ctx, in) -> ctx.callActivity("Charge", "7").await()),
        new Action.CallActivity("Charge", "7", ActivityRouting.ANYWHERE),
        null,
        activityScheduled(2, "Charge", "7"));
  }

  @Test
  @DisplayName("RE-004 an awaited timer is created with a fire time in the future")
  void awaitedTimer() {
    waitsFor(
        Engine.fresh((ctx, in) -> ctx.timer(FIVE_SECONDS).await().toString()),
        new Action.CreateTimer(SOON),
        null,
        timerCreated(2, SOON));
  }

  @Test
  @DisplayName("RE-005 an awaited positional wait subscribes to its name")
  void awaitedWait() {
    waitsFor(
        Engine.fresh((ctx, in) -> ctx.waitForEvent("approval").await()),
        new Action.WaitExternal("approval"),
        null,
        subscribed(2, "approval"));
  }

  @Test
  @DisplayName("RE-006 an awaited dequeue without messages subscribes to its queue")
  void awaitedDequeue() {
    waitsFor(
        Engine.fresh((ctx, in) -> ctx.dequeueEvent("inbox").await()),
        new Action.DequeueEvent("inbox"),
        null,
        queueSubscribed(2, "inbox"));
  }

  @Test
  @DisplayName("RE-007 an awaited sub-orchestration is scheduled")
  void awaitedChild() {
    waitsFor(
        Engine.fresh(
            (ctx, in) -> ctx.callOrchestration("Ship", "7", ChildOptions.version("2.0.0")).await()),
        new Action.StartSubOrchestration("Ship", "7", "2.0.0", null),
        "order-7::sub::2",
        childScheduled(2, "Ship", "sub::2", "7"));
  }

  @Test
  @DisplayName("RE-008 continue-as-new carries the input")
  void continuesAsNew() {
    TurnResult result = Engine.fresh((ctx, in) -> ctx.continueAsNew("next"));

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.ContinueAsNew("next", null, null));
    nothingNew(result);
  }

  @Test
  @DisplayName("RE-008 continue-as-new with a version carries input and version")
  void continuesAsNewWithVersion() {
    TurnResult result =
        Engine.fresh((ctx, in) -> ctx.continueAsNew("next", ContinueOptions.version("2.0.0")));

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.ContinueAsNew("next", "2.0.0", null));
    nothingNew(result);
  }

  @Test
  @DisplayName("RE-009 a child scheduled before continue-as-new is recorded in the same turn")
  void childThenContinueAsNew() {
    TurnResult result =
        Engine.fresh((ctx, in) -> {
          ctx.callOrchestration("Ship", "7", ChildOptions.defaults());
          return ctx.continueAsNew("next");
        });

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.ContinueAsNew("next", null, null));
    assertThat(result.actions())
        .containsExactly(
            new NewAction(
                2, new Action.StartSubOrchestration("Ship", "7", null, null), "order-7::sub::2"));
    assertThat(result.delta()).containsExactly(childScheduled(2, "Ship", "sub::2", "7"));
    assertThat(result.outstanding().children()).containsExactly(new ChildRef(2, "order-7::sub::2"));
  }

  @Test
  @DisplayName("RE-010 three activities nobody awaited are recorded and outstanding at the return")
  void unawaitedActivities() {
    TurnResult result =
        Engine.fresh((ctx, in) -> {
          ctx.callActivity("A", "1");
          ctx.callActivity("B", "2");
          ctx.callActivity("C", "3");
          return "done";
        });

    assertThat(result.outcome()).isEqualTo(completed("done"));
    assertThat(result.delta())
        .containsExactly(
            activityScheduled(2, "A", "1"),
            activityScheduled(3, "B", "2"),
            activityScheduled(4, "C", "3"));
    assertThat(result.actions()).extracting(NewAction::eventId).containsExactly(2L, 3L, 4L);
    assertThat(result.outstanding())
        .isEqualTo(new Outstanding(List.of(2L, 3L, 4L), List.of(), List.of(), List.of()));
    assertThat(result.abandoned()).isEqualTo(Abandoned.NOTHING);
  }

  @Test
  @DisplayName("RE-011 a detached start before the return is recorded with name, id and input")
  void detachedStart() {
    TurnResult result =
        Engine.fresh((ctx, in) -> {
          ctx.startDetached("Audit", "7", ChildOptions.instanceId("audit-7"));
          return "done";
        });

    assertThat(result.outcome()).isEqualTo(completed("done"));
    assertThat(result.delta())
        .containsExactly(event(2, new EventKind.OrchestrationChained("Audit", "audit-7", "7")));
    assertThat(result.actions())
        .containsExactly(
            new NewAction(
                2, new Action.StartOrchestrationDetached("Audit", "7", null, "audit-7"), null));
    assertThat(result.outstanding()).isEqualTo(Outstanding.NOTHING);
  }

  @Test
  @DisplayName("RE-012 every kind of action yields its own event, in call order")
  void everyKindOfAction() {
    TurnResult result =
        Engine.fresh((ctx, in) -> {
          ctx.kv().clearAll();
          ctx.callActivity("Charge", "1");
          ctx.setCustomStatus("busy");
          ctx.timer(FIVE_SECONDS);
          ctx.kv().putText("key", "value");
          ctx.waitForEvent("approval");
          ctx.startDetached("Audit", "2", ChildOptions.instanceId("audit-7"));
          ctx.dequeueEvent("inbox");
          ctx.kv().clear("key");
          ctx.resetCustomStatus();
          return ctx.callOrchestration("Ship", "3", ChildOptions.defaults()).await();
        });

    assertThat(result.outcome()).isEqualTo(CONTINUE);
    assertThat(result.delta())
        .containsExactly(
            event(2, new EventKind.KeyValuesCleared()),
            activityScheduled(3, "Charge", "1"),
            event(4, new EventKind.CustomStatusUpdated("busy")),
            timerCreated(5, SOON),
            event(6, new EventKind.KeyValueSet("key", "value", NOON)),
            subscribed(7, "approval"),
            event(8, new EventKind.OrchestrationChained("Audit", "audit-7", "2")),
            queueSubscribed(9, "inbox"),
            event(10, new EventKind.KeyValueCleared("key")),
            event(11, new EventKind.CustomStatusUpdated(null)),
            childScheduled(12, "Ship", "sub::12", "3"));
    assertThat(result.actions())
        .extracting(NewAction::action)
        .containsExactly(
            new Action.ClearKeyValues(),
            new Action.CallActivity("Charge", "1", ActivityRouting.ANYWHERE),
            new Action.UpdateCustomStatus("busy"),
            new Action.CreateTimer(SOON),
            new Action.SetKeyValue("key", "value", NOON),
            new Action.WaitExternal("approval"),
            new Action.StartOrchestrationDetached("Audit", "2", null, "audit-7"),
            new Action.DequeueEvent("inbox"),
            new Action.ClearKeyValue("key"),
            new Action.UpdateCustomStatus(null),
            new Action.StartSubOrchestration("Ship", "3", null, null));
  }

  private static void routed(ActivityOptions options, String session, String tag) {
    waitsFor(
        Engine.fresh((ctx, in) -> ctx.callActivity("Charge", "7", options).await()),
        new Action.CallActivity("Charge", "7", new ActivityRouting(session, tag)),
        null,
        event(2, new EventKind.ActivityScheduled("Charge", "7", session, tag)));
  }

  @Test
  @DisplayName("RE-013 the session of an activity is in event and action")
  void session() {
    routed(options().session("s1"), "s1", null);
  }

  @Test
  @DisplayName("RE-014 the tag of an activity is in event and action")
  void tag() {
    routed(options().tag("gpu"), null, "gpu");
  }

  @Test
  @DisplayName("RE-014 without a tag there is none in event and action")
  void noTag() {
    routed(options(), null, null);
  }

  @Test
  @DisplayName("RE-014 session and tag combine in either order")
  void sessionAndTag() {
    routed(options().session("s1").tag("gpu"), "s1", "gpu");
    routed(options().tag("gpu").session("s1"), "s1", "gpu");
  }

  @Test
  @DisplayName("RE-015 reads, logging, isReplaying and identity emit nothing")
  void readsEmitNothing() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.log().info("seen once");
          return String.join(
              " ",
              ctx.instanceId(),
              Long.toString(ctx.executionId()),
              ctx.orchestrationName(),
              ctx.orchestrationVersion(),
              Boolean.toString(ctx.isReplaying()),
              ctx.customStatus().orElse("-"),
              ctx.kv().getText("key").orElse("-"),
              ctx.kv().getText("other").orElse("-"),
              ctx.kv().all().toString(),
              ctx.kv().keys().toString(),
              Integer.toString(ctx.kv().size()));
        };

    onlyCompleted(
        Engine.of(code).started("in").kv(Map.of("key", new KvEntry("value", NOON))).turn(),
        "order-7 1 Order 1.0.0 false - value - {key=value} [key] 1");
  }
}
