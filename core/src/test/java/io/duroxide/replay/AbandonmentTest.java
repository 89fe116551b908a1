package io.duroxide.replay;

import static io.duroxide.replay.Decisions.DROPPED;
import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.childDone;
import static io.duroxide.replay.Facts.event;
import static io.duroxide.replay.Facts.queued;
import static io.duroxide.replay.Facts.raised;
import static io.duroxide.replay.Facts.timerDue;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ChildOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventKind.ActivityCancelRequested;
import io.duroxide.model.EventKind.ExternalSubscribedCancelled;
import io.duroxide.model.EventKind.QueueSubscriptionCancelled;
import io.duroxide.model.EventKind.SubOrchestrationCancelRequested;
import io.duroxide.replay.TurnOutcome.Completed;
import io.duroxide.replay.TurnOutcome.Continue;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AbandonmentTest {
  private static final Duration SOON = Duration.ofSeconds(5);
  private static final ChildOptions AUTO = ChildOptions.defaults();

  /** Activity 2 against timer 3, then a wait. */
  private static final OrchestrationCode RACE =
      (ctx, in) -> {
        ctx.select(ctx.callActivity("Slow", ""), ctx.timer(SOON));
        return ctx.waitForEvent("go").await();
      };

  @Test
  @DisplayName("RE-160 a timer wins over an activity: decision with source id, and one request")
  void timerWins() {
    Twin twin = Twin.started(RACE);
    twin.turn();

    TurnResult result = twin.turn(timerDue(3));

    assertThat(result.delta())
        .containsExactly(
            event(4, 3, new EventKind.TimerFired(Facts.NOON)),
            event(5, new EventKind.ExternalSubscribed("go")),
            event(6, 2, new ActivityCancelRequested(DROPPED)));
    assertThat(result.abandoned()).isEqualTo(new Abandoned(List.of(2L), List.of(), List.of()));
  }

  @Test
  @DisplayName("RE-161 an activity wins over a timer: no decision")
  void activityWins() {
    Twin twin = Twin.started(RACE);
    twin.turn();

    TurnResult result = twin.turn(activityDone(2, "ok"));

    assertThat(Engine.kinds(result))
        .containsExactly(
            new EventKind.ActivityCompleted("ok"), new EventKind.ExternalSubscribed("go"));
    assertThat(result.abandoned()).isEqualTo(new Abandoned(List.of(), List.of(), List.of(3L)));
  }

  @Test
  @DisplayName("RE-162 both losers of a three-way select are given up")
  void twoLosers() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.select(ctx.callActivity("A", ""), ctx.callActivity("B", ""), ctx.timer(SOON));
          return ctx.waitForEvent("go").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();

    assertThat(twin.turn(timerDue(4)).abandoned().activities()).containsExactly(2L, 3L);
  }

  @Test
  @DisplayName(
      "RE-163 cancels before anything else runs: timers record nothing, waits and dequeues only a"
          + " decision")
  void explicitCancels() {
    OrchestrationCode code =
        (ctx, in) -> {
          for (DurableFuture<?> future :
              List.of(
                  ctx.dequeueEvent("q"),
                  ctx.waitForEvent("w"),
                  ctx.timer(SOON),
                  ctx.callActivity("A", ""),
                  ctx.callActivity("B", ""))) {
            future.cancel();
          }
          return ctx.waitForEvent("go").await();
        };
    TurnResult result = Twin.started(code).turn();

    assertThat(result.outcome()).isEqualTo(new Continue());
    assertThat(result.delta().subList(6, result.delta().size()))
        .containsExactly(
            event(8, 5, new ActivityCancelRequested(DROPPED)),
            event(9, 6, new ActivityCancelRequested(DROPPED)),
            event(10, 3, new ExternalSubscribedCancelled(DROPPED)),
            event(11, 2, new QueueSubscriptionCancelled(DROPPED)));
    assertThat(result.abandoned())
        .isEqualTo(new Abandoned(List.of(5L, 6L), List.of(), List.of(4L)));
  }

  @ParameterizedTest(name = "RE-164 a child cancelled, explicit id: {0}, as select loser: {1}")
  @CsvSource({"false, false", "false, true", "true, false", "true, true"})
  void childCancelled(boolean explicit, boolean loser) {
    ChildOptions options = explicit ? ChildOptions.instanceId("invoice-7") : AUTO;
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<String> child = ctx.callOrchestration("Invoice", "", options);
          DurableFuture<?> timer = ctx.timer(SOON);
          if (loser) {
            ctx.select(List.of(child, timer));
          } else {
            timer.await();
            child.cancel();
          }
          return ctx.waitForEvent("go").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();

    TurnResult result = twin.turn(timerDue(3));

    String id = explicit ? "invoice-7" : "order-7::sub::2";
    assertThat(result.abandoned())
        .isEqualTo(new Abandoned(List.of(), List.of(new ChildRef(2, id)), List.of()));
    assertThat(result.delta()).contains(event(6, 2, new SubOrchestrationCancelRequested(DROPPED)));
  }

  @Test
  @DisplayName(
      "RE-165 what is complete is never requested to stop, neither dropped nor outstanding")
  void completedIsNeverRequested() {
    OrchestrationCode code =
        (ctx, in) -> {
          var activity = ctx.callActivity("A", "");
          var child = ctx.callOrchestration("C", "", AUTO);
          ctx.waitForEvent("go").await();
          activity.cancel();
          child.cancel();
          return ctx.waitForEvent("end").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    twin.turn(activityDone(2, ""), childDone(3, ""));
    TurnResult cancelled = twin.turn(raised("go", ""));
    assertThat(cancelled.abandoned()).isEqualTo(Abandoned.NOTHING);
    assertThat(Engine.kinds(cancelled)).noneMatch(EventKind.Decision.class::isInstance);

    assertThat(twin.turn(raised("end", "")).outstanding()).isEqualTo(Outstanding.NOTHING);
  }

  @Test
  @DisplayName("RE-165 outcomes behind the message that ends the code are no open work")
  void outcomesBehindTheEndAreComplete() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.callActivity("A", "");
          ctx.callOrchestration("C", "", AUTO);
          ctx.callActivity("Open", "");
          return ctx.waitForEvent("end").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();

    TurnResult result = twin.turn(raised("end", "x"), activityDone(2, ""), childDone(3, ""));

    assertThat(result.outcome()).isEqualTo(new Completed("x"));
    assertThat(result.outstanding())
        .isEqualTo(new Outstanding(List.of(4L), List.of(), List.of(), List.of()));
  }

  @Test
  @DisplayName("RE-166 suspending with pending futures decides nothing")
  void suspensionDecidesNothing() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.callActivity("A", "");
          ctx.callOrchestration("C", "", AUTO);
          ctx.dequeueEvent("q");
          ctx.async(b -> b.callActivity("B", "").await());
          return ctx.waitForEvent("go").await();
        };
    Twin twin = Twin.started(code);

    for (TurnResult result : List.of(twin.turn(), twin.turn(activityDone(2, "")), twin.turn())) {
      assertThat(result.outcome()).isEqualTo(new Continue());
      assertThat(result.abandoned()).isEqualTo(Abandoned.NOTHING);
      assertThat(result.outstanding()).isEqualTo(Outstanding.NOTHING);
      assertThat(Engine.kinds(result)).noneMatch(EventKind.Decision.class::isInstance);
    }
  }

  @Test
  @DisplayName("RE-167 cancel and suspend in the same turn: the decision is made")
  void cancelThenSuspend() {
    OrchestrationCode code =
        (ctx, in) -> {
          var slow = ctx.callActivity("Slow", "");
          ctx.callActivity("Quick", "").await();
          slow.cancel();
          return ctx.waitForEvent("go").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();

    TurnResult result = twin.turn(activityDone(3, ""));

    assertThat(result.outcome()).isEqualTo(new Continue());
    assertThat(result.delta()).endsWith(event(6, 2, new ActivityCancelRequested(DROPPED)));
    assertThat(result.abandoned().activities()).containsExactly(2L);
  }

  @Test
  @DisplayName("RE-168 scheduled in one turn and given up in the next: each signal exactly once")
  void eachSignalOnce() {
    Twin twin = Twin.started(RACE);
    TurnResult first = twin.turn();
    TurnResult second = twin.turn(timerDue(3));
    TurnResult third = twin.turn(activityDone(2, "late"));
    TurnResult last = twin.turn(raised("go", "on"));

    assertThat(first.actions()).extracting(NewAction::eventId).containsExactly(2L, 3L);
    assertThat(second.abandoned().activities()).containsExactly(2L);
    assertThat(third.abandoned()).isEqualTo(Abandoned.NOTHING);
    assertThat(third.delta()).containsExactly(event(7, 2, new EventKind.ActivityCompleted("late")));
    assertThat(last.outcome()).isEqualTo(new Completed("on"));
    assertThat(twin.recorded()).filteredOn(e -> e.kind() instanceof EventKind.Decision).hasSize(1);
  }

  @Test
  @DisplayName("RE-174 a future cancelled after it completed: nothing, whatever its kind")
  void cancelledAfterCompletion() {
    OrchestrationCode code =
        (ctx, in) -> {
          var wait = ctx.waitForEvent("w");
          var message = ctx.dequeueEvent("q");
          message.await();
          message.cancel();
          wait.cancel();
          return wait.await() + message.await();
        };
    Twin twin = Twin.started(code);
    twin.turn();

    TurnResult result = twin.turn(raised("w", "e"), queued("q", "m"));

    assertThat(result.outcome()).isEqualTo(new Completed("em"));
    assertThat(result.delta()).hasSize(2);
    assertThat(result.abandoned()).isEqualTo(Abandoned.NOTHING);
  }

  @Test
  @DisplayName(
      "RE-175 scheduled and given up in one turn: schedule and decision are recorded, action and"
          + " request name the same id")
  void scheduledAndGivenUp() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.callActivity("A", "").cancel();
          ctx.callOrchestration("C", "", AUTO).cancel();
          return ctx.waitForEvent("go").await();
        };
    TurnResult result = Twin.started(code).turn();

    assertThat(Engine.kinds(result))
        .containsExactly(
            new EventKind.ActivityScheduled("A", "", null, null),
            new EventKind.SubOrchestrationScheduled("C", "sub::3", ""),
            new EventKind.ExternalSubscribed("go"),
            new ActivityCancelRequested(DROPPED),
            new SubOrchestrationCancelRequested(DROPPED));
    assertThat(result.actions()).extracting(NewAction::eventId).containsExactly(2L, 3L, 4L);
    assertThat(result.abandoned())
        .isEqualTo(
            new Abandoned(List.of(2L), List.of(new ChildRef(3, "order-7::sub::3")), List.of()));
  }

  @ParameterizedTest(name = "RE-176 code that acts while a parked evaluation is unwound, in {0}")
  @ValueSource(strings = {"finally", "catch"})
  void actionsWhileUnwound(String where) {
    OrchestrationCode code =
        (ctx, in) -> {
          var slow = ctx.callActivity("Slow", "");
          try {
            return ctx.waitForEvent("go").await();
          } catch (Error e) {
            if (where.equals("catch")) {
              slow.cancel();
              ctx.callActivity("Ghost", "");
              ctx.setCustomStatus("ghost");
            }
            throw e;
          } finally {
            if (where.equals("finally") && !slow.isDone()) {
              slow.cancel();
              ctx.kv().putText("ghost", "1");
            }
          }
        };
    Engine engine = Engine.of(code).started("in").rebuildEachTurn();
    engine.turn();

    TurnResult result = engine.turn();

    assertThat(result.delta()).isEmpty();
    assertThat(result.abandoned()).isEqualTo(Abandoned.NOTHING);
    TurnResult done = engine.turn(activityDone(2, ""), raised("go", "on"));
    assertThat(done.outcome()).isEqualTo(new Completed("on"));
    assertThat(done.delta()).hasSize(2);
  }

  @Test
  @DisplayName("RE-177 decisions stand by kind, then id, whatever the order of the cancels")
  void decisionsAreOrdered() {
    OrchestrationCode code =
        (ctx, in) -> {
          List<DurableFuture<String>> all =
              List.of(
                  ctx.dequeueEvent("q"),
                  ctx.waitForEvent("w"),
                  ctx.callOrchestration("C", "", AUTO),
                  ctx.callActivity("A", ""),
                  ctx.dequeueEvent("q"),
                  ctx.waitForEvent("w"),
                  ctx.callOrchestration("C", "", AUTO),
                  ctx.callActivity("A", ""));
          ctx.timer(SOON).await();
          all.reversed().forEach(DurableFuture::cancel);
          return ctx.waitForEvent("go").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();

    TurnResult result = twin.turn(timerDue(10));

    assertThat(result.delta().stream().skip(2).map(e -> e.source()).toList())
        .containsExactly(5L, 9L, 4L, 8L, 3L, 7L, 2L, 6L);
    assertThat(result.abandoned().activities()).containsExactly(5L, 9L);
    assertThat(result.abandoned().children())
        .extracting(ChildRef::scheduleId)
        .containsExactly(4L, 8L);
  }
}
