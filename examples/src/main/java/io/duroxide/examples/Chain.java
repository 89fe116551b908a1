package io.duroxide.examples;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;

/** Steps one after the other: an order is packed, labelled and handed to the carrier. */
public final class Chain {
  record Parcel(String order, int grams) {}

  static final Activity<String, Parcel> PACK = Activity.of("Pack", String.class, Parcel.class);
  static final Activity<Parcel, String> PRINT_LABEL =
      Activity.of("PrintLabel", Parcel.class, String.class);
  static final Activity<String, String> HAND_OVER =
      Activity.of("HandOver", String.class, String.class);
  static final Orchestration<String, String> SHIP =
      Orchestration.of("Ship", String.class, String.class);

  private Chain() {}

  static String ship(OrchestrationContext ctx, String order) {
    Parcel parcel = ctx.call(PACK, order).await();
    String label = ctx.call(PRINT_LABEL, parcel).await();
    return ctx.call(HAND_OVER, label).await();
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.activity(PACK, (ctx, order) -> new Parcel(order, 450))
        .activity(PRINT_LABEL, (ctx, parcel) -> parcel.order() + ", " + parcel.grams() + " g")
        .activity(HAND_OVER, (ctx, label) -> "on its way: " + label)
        .orchestration(SHIP, Chain::ship);
  }

  static String run(Client client) {
    client.start(SHIP, "order-7", "order-7");
    return client.waitFor(SHIP, "order-7", Duration.ofMinutes(1));
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.open(Path.of("chain.db"));
        var runtime = register(DuroxideRuntime.builder(store)).start()) {
      System.out.println(run(Client.of(store)));
    }
  }
}
