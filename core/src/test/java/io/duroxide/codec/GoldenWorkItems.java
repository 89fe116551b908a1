package io.duroxide.codec;

import io.duroxide.model.ActivityAttempt;
import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.AutoPrune;
import io.duroxide.model.AutoPrunePolicy;
import io.duroxide.model.CarriedEvent;
import io.duroxide.model.Inheritance;
import io.duroxide.model.ParentLink;
import io.duroxide.model.Retention;
import io.duroxide.model.WorkItem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/** The work items that {@code golden/work-items.jsonl} stores, line by line. */
final class GoldenWorkItems {
  private static final Instant NOON = Instant.parse("2026-01-15T12:00:00Z");
  private static final ParentLink PARENT = new ParentLink("shop-1", 3, 5);
  private static final ActivityKey CHARGE = new ActivityKey("order-7", 1, 2);

  private static final AutoPrune POLICY = AutoPrunePolicy.of(Retention.keepLast(2)).every(10);

  static final List<WorkItem> ALL =
      List.of(
          new WorkItem.StartOrchestration("order-7", "Order", "{\"sku\":\"A-1\"}", "1.2.0", PARENT),
          new WorkItem.StartOrchestration("order-7", "Order", "7", null, null),
          new WorkItem.ContinueAsNew(
              "order-7",
              "Order",
              "8",
              "1.3.0",
              PARENT,
              new Inheritance(
                  List.of(new CarriedEvent("inbox", "first"), new CarriedEvent("inbox", "second")),
                  "picking",
                  null),
              null),
          new WorkItem.ContinueAsNew(
              "order-7", "Order", "8", null, null, Inheritance.NOTHING, null),
          new WorkItem.ActivityExecute(
              CHARGE,
              "Charge",
              "42",
              new ActivityRouting("till-3", "gpu"),
              new ActivityOrigin("Order", "1.2.0")),
          new WorkItem.ActivityExecute(
              CHARGE, "Charge", "42", ActivityRouting.ANYWHERE, ActivityOrigin.UNKNOWN),
          new WorkItem.ActivityCompleted("order-7", 1, 2, "paid"),
          new WorkItem.ActivityFailed("order-7", 1, 2, GoldenErrors.CARD_DECLINED),
          new WorkItem.TimerFired("order-7", 1, 2, NOON),
          new WorkItem.ExternalRaised("order-7", "approval", "yes"),
          new WorkItem.QueueMessage("order-7", "inbox", "hello"),
          new WorkItem.SubOrchCompleted("shop-1", 3, 5, "shipped"),
          new WorkItem.SubOrchFailed("shop-1", 3, 5, GoldenErrors.ORDER_FAILED),
          new WorkItem.CancelInstance("order-7", "customer left", null),
          new WorkItem.CancelInstance("order-7", "parent canceled", PARENT),
          WorkItem.StartOrchestration.byClient("order-7", "Order", "7", null, POLICY),
          WorkItem.StartOrchestration.byClient("order-7", "Order", "7", null, AutoPrune.DISABLED),
          new WorkItem.ContinueAsNew(
              "order-7",
              "Order",
              "8",
              null,
              null,
              new Inheritance(List.of(), null, POLICY),
              Retention.keepLast(1).andMaxAge(Duration.ofHours(1))),
          WorkItem.StartOrchestration.detached("order-7", "Order", "7", "1.2.0"),
          new WorkItem.ActivityExecute(
              CHARGE,
              "Charge",
              "42",
              ActivityRouting.ANYWHERE,
              new ActivityOrigin("Order", "1.2.0", NOON)),
          new WorkItem.ActivityCompleted(
              "order-7",
              1,
              2,
              "paid",
              new ActivityAttempt(NOON.minusMillis(250), "work-till-3", 1)),
          new WorkItem.ActivityFailed(
              "order-7",
              1,
              2,
              GoldenErrors.CARD_DECLINED,
              new ActivityAttempt(NOON.minusMillis(40), "work-till-4", 2)));

  private GoldenWorkItems() {}
}
