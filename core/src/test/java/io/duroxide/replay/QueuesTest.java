package io.duroxide.replay;

import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.queued;
import static io.duroxide.replay.Facts.raised;
import static io.duroxide.replay.Facts.timerDue;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.DurableFuture;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.replay.TurnOutcome.Completed;
import io.duroxide.replay.TurnOutcome.Continue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class QueuesTest {
  private static final Duration SOON = Duration.ofSeconds(5);

  private static OrchestrationCode drain(String... queues) {
    return (ctx, in) -> {
      StringBuilder got = new StringBuilder();
      for (String queue : queues) {
        got.append(ctx.dequeueEvent(queue).await());
      }
      return got.toString();
    };
  }

  @Test
  @DisplayName("RE-190 a queue is first in, first out")
  void fifo() {
    assertThat(
            Twin.started(drain("q", "q", "q"))
                .turn(queued("q", "1"), queued("q", "2"), queued("q", "3"))
                .outcome())
        .isEqualTo(new Completed("123"));
  }

  @Test
  @DisplayName(
      "RE-190 queues are independent: a message of one does not complete a dequeue of another")
  void independentNames() {
    Twin twin = Twin.started(drain("a", "b"));
    assertThat(twin.turn(queued("b", "B"), queued("c", "C")).outcome()).isEqualTo(new Continue());

    assertThat(twin.turn(queued("a", "A")).outcome()).isEqualTo(new Completed("AB"));
  }

  @Test
  @DisplayName("RE-190 interleaved names keep the order of each")
  void interleavedNames() {
    Twin twin = Twin.started(drain("a", "b", "a", "b"));
    twin.turn(queued("b", "1"), queued("a", "2"));

    assertThat(twin.turn(queued("b", "3"), queued("a", "4")).outcome())
        .isEqualTo(new Completed("2143"));
  }

  @Test
  @DisplayName(
      "RE-191 a buffered message resolves a dequeue in the turn that makes it, with what follows")
  void resolvesWithinTheTurn() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.callActivity("A", "").await();
          String message = ctx.dequeueEvent("q").await();
          return ctx.callActivity("B", message).await();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    twin.turn(queued("q", "m"));

    TurnResult result = twin.turn(activityDone(2, ""));

    assertThat(result.outcome()).isEqualTo(new Continue());
    assertThat(Engine.kinds(result))
        .containsExactly(
            new EventKind.ActivityCompleted(""),
            new EventKind.QueueSubscribed("q"),
            new EventKind.ActivityScheduled("B", "m", null, null));
    assertThat(result.actions()).extracting(NewAction::eventId).containsExactly(5L, 6L);
    assertThat(twin.turn(activityDone(6, "b")).outcome()).isEqualTo(new Completed("b"));
  }

  @ParameterizedTest(name = "RE-192 {0} buffered messages are drained in one turn")
  @ValueSource(ints = {5, 1000})
  void drained(int count) {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.callActivity("Gate", "").await();
          List<String> got = new ArrayList<>();
          for (int i = 0; i < count; i++) {
            got.add(ctx.dequeueEvent("q").await());
          }
          return String.join(",", got);
        };
    List<String> data = IntStream.range(0, count).mapToObj(Integer::toString).toList();
    Twin twin = Twin.started(code);
    twin.turn();
    twin.turn(data.stream().map(text -> queued("q", text)).toArray(WorkItem[]::new));

    TurnResult result = twin.turn(activityDone(2, ""));

    assertThat(result.outcome()).isEqualTo(new Completed(String.join(",", data)));
    assertThat(result.delta()).hasSize(1 + count);
    assertThat(result.outstanding()).isEqualTo(Outstanding.NOTHING);
  }

  @Test
  @DisplayName("RE-193 two dequeues awaited in reverse order still pair by schedule order")
  void reverseAwait() {
    OrchestrationCode code =
        (ctx, in) -> {
          var first = ctx.dequeueEvent("q");
          var second = ctx.dequeueEvent("q");
          String got = second.await();
          return "second=" + got + " first=" + first.await();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    assertThat(twin.turn(queued("q", "m1")).outcome()).isEqualTo(new Continue());

    assertThat(twin.turn(queued("q", "m2")).outcome())
        .isEqualTo(new Completed("second=m2 first=m1"));
  }

  @Test
  @DisplayName("RE-194 a losing dequeue leaves the message for the next one")
  void loserLeavesTheMessage() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.select(ctx.dequeueEvent("q"), ctx.timer(SOON));
          return ctx.dequeueEvent("q").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    assertThat(Engine.kinds(twin.turn(timerDue(3))))
        .containsExactly(
            new EventKind.TimerFired(Facts.NOON),
            new EventKind.QueueSubscribed("q"),
            new EventKind.QueueSubscriptionCancelled(Decisions.DROPPED));

    assertThat(twin.turn(queued("q", "m")).outcome()).isEqualTo(new Completed("m"));
  }

  @Test
  @DisplayName(
      "RE-194 a dequeue that loses although its message is there leaves it, ahead of later ones")
  void loserWithAMessageLeavesIt() {
    OrchestrationCode code =
        (ctx, in) -> {
          var done = ctx.callActivity("A", "");
          var losing = ctx.dequeueEvent("q");
          ctx.callActivity("Gate", "").await();
          int winner = ctx.select(List.of(done, losing)).index();
          return winner + ctx.dequeueEvent("q").await() + ctx.dequeueEvent("q").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    twin.turn(activityDone(2, ""), queued("q", "m1"), queued("q", "m2"));

    assertThat(twin.turn(activityDone(4, "")).outcome()).isEqualTo(new Completed("0m1m2"));
  }

  @Test
  @DisplayName("RE-194 several abandoned dequeues in front of a live one do not take its message")
  void severalAbandoned() {
    OrchestrationCode code =
        (ctx, in) -> {
          List<DurableFuture<String>> front =
              List.of(ctx.dequeueEvent("q"), ctx.dequeueEvent("q"), ctx.dequeueEvent("q"));
          var live = ctx.dequeueEvent("q");
          ctx.timer(SOON).await();
          front.forEach(DurableFuture::cancel);
          return live.await();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    twin.turn(queued("q", "m"));

    TurnResult result = twin.turn(timerDue(6));

    assertThat(result.outcome()).isEqualTo(new Completed("m"));
    assertThat(result.delta().stream().skip(1).map(e -> e.source()).toList())
        .containsExactly(2L, 3L, 4L);
  }

  @Test
  @DisplayName(
      "RE-195 timer then message in one batch: the select's loser gives the message to the next"
          + " dequeue and all replays")
  void timerThenMessage() {
    OrchestrationCode code =
        (ctx, in) -> {
          int winner = ctx.select(List.of(ctx.dequeueEvent("q"), ctx.timer(SOON))).index();
          String message = ctx.dequeueEvent("q").await();
          return winner + ctx.callActivity("A", message).await();
        };
    Twin twin = Twin.started(code);
    twin.turn();

    TurnResult result = twin.turn(timerDue(3), queued("q", "m"));

    assertThat(Engine.kinds(result))
        .containsExactly(
            new EventKind.TimerFired(Facts.NOON),
            new EventKind.QueueEventDelivered("q", "m"),
            new EventKind.QueueSubscribed("q"),
            new EventKind.ActivityScheduled("A", "m", null, null),
            new EventKind.QueueSubscriptionCancelled(Decisions.DROPPED));
    assertThat(twin.turn(activityDone(7, "!")).outcome()).isEqualTo(new Completed("1!"));
  }

  @Test
  @DisplayName(
      "RE-196 an older dequeue given up after a younger one consumed: nothing twice, nothing lost")
  void olderGivenUp() {
    OrchestrationCode code =
        (ctx, in) -> {
          var older = ctx.dequeueEvent("q");
          var younger = ctx.dequeueEvent("q");
          String second = younger.await();
          older.cancel();
          String first = ctx.dequeueEvent("q").await();
          return second + first + ctx.dequeueEvent("q").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    twin.turn(queued("q", "m1"));
    assertThat(twin.turn(queued("q", "m2")).outcome()).isEqualTo(new Continue());

    assertThat(twin.turn(queued("q", "m3")).outcome()).isEqualTo(new Completed("m2m1m3"));
  }

  @Test
  @DisplayName("RE-197 queue and positional traffic of the same name never mix")
  void neverMix() {
    OrchestrationCode code =
        (ctx, in) -> {
          var event = ctx.waitForEvent("x");
          var message = ctx.dequeueEvent("x");
          return "event=" + event.await() + " message=" + message.await();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    assertThat(twin.turn(queued("x", "m"), queued("x", "m2")).outcome()).isEqualTo(new Continue());

    assertThat(twin.turn(raised("x", "e")).outcome()).isEqualTo(new Completed("event=e message=m"));
  }
}
