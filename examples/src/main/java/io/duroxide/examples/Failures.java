package io.duroxide.examples;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityFailedException;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.client.Client;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;

/** Failures with a meaning: a declined card says why, and the order falls back to an invoice. */
public final class Failures {
  record Reason(String code, int missingEuros) {}

  /** The bank says no; trying again does not help. */
  static final class CardDeclined extends OrchestrationFailure {
    private static final long serialVersionUID = 1L;

    CardDeclined(Reason reason) {
      super("card declined: " + reason.code(), reason);
    }
  }

  static final Activity<Integer, String> CHARGE_CARD =
      Activity.of("ChargeCard", Integer.class, String.class);
  static final Activity<Integer, String> SEND_INVOICE =
      Activity.of("SendInvoice", Integer.class, String.class);
  static final Orchestration<Integer, String> CHECK_OUT =
      Orchestration.of("CheckOut", Integer.class, String.class);

  private Failures() {}

  static String checkOut(OrchestrationContext ctx, int euros) {
    try {
      return ctx.call(CHARGE_CARD, euros).await();
    } catch (ActivityFailedException e) {
      if (!e.is(CardDeclined.class)) {
        throw e;
      }
      int missing = e.payload(Reason.class).orElseThrow().missingEuros();
      return ctx.call(SEND_INVOICE, missing).await();
    }
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.activity(CHARGE_CARD, (ctx, euros) -> chargeCard(euros))
        .activity(SEND_INVOICE, (ctx, euros) -> "invoice over " + euros + " euros")
        .orchestration(CHECK_OUT, Failures::checkOut);
  }

  private static String chargeCard(int euros) {
    if (euros > 500) {
      throw new CardDeclined(new Reason("limit", euros - 500));
    }
    return "charged " + euros + " euros";
  }

  static String run(Client client, String cart, int euros) {
    client.start(CHECK_OUT, cart, euros);
    return client.waitFor(CHECK_OUT, cart, Duration.ofMinutes(1));
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.open(Path.of("failures.db"));
        var runtime = register(DuroxideRuntime.builder(store)).start()) {
      var client = Client.of(store);
      System.out.println(run(client, "cart-1", 200));
      System.out.println(run(client, "cart-2", 900));
    }
  }
}
