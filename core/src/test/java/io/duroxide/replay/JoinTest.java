package io.duroxide.replay;

import static io.duroxide.replay.Facts.NOON;
import static io.duroxide.replay.Facts.activityCompleted;
import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.activityScheduled;
import static io.duroxide.replay.Facts.failure;
import static io.duroxide.replay.Facts.raised;
import static io.duroxide.replay.Facts.started;
import static io.duroxide.replay.Facts.timerDue;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.DataConversionException;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Joined;
import io.duroxide.api.Joined3;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.Outcome;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.replay.TurnOutcome.Completed;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class JoinTest {
  private static final OrchestrationCode THREE =
      (ctx, in) ->
          said(
              ctx.<String>join(
                  List.of(
                      ctx.callActivity("A", ""),
                      ctx.callActivity("B", ""),
                      ctx.callActivity("C", ""))));

  private static String said(List<Outcome<String>> outcomes) {
    return outcomes.stream().map(JoinTest::said).toList().toString();
  }

  private static String said(Outcome<?> outcome) {
    return switch (outcome) {
      case Outcome.Success<?>(Object value) -> value.toString();
      case Outcome.Failure<?>(RuntimeException e) -> "!" + e.getMessage();
    };
  }

  @Test
  @DisplayName("RE-145 a fresh join schedules all operands and waits")
  void freshJoin() {
    TurnResult result = Twin.started(THREE).turn();

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.Continue());
    assertThat(result.actions()).extracting(NewAction::eventId).containsExactly(2L, 3L, 4L);
  }

  @Test
  @DisplayName("RE-145 a join with all operands complete in history returns in argument order")
  void allComplete() {
    TurnResult result =
        Engine.replay(
            THREE,
            started("in"),
            activityScheduled(2, "A", ""),
            activityScheduled(3, "B", ""),
            activityScheduled(4, "C", ""),
            activityCompleted(5, 4, "c"),
            activityCompleted(6, 3, "b"),
            activityCompleted(7, 2, "a"));

    assertThat(result.outcome()).isEqualTo(new Completed("[a, b, c]"));
    assertThat(result.delta()).isEmpty();
  }

  @Test
  @DisplayName("RE-145 a partial join waits; reversed completions keep argument order")
  void partialAndReversed() {
    Twin twin = Twin.started(THREE);
    twin.turn();
    assertThat(twin.turn(activityDone(4, "c")).outcome()).isEqualTo(new TurnOutcome.Continue());
    assertThat(twin.turn(activityDone(3, "b")).actions()).isEmpty();

    assertThat(twin.turn(activityDone(2, "a")).outcome()).isEqualTo(new Completed("[a, b, c]"));
  }

  @Test
  @DisplayName("RE-145 one failure neither ends the join nor disturbs the others")
  void oneFailed() {
    Twin twin = Twin.started(THREE);
    twin.turn();
    assertThat(twin.turn(Facts.activityFailed(2, failure("broken"))).outcome())
        .isEqualTo(new TurnOutcome.Continue());

    TurnResult result = twin.turn(activityDone(3, "b"), activityDone(4, "c"));

    assertThat(result.outcome()).isEqualTo(new Completed("[!broken, b, c]"));
    assertThat(result.abandoned()).isEqualTo(Abandoned.NOTHING);
  }

  @Test
  @DisplayName("RE-145 a join of nothing returns at once with nothing")
  void emptyJoin() {
    assertThat(Engine.fresh((ctx, in) -> "" + ctx.join(List.of())).outcome())
        .isEqualTo(new Completed("[]"));
  }

  @Test
  @DisplayName("RE-146 a join of two types gives both, each with its own outcome")
  void twoTypes() {
    OrchestrationCode code =
        (ctx, in) -> {
          Joined<String, Instant> both =
              ctx.join(ctx.callActivity("A", ""), ctx.timer(Duration.ZERO));
          return said(both.first()) + "," + said(both.second());
        };
    Twin twin = Twin.started(code);
    twin.turn();
    twin.turn(timerDue(3));

    assertThat(twin.turn(Facts.activityFailed(2, failure("broken"))).outcome())
        .isEqualTo(new Completed("!broken," + NOON));
  }

  @Test
  @DisplayName("RE-146 a join of three types gives all three")
  void threeTypes() {
    OrchestrationCode code =
        (ctx, in) -> {
          Joined3<Integer, Instant, String> all =
              ctx.join(
                  ctx.callActivity("A", "").map(Integer::valueOf),
                  ctx.timer(Duration.ZERO),
                  ctx.waitForEvent("go"));
          return said(all.first()) + "," + said(all.second()) + "," + said(all.third());
        };
    Twin twin = Twin.started(code);
    twin.turn();
    twin.turn(raised("go", "e"), timerDue(3));

    assertThat(twin.turn(activityDone(2, "7")).outcome())
        .isEqualTo(new Completed("7," + NOON + ",e"));
  }

  @Test
  @DisplayName("RE-147 a join of 2000 operands completes on replay")
  void twoThousand() {
    int count = 2000;
    OrchestrationCode code =
        (ctx, in) -> {
          List<DurableFuture<String>> all = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            all.add(ctx.callActivity("A", "" + i));
          }
          return "" + ctx.all(all).stream().mapToInt(Integer::parseInt).sum();
        };
    List<Event> history = new ArrayList<>(List.of(started("in")));
    for (int i = 0; i < count; i++) {
      history.add(activityScheduled(2 + i, "A", "" + i));
    }
    for (int i = 0; i < count; i++) {
      history.add(activityCompleted(2 + count + i, 1 + count - i, "1"));
    }

    TurnResult result = Engine.replay(code, history.toArray(Event[]::new));

    assertThat(result.outcome()).isEqualTo(new Completed("2000"));
    assertThat(result.delta()).isEmpty();
  }

  @Test
  @DisplayName("RE-150 map transforms the result, and only once however often it is observed")
  void mapTransformsOnce() {
    OrchestrationCode code =
        (ctx, in) -> {
          AtomicInteger runs = new AtomicInteger();
          DurableFuture<String> mapped =
              ctx.callActivity("A", "").map(text -> text + runs.incrementAndGet());
          return mapped.await() + mapped.await();
        };
    Twin twin = Twin.started(code);
    assertThat(Engine.kinds(twin.turn()))
        .containsExactly(new EventKind.ActivityScheduled("A", "", null, null));

    assertThat(twin.turn(activityDone(2, "x")).outcome()).isEqualTo(new Completed("x1x1"));
  }

  @Test
  @DisplayName("RE-150 map works under join and over another map")
  void mapUnderJoin() {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<Integer> a = ctx.callActivity("A", "").map(String::length);
          DurableFuture<Integer> b = ctx.callActivity("B", "").map(String::length).map(n -> n * 10);
          return ctx.<Integer>all(List.of(a, b)).toString();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    twin.turn(activityDone(3, "four"));

    assertThat(twin.turn(activityDone(2, "six")).outcome()).isEqualTo(new Completed("[3, 40]"));
  }

  @Test
  @DisplayName("RE-150 cancelling the view cancels the activity, once")
  void mapPreservesCancellation() {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<String> source = ctx.callActivity("A", "");
          source.map(String::length).cancel();
          source.cancel();
          return ctx.waitForEvent("go").await();
        };
    TurnResult result = Twin.started(code).turn();

    assertThat(result.abandoned().activities()).containsExactly(2L);
    assertThat(Engine.kinds(result))
        .containsExactly(
            new EventKind.ActivityScheduled("A", "", null, null),
            new EventKind.ExternalSubscribed("go"),
            new EventKind.ActivityCancelRequested(Decisions.DROPPED));
  }

  @Test
  @DisplayName("RE-150 a result that cannot be decoded is a failure of the future")
  void decodeErrorIsAFailure() {
    Activity<String, Integer> count = Activity.of("Count", String.class, Integer.class);
    OrchestrationCode code = (ctx, in) -> decoded(ctx, count);
    Twin twin = Twin.started(code);
    twin.turn();

    assertThat(twin.turn(activityDone(2, "many")).outcome()).isEqualTo(new Completed("caught"));
  }

  private static String decoded(OrchestrationContext ctx, Activity<String, Integer> count) {
    List<Outcome<Integer>> outcomes = ctx.join(List.of(ctx.call(count, "")));
    return switch (outcomes.getFirst()) {
      case Outcome.Success<Integer>(Integer value) -> "got " + value;
      case Outcome.Failure<Integer>(RuntimeException e) -> {
        assertThat(e).isInstanceOf(DataConversionException.class).hasMessageContaining("many");
        yield "caught";
      }
    };
  }
}
