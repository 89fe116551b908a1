package io.duroxide.examples;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.api.Outcome;
import io.duroxide.api.TypeRef;
import io.duroxide.client.Client;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Orchestrations that call orchestrations: a month is closed shop by shop. */
public final class Children {
  static final Activity<String, Integer> COUNT_TILL =
      Activity.of("CountTill", String.class, Integer.class);
  static final Orchestration<String, Integer> CLOSE_SHOP =
      Orchestration.of("CloseShop", String.class, Integer.class);
  static final Orchestration<List<String>, String> CLOSE_MONTH =
      Orchestration.of("CloseMonth", new TypeRef<List<String>>() {}, String.class);

  private Children() {}

  static String closeMonth(OrchestrationContext ctx, List<String> shops) {
    var closing = shops.stream().map(shop -> ctx.call(CLOSE_SHOP, shop)).toList();
    int euros = 0;
    List<String> open = new ArrayList<>();
    for (Outcome<Integer> shop : ctx.join(closing)) {
      switch (shop) {
        case Outcome.Success(var takings) -> euros += takings;
        case Outcome.Failure(var failure) -> open.add(failure.getMessage());
      }
    }
    return euros + " euros, still open: " + open;
  }

  static int closeShop(OrchestrationContext ctx, String shop) {
    int euros = ctx.call(COUNT_TILL, shop).await();
    if (euros < 0) {
      throw new OrchestrationFailure(shop + " is short of money");
    }
    return euros;
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.activity(COUNT_TILL, (ctx, shop) -> shop.equals("harbour") ? -20 : 350)
        .orchestration(CLOSE_SHOP, Children::closeShop)
        .orchestration(CLOSE_MONTH, Children::closeMonth);
  }

  static String run(Client client) {
    client.start(CLOSE_MONTH, "may", List.of("market", "harbour", "station"));
    return client.waitFor(CLOSE_MONTH, "may", Duration.ofMinutes(1));
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.open(Path.of("children.db"));
        var runtime = register(DuroxideRuntime.builder(store)).start()) {
      System.out.println(run(Client.of(store)));
    }
  }
}
