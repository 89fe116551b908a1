package io.duroxide.replay;

import static io.duroxide.replay.Decisions.DROPPED;
import static io.duroxide.replay.Decisions.activityCancelled;
import static io.duroxide.replay.Decisions.activityDropped;
import static io.duroxide.replay.Decisions.childDropped;
import static io.duroxide.replay.Decisions.dequeueDropped;
import static io.duroxide.replay.Decisions.waitDropped;
import static io.duroxide.replay.Facts.NOON;
import static io.duroxide.replay.Facts.activityCompleted;
import static io.duroxide.replay.Facts.activityScheduled;
import static io.duroxide.replay.Facts.childScheduled;
import static io.duroxide.replay.Facts.event;
import static io.duroxide.replay.Facts.queueSubscribed;
import static io.duroxide.replay.Facts.raised;
import static io.duroxide.replay.Facts.started;
import static io.duroxide.replay.Facts.subscribed;
import static io.duroxide.replay.Facts.timerCreated;
import static io.duroxide.replay.Facts.timerDue;
import static io.duroxide.replay.Facts.timerFired;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ChildOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.replay.TurnOutcome.Continue;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class RecordedDecisionsTest {
  private static final Duration SOON = Duration.ofSeconds(5);

  /** Something that can be given up: how it is asked for, recorded and decided. */
  record Kind(
      String name,
      String family,
      Function<OrchestrationContext, DurableFuture<String>> call,
      Event schedule,
      Event decision) {
    @Override
    public String toString() {
      return name;
    }
  }

  static List<Kind> kinds() {
    return List.of(
        new Kind(
            "an activity",
            "activities",
            ctx -> ctx.callActivity("A", ""),
            activityScheduled(2, "A", ""),
            activityDropped(5, 2)),
        new Kind(
            "a child",
            "sub-orchestrations",
            ctx -> ctx.callOrchestration("C", "", ChildOptions.defaults()),
            childScheduled(2, "C", "sub::2", ""),
            childDropped(5, 2)),
        new Kind(
            "a wait",
            "external waits",
            ctx -> ctx.waitForEvent("w"),
            subscribed(2, "w"),
            waitDropped(5, 2)),
        new Kind(
            "a dequeue",
            "persistent waits",
            ctx -> ctx.dequeueEvent("q"),
            queueSubscribed(2, "q"),
            dequeueDropped(5, 2)));
  }

  private static Event[] lostTo(Kind kind, Event... more) {
    Event[] head = {
      started("in"), kind.schedule, timerCreated(3, NOON), timerFired(4, 3), kind.decision
    };
    Event[] all = Arrays.copyOf(head, head.length + more.length);
    System.arraycopy(more, 0, all, head.length, more.length);
    return all;
  }

  @ParameterizedTest(name = "RE-169 {0} whose decision is in history is not given up again")
  @MethodSource("kinds")
  void decidedOnce(Kind kind) {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.select(List.of(kind.call.apply(ctx), ctx.timer(SOON)));
          return ctx.waitForEvent("go").await();
        };
    TurnResult result = Engine.replay(code, lostTo(kind, subscribed(6, "go")));

    assertThat(result.outcome()).isEqualTo(new Continue());
    assertThat(result.delta()).isEmpty();
    assertThat(result.abandoned()).isEqualTo(Abandoned.NOTHING);
  }

  @ParameterizedTest(name = "RE-169 {0} with a decision is not outstanding at the end")
  @MethodSource("kinds")
  void decidedIsNotOutstanding(Kind kind) {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.select(List.of(kind.call.apply(ctx), ctx.timer(SOON)));
          return "done";
        };
    TurnResult result = Engine.replay(code, lostTo(kind));

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.Completed("done"));
    assertThat(result.delta()).isEmpty();
    assertThat(result.outstanding()).isEqualTo(Outstanding.NOTHING);
  }

  @Test
  @DisplayName("RE-170 an old decision and a new abandonment: only the new one is requested")
  void onlyTheNewOne() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.select(ctx.callActivity("A", ""), ctx.timer(SOON));
          ctx.select(ctx.callActivity("B", ""), ctx.timer(SOON));
          return ctx.waitForEvent("go").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    twin.turn(timerDue(3));

    TurnResult result = twin.turn(timerDue(6));

    assertThat(result.abandoned()).isEqualTo(new Abandoned(List.of(5L), List.of(), List.of()));
    assertThat(result.delta())
        .filteredOn(e -> e.kind() instanceof EventKind.Decision)
        .containsExactly(event(10, 5, new EventKind.ActivityCancelRequested(DROPPED)));
  }

  @Test
  @DisplayName("RE-171 a new abandonment of an old schedule beside other decisions is accepted")
  void newAbandonmentOfAnOldSchedule() {
    OrchestrationCode code =
        (ctx, in) -> {
          var kept = ctx.callActivity("Kept", "");
          ctx.select(ctx.callActivity("A", ""), ctx.timer(SOON));
          kept.cancel();
          return ctx.waitForEvent("go").await();
        };
    TurnResult result =
        Engine.replay(
            code,
            started("in"),
            activityScheduled(2, "Kept", ""),
            activityScheduled(3, "A", ""),
            timerCreated(4, NOON),
            timerFired(5, 4),
            activityDropped(6, 3),
            subscribed(7, "go"));

    assertThat(result.outcome()).isEqualTo(new Continue());
    assertThat(result.delta())
        .containsExactly(event(8, 2, new EventKind.ActivityCancelRequested(DROPPED)));
    assertThat(result.abandoned().activities()).containsExactly(2L);
  }

  @ParameterizedTest(name = "RE-172 {0} recorded as given up but now kept is nondeterminism")
  @MethodSource("kinds")
  void keptAfterAll(Kind kind) {
    OrchestrationCode code =
        (ctx, in) -> {
          assertThat(kind.call.apply(ctx).isDone()).isFalse();
          ctx.timer(SOON).await();
          return ctx.waitForEvent("go").await();
        };
    TurnResult result = Engine.replay(code, lostTo(kind, subscribed(6, "go")));

    assertMismatch(result, kind.family);
  }

  @ParameterizedTest(name = "RE-172 {0} recorded as given up but now awaited is nondeterminism")
  @MethodSource("kinds")
  void awaitedAfterAll(Kind kind) {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<String> future = kind.call.apply(ctx);
          ctx.timer(SOON).await();
          return future.await();
        };
    assertMismatch(Engine.replay(code, lostTo(kind)), kind.family);
  }

  private static void assertMismatch(TurnResult result, String family) {
    assertThat(result.outcome())
        .isInstanceOfSatisfying(
            TurnOutcome.Failed.class,
            failed -> {
              assertThat(failed.details()).isInstanceOf(ErrorDetails.Configuration.class);
              assertThat(failed.details().displayMessage())
                  .contains("cancellation mismatch (" + family + ")", "id=2");
            });
    assertThat(result.delta()).isEmpty();
    assertThat(result.abandoned()).isEqualTo(Abandoned.NOTHING);
  }

  @Test
  @DisplayName("RE-172 a decision of one kind does not activate the check of another")
  void kindsAreCheckedApart() {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<String> child = ctx.callOrchestration("C", "", ChildOptions.defaults());
          ctx.select(ctx.callActivity("A", ""), ctx.timer(SOON));
          child.cancel();
          return ctx.waitForEvent("go").await();
        };
    TurnResult result =
        Engine.replay(
            code,
            started("in"),
            childScheduled(2, "C", "sub::2", ""),
            activityScheduled(3, "A", ""),
            timerCreated(4, NOON),
            timerFired(5, 4),
            activityDropped(6, 3),
            subscribed(7, "go"));

    assertThat(result.outcome()).isEqualTo(new Continue());
    assertThat(result.abandoned().children()).containsExactly(new ChildRef(2, "order-7::sub::2"));
  }

  @Test
  @DisplayName("RE-173 an outcome behind the decision is tolerated and delivered to nobody")
  void outcomeBehindTheDecision() {
    OrchestrationCode code =
        (ctx, in) -> {
          int winner = ctx.select(List.of(ctx.callActivity("A", ""), ctx.timer(SOON))).index();
          return winner + ctx.waitForEvent("go").await();
        };
    TurnResult result =
        Engine.of(code)
            .history(
                started("in"),
                activityScheduled(2, "A", ""),
                timerCreated(3, NOON),
                timerFired(4, 3),
                subscribed(5, "go"),
                activityDropped(6, 2),
                activityCompleted(7, 2, "late"))
            .turn(raised("go", "x"));

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.Completed("1x"));
    assertThat(result.outstanding()).isEqualTo(Outstanding.NOTHING);
  }

  @Test
  @DisplayName("RE-173 a decision recorded twice is tolerated")
  void duplicateDecision() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.callActivity("A", "").cancel();
          return ctx.waitForEvent("go").await();
        };
    TurnResult result =
        Engine.replay(
            code,
            started("in"),
            activityScheduled(2, "A", ""),
            subscribed(3, "go"),
            activityDropped(4, 2),
            activityDropped(5, 2));

    assertThat(result.outcome()).isEqualTo(new Continue());
    assertThat(result.delta()).isEmpty();
  }

  @Test
  @DisplayName("RE-173 decisions of other reasons are not checked")
  void otherReasons() {
    TurnResult result =
        Engine.replay(
            (ctx, in) -> ctx.callActivity("A", "").await(),
            started("in"),
            activityScheduled(2, "A", ""),
            activityCancelled(3, 2, "orchestration_terminal_completed"));

    assertThat(result.outcome()).isEqualTo(new Continue());
    assertThat(result.delta()).isEmpty();
  }
}
