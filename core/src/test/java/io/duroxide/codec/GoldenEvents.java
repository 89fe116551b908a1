package io.duroxide.codec;

import io.duroxide.model.ActivityAttempt;
import io.duroxide.model.AutoPrune;
import io.duroxide.model.AutoPrunePolicy;
import io.duroxide.model.CarriedEvent;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.ParentLink;
import io.duroxide.model.Reasons;
import io.duroxide.model.Retention;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The events that {@code golden/events.jsonl} stores, line by line. */
final class GoldenEvents {
  private static final Instant NOON = Instant.parse("2026-01-15T12:00:00Z");
  private static final Instant LATER = NOON.plusSeconds(60);
  private static final ActivityAttempt FIRST =
      new ActivityAttempt(NOON.minusMillis(250), "work-till-3", 1);
  private static final ActivityAttempt SECOND =
      new ActivityAttempt(NOON.minusMillis(40), "work-till-4", 2);

  static final List<Event> ALL =
      List.of(
          event(
              1,
              new EventKind.OrchestrationStarted(
                  "Order",
                  "1.2.0",
                  "{\"sku\":\"A-1\"}",
                  new ParentLink("shop-1", 3, 5),
                  new Inheritance(
                      List.of(
                          new CarriedEvent("inbox", "first"), new CarriedEvent("inbox", "second")),
                      "picking",
                      null))),
          event(
              1,
              new EventKind.OrchestrationStarted("Order", "1.2.0", "7", null, Inheritance.NOTHING)),
          event(9, new EventKind.OrchestrationCancelRequested("customer left")),
          event(2, new EventKind.ActivityScheduled("Charge", "42", "till-3", "gpu")),
          event(2, new EventKind.ActivityScheduled("Charge", "42", null, null)),
          event(3, 2L, new EventKind.ActivityCompleted("paid")),
          event(3, 2L, new EventKind.ActivityFailed(GoldenErrors.CARD_DECLINED)),
          event(4, 2L, new EventKind.ActivityCancelRequested(Reasons.DROPPED_FUTURE)),
          event(2, new EventKind.TimerCreated(LATER)),
          event(2, new EventKind.TimerCreated(Instant.ofEpochMilli(Long.MAX_VALUE))),
          event(3, 2L, new EventKind.TimerFired(LATER)),
          event(2, new EventKind.ExternalSubscribed("approval")),
          event(3, new EventKind.ExternalEvent("approval", "yes")),
          event(3, 2L, new EventKind.ExternalSubscribedCancelled(Reasons.ORCHESTRATION_TERMINAL)),
          event(2, new EventKind.QueueSubscribed("inbox")),
          event(3, new EventKind.QueueEventDelivered("inbox", "hello")),
          event(3, 2L, new EventKind.QueueSubscriptionCancelled(Reasons.ORCHESTRATION_TERMINAL)),
          event(2, new EventKind.SubOrchestrationScheduled("Ship", "sub::2", "A-1")),
          event(3, 2L, new EventKind.SubOrchestrationCompleted("shipped")),
          event(3, 2L, new EventKind.SubOrchestrationFailed(GoldenErrors.ORDER_FAILED)),
          event(3, 2L, new EventKind.SubOrchestrationCancelRequested(Reasons.DROPPED_FUTURE)),
          event(2, new EventKind.OrchestrationChained("Audit", "audit-7", "{}")),
          event(2, new EventKind.CustomStatusUpdated("packing")),
          event(3, new EventKind.CustomStatusUpdated(null)),
          event(2, new EventKind.KeyValueSet("total", "42", LATER)),
          event(3, new EventKind.KeyValueCleared("total")),
          event(4, new EventKind.KeyValuesCleared()),
          event(5, new EventKind.OrchestrationCompleted("done")),
          event(5, new EventKind.OrchestrationFailed(GoldenErrors.CANCELLED)),
          event(99999, new EventKind.OrchestrationFailed(GoldenErrors.POISON_HISTORY)),
          event(5, new EventKind.OrchestrationContinuedAsNew("8")),
          event(1, started(AutoPrunePolicy.of(Retention.keepLast(2)))),
          event(
              1,
              started(
                  AutoPrunePolicy.of(Retention.keepLast(2).andMaxAge(Duration.ofDays(7)))
                      .every(10)
                      .withKeepPreviousVersion(0))),
          event(1, started(AutoPrune.DISABLED)),
          event(2, new EventKind.HistoryPruneRequested(Retention.keepLast(3))),
          event(2, new EventKind.HistoryPruneRequested(Retention.maxAge(Duration.ofDays(7)))),
          event(3, 2L, new EventKind.HistoryPruned(4, 40, 5, LATER, null)),
          event(3, 2L, new EventKind.HistoryPruned(0, 0, null, null, "database is locked")),
          event(5, new EventKind.OrchestrationContinuedAsNew("8", Retention.keepLast(1))),
          event(3, 2L, new EventKind.ActivityCompleted("paid", FIRST)),
          event(3, 2L, new EventKind.ActivityFailed(GoldenErrors.CARD_DECLINED, SECOND)));

  private static EventKind started(AutoPrune autoPrune) {
    return new EventKind.OrchestrationStarted(
        "Order", "1.2.0", "7", null, new Inheritance(List.of(), null, autoPrune));
  }

  private GoldenEvents() {}

  static Event event(long id, EventKind kind) {
    return event(id, null, kind);
  }

  static Event event(long id, @Nullable Long source, EventKind kind) {
    return new Event(
        new ExecutionKey("order-7", 1), id, source, new EventStamp(NOON, "0.1.0"), kind);
  }
}
