package io.duroxide.codec;

import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ConfigurationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.PoisonSubject;
import io.duroxide.model.Thrown;
import java.util.List;

/** The errors that {@code golden/errors.jsonl} stores, line by line. */
final class GoldenErrors {
  static final ErrorDetails STORE_BUSY =
      new ErrorDetails.Infrastructure("ack_orchestration_item", "database is locked", true);
  static final ErrorDetails RUNAWAY =
      new ErrorDetails.Infrastructure("quiescence_loop", "more than 100000 repetitions", false);
  static final ErrorDetails CODE_CHANGED =
      new ErrorDetails.Configuration(
          ConfigurationErrorKind.NONDETERMINISM, "order-7", "schedule mismatch");
  static final ErrorDetails CODE_CHANGED_SOMEHOW =
      new ErrorDetails.Configuration(ConfigurationErrorKind.NONDETERMINISM, "order-7", null);
  static final ErrorDetails TOO_NEW =
      new ErrorDetails.Configuration(
          ConfigurationErrorKind.INCOMPATIBLE_VERSION, "order-7", "pinned 2.0.0, supported 0.1.0");
  static final ErrorDetails CARD_DECLINED =
      new ErrorDetails.Application(
          ApplicationErrorKind.ACTIVITY_FAILED,
          "card declined",
          true,
          new Thrown("com.shop.CardDeclined", "{\"code\":\"51\"}"));
  static final ErrorDetails NO_STOCK =
      new ErrorDetails.Application(
          ApplicationErrorKind.ACTIVITY_FAILED,
          "no stock",
          false,
          new Thrown("com.shop.NoStock", null));
  static final ErrorDetails ORDER_FAILED =
      new ErrorDetails.Application(ApplicationErrorKind.ORCHESTRATION_FAILED, "order failed");
  static final ErrorDetails PANICKED =
      new ErrorDetails.Application(ApplicationErrorKind.PANICKED, "index 3 out of bounds");
  static final ErrorDetails CANCELLED =
      new ErrorDetails.Application(new ApplicationErrorKind.Cancelled("customer left"), "");
  static final ErrorDetails POISON_ORCHESTRATION =
      new ErrorDetails.Poison(
          11, 10, new PoisonSubject.Orchestration("order-7", 2), "{\"type\":\"CancelInstance\"}");
  static final ErrorDetails POISON_ACTIVITY =
      new ErrorDetails.Poison(
          4, 3, new PoisonSubject.Activity("order-7", 1, "Charge", 2), "{\"type\":\"\"}");
  static final ErrorDetails POISON_HISTORY =
      new ErrorDetails.Poison(
          11,
          10,
          new PoisonSubject.FailedDeserialization("order-7", 1, "unknown type 'TopicSubscribed'"),
          "unknown type 'TopicSubscribed'");

  static final List<ErrorDetails> ALL =
      List.of(
          STORE_BUSY,
          RUNAWAY,
          CODE_CHANGED,
          CODE_CHANGED_SOMEHOW,
          TOO_NEW,
          CARD_DECLINED,
          NO_STOCK,
          ORDER_FAILED,
          PANICKED,
          CANCELLED,
          POISON_ORCHESTRATION,
          POISON_ACTIVITY,
          POISON_HISTORY);

  private GoldenErrors() {}
}
