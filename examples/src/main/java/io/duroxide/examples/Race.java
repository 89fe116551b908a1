package io.duroxide.examples;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityContext;
import io.duroxide.api.Choice3.First;
import io.duroxide.api.Choice3.Second;
import io.duroxide.api.Choice3.Third;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;

/** The first one wins: two taxi firms are asked, nobody waits longer than five minutes. */
public final class Race {
  static final Activity<String, String> ORDER_TAXI =
      Activity.of("OrderTaxi", String.class, String.class);
  static final Orchestration<String, String> PICK_UP =
      Orchestration.of("PickUp", String.class, String.class);

  private Race() {}

  static String pickUp(OrchestrationContext ctx, String guest) {
    var north = ctx.call(ORDER_TAXI, "North Cabs");
    var south = ctx.call(ORDER_TAXI, "South Cabs");
    var deadline = ctx.timer(Duration.ofMinutes(5));
    return switch (ctx.select(north, south, deadline)) {
      case First(var taxi) -> guest + " takes " + taxi;
      case Second(var taxi) -> guest + " takes " + taxi;
      case Third(var time) -> guest + " walks";
    };
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.activity(ORDER_TAXI, Race::orderTaxi).orchestration(PICK_UP, Race::pickUp);
  }

  /** South Cabs let the phone ring until the caller gives up. */
  static String orderTaxi(ActivityContext ctx, String firm) throws InterruptedException {
    if (firm.equals("South Cabs")) {
      ctx.awaitCancelled(Duration.ofMinutes(10));
    }
    return "a taxi of " + firm;
  }

  static String run(Client client) {
    client.start(PICK_UP, "guest-12", "Ms Okoro");
    return client.waitFor(PICK_UP, "guest-12", Duration.ofMinutes(1));
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.open(Path.of("race.db"));
        var runtime = register(DuroxideRuntime.builder(store)).start()) {
      System.out.println(run(Client.of(store)));
    }
  }
}
