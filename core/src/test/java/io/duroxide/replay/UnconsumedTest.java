package io.duroxide.replay;

import static io.duroxide.replay.Decisions.dequeueDropped;
import static io.duroxide.replay.Facts.activityCompleted;
import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.activityScheduled;
import static io.duroxide.replay.Facts.externalEvent;
import static io.duroxide.replay.Facts.queueDelivered;
import static io.duroxide.replay.Facts.queueSubscribed;
import static io.duroxide.replay.Facts.queued;
import static io.duroxide.replay.Facts.raised;
import static io.duroxide.replay.Facts.started;
import static io.duroxide.replay.Facts.subscribed;
import static io.duroxide.replay.Facts.timerDue;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.DurableFuture;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.model.CarriedEvent;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a continue-as-new carries: exact, from what the code observed. */
class UnconsumedTest {
  private static final Duration SOON = Duration.ofSeconds(5);

  private static CarriedEvent carried(String queue, String data) {
    return new CarriedEvent(queue, data);
  }

  /** Code that takes from these queues and continues as new at the event {@code next}. */
  private static OrchestrationCode taking(String... queues) {
    return (ctx, in) -> {
      for (String queue : queues) {
        ctx.dequeueEvent(queue).await();
      }
      return next(ctx);
    };
  }

  private static String next(OrchestrationContext ctx) {
    ctx.waitForEvent("next").await();
    return ctx.continueAsNew("");
  }

  private static List<CarriedEvent> left(Twin twin, WorkItem... lastBatch) {
    TurnResult result = twin.turn(lastBatch);
    assertThat(result.outcome()).isEqualTo(new TurnOutcome.ContinueAsNew("", null, null));
    return result.leftOver().messages();
  }

  @Test
  @DisplayName("E2E-155 RE-198 no messages: nothing is left")
  void noMessages() {
    Twin twin = Twin.started(taking());
    twin.turn();

    assertThat(left(twin, raised("next", ""))).isEmpty();
  }

  @Test
  @DisplayName("E2E-155 RE-198 only messages: all are left")
  void onlyMessages() {
    Twin twin = Twin.started(taking());
    twin.turn(queued("a", "1"), queued("b", "2"));

    assertThat(left(twin, raised("next", "")))
        .containsExactly(carried("a", "1"), carried("b", "2"));
  }

  @Test
  @DisplayName("E2E-155 RE-198 consumption is per name")
  void perName() {
    Twin twin = Twin.started(taking("a"));
    twin.turn(queued("b", "1"), queued("a", "2"), queued("b", "3"));

    assertThat(left(twin, raised("next", "")))
        .containsExactly(carried("b", "1"), carried("b", "3"));
  }

  @Test
  @DisplayName("E2E-155 RE-198 an abandoned dequeue does not consume")
  void abandonedDoesNotConsume() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.select(ctx.dequeueEvent("q"), ctx.timer(SOON));
          return next(ctx);
        };
    Twin twin = Twin.started(code);
    twin.turn();
    twin.turn(timerDue(3), queued("q", "m"));

    assertThat(left(twin, raised("next", ""))).containsExactly(carried("q", "m"));
  }

  @Test
  @DisplayName(
      "E2E-155 RE-198 a dequeue nobody observed, or given up in the very turn, does not consume")
  void unobservedDoesNotConsume() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.dequeueEvent("unobserved");
          DurableFuture<String> given = ctx.dequeueEvent("given up");
          ctx.waitForEvent("next").await();
          given.cancel();
          return ctx.continueAsNew("");
        };
    Twin twin = Twin.started(code);
    twin.turn(queued("unobserved", "1"), queued("given up", "2"));

    assertThat(left(twin, raised("next", "")))
        .containsExactly(carried("unobserved", "1"), carried("given up", "2"));
  }

  @Test
  @DisplayName("E2E-155 RE-198 the order across names is the order of arrival")
  void orderAcrossNames() {
    Twin twin = Twin.started(taking("a", "b"));
    twin.turn(queued("a", "gone"), queued("b", "1"), queued("a", "2"), queued("c", "3"));
    twin.turn(queued("b", "4"), queued("a", "5"));

    assertThat(left(twin, raised("next", ""), queued("c", "6")))
        .containsExactly(
            carried("a", "2"),
            carried("c", "3"),
            carried("b", "4"),
            carried("a", "5"),
            carried("c", "6"));
  }

  @Test
  @DisplayName("E2E-155 RE-198 partial consumption leaves the rest in order")
  void partialConsumption() {
    Twin twin = Twin.started(taking("q", "q"));
    twin.turn(queued("q", "1"), queued("q", "2"), queued("q", "3"), queued("q", "4"));

    assertThat(left(twin, raised("next", "")))
        .containsExactly(carried("q", "3"), carried("q", "4"));
  }

  @Test
  @DisplayName("E2E-155 RE-198 more subscriptions than messages: nothing is left")
  void moreSubscriptions() {
    OrchestrationCode code =
        (ctx, in) -> {
          var first = ctx.dequeueEvent("q");
          ctx.dequeueEvent("q");
          ctx.dequeueEvent("q");
          first.await();
          return next(ctx);
        };
    Twin twin = Twin.started(code);
    twin.turn();
    twin.turn(queued("q", "1"));

    assertThat(left(twin, raised("next", ""))).isEmpty();
  }

  @Test
  @DisplayName("E2E-155 RE-198 unrelated events are ignored")
  void unrelatedEvents() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.callActivity("A", "").await();
          ctx.setCustomStatus("status");
          ctx.kv().putText("k", "v");
          return next(ctx);
        };
    Twin twin = Twin.started(code);
    twin.turn();
    twin.turn(queued("q", "1"), raised("q", "no message"), activityDone(2, ""));

    assertThat(left(twin, raised("next", ""))).containsExactly(carried("q", "1"));
  }

  @Test
  @DisplayName("E2E-155 RE-198 a stray decision is harmless")
  void strayDecision() {
    Event[] history = {
      started("in"),
      queueSubscribed(2, "q"),
      queueDelivered(3, "q", "gone"),
      Facts.event(4, 77L, new EventKind.QueueSubscriptionCancelled("orchestration_terminal")),
      subscribed(5, "next"),
      queueDelivered(6, "q", "left"),
      externalEvent(7, "next", "")
    };
    TurnResult result = Engine.replay(taking("q"), history);

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.ContinueAsNew("", null, null));
    assertThat(result.leftOver().messages()).containsExactly(carried("q", "left"));
  }

  @Test
  @DisplayName("E2E-155 RE-198 more messages than any cap are all returned")
  void beyondTheCap() {
    List<WorkItem> messages = new ArrayList<>();
    IntStream.range(0, 250).forEach(i -> messages.add(queued("q", "" + i)));
    Twin twin = Twin.started(taking());
    twin.turn(messages.toArray(WorkItem[]::new));

    assertThat(left(twin, raised("next", "")))
        .hasSize(250)
        .startsWith(carried("q", "0"))
        .endsWith(carried("q", "249"));
  }

  // What the events say by themselves, for an end whose code is void

  private static Outstanding outstanding(Event... events) {
    Ledger ledger = new Ledger(Facts.KEY);
    ledger.absorb(List.of(events));
    Ledger oneByOne = new Ledger(Facts.KEY);
    List.of(events).forEach(event -> oneByOne.absorb(List.of(event)));
    assertThat(oneByOne.outstanding()).as("absorbed one by one").isEqualTo(ledger.outstanding());
    return ledger.outstanding();
  }

  private static List<Long> openDequeues(Event... events) {
    return outstanding(events).dequeues();
  }

  @Test
  @DisplayName("E2E-156 RE-199 empty: nothing is outstanding")
  void nothingOutstanding() {
    assertThat(outstanding()).isEqualTo(Outstanding.NOTHING);
    assertThat(outstanding(started("in"))).isEqualTo(Outstanding.NOTHING);
  }

  @Test
  @DisplayName("E2E-156 RE-199 all resolved: nothing is outstanding")
  void allResolved() {
    assertThat(
            outstanding(
                started("in"),
                queueSubscribed(2, "q"),
                queueDelivered(3, "q", "1"),
                queueDelivered(4, "q", "2"),
                queueSubscribed(5, "q"),
                subscribed(6, "w"),
                externalEvent(7, "w", ""),
                activityScheduled(8, "A", ""),
                activityCompleted(9, 8, ""),
                Facts.childScheduled(10, "C", "sub::10", ""),
                Facts.childCompleted(11, 10, "")))
        .isEqualTo(Outstanding.NOTHING);
  }

  @Test
  @DisplayName("E2E-156 RE-199 all decided: nothing is outstanding")
  void allDecided() {
    assertThat(
            outstanding(
                started("in"),
                queueSubscribed(2, "q"),
                subscribed(3, "w"),
                activityScheduled(4, "A", ""),
                Facts.childScheduled(5, "C", "sub::5", ""),
                Decisions.activityDropped(6, 4),
                Decisions.childDropped(7, 5),
                Decisions.waitDropped(8, 3),
                dequeueDropped(9, 2)))
        .isEqualTo(Outstanding.NOTHING);
  }

  @Test
  @DisplayName("E2E-156 RE-199 mixed: what has neither outcome nor decision, by id")
  void mixed() {
    assertThat(
            outstanding(
                started("in"),
                queueSubscribed(2, "q"),
                queueSubscribed(3, "r"),
                subscribed(4, "w"),
                subscribed(5, "w"),
                activityScheduled(6, "A", ""),
                activityScheduled(7, "A", ""),
                Facts.childScheduled(8, "C", "sub::8", ""),
                Facts.childScheduled(9, "C", "mine", ""),
                Facts.timerCreated(10, Facts.NOON),
                queueDelivered(11, "r", ""),
                externalEvent(12, "w", ""),
                activityCompleted(13, 6, ""),
                Decisions.childDropped(14, 8)))
        .isEqualTo(
            new Outstanding(
                List.of(7L), List.of(new ChildRef(9, "mine")), List.of(5L), List.of(2L)));
  }

  @Test
  @DisplayName("E2E-156 RE-199 partial: messages answer dequeues first in, first out")
  void partialFifo() {
    assertThat(
            openDequeues(
                started("in"),
                queueSubscribed(2, "q"),
                queueSubscribed(3, "q"),
                queueSubscribed(4, "q"),
                queueDelivered(5, "q", "")))
        .containsExactly(3L, 4L);
  }

  @Test
  @DisplayName("E2E-156 RE-199 an abandoned dequeue is no consumer")
  void abandonedIsNoConsumer() {
    assertThat(
            openDequeues(
                started("in"),
                queueSubscribed(2, "q"),
                queueSubscribed(3, "q"),
                queueDelivered(4, "q", ""),
                dequeueDropped(5, 2)))
        .isEmpty();
  }

  @Test
  @DisplayName(
      "E2E-156 RE-199 more messages than subscriptions: nothing is outstanding, early ones wait")
  void moreMessages() {
    assertThat(
            openDequeues(
                started("in"),
                queueDelivered(2, "q", ""),
                queueDelivered(3, "q", ""),
                queueSubscribed(4, "q"),
                queueSubscribed(5, "q"),
                queueDelivered(6, "q", "")))
        .isEmpty();
  }

  @Test
  @DisplayName("E2E-156 RE-199 by engine state: a dequeue is outstanding until it is observed")
  void engineSide() {
    OrchestrationCode code =
        (ctx, in) -> {
          var observed = ctx.dequeueEvent("q");
          ctx.dequeueEvent("q");
          ctx.dequeueEvent("q").cancel();
          ctx.waitForEvent("open");
          observed.await();
          return "done";
        };
    Twin twin = Twin.started(code);
    twin.turn();

    TurnResult result = twin.turn(queued("q", "1"), queued("q", "2"));

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.Completed("done"));
    assertThat(result.outstanding())
        .isEqualTo(new Outstanding(List.of(), List.of(), List.of(5L), List.of(3L)));
  }
}
