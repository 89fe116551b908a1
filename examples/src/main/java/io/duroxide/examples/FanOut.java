package io.duroxide.examples;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.TypeRef;
import io.duroxide.client.Client;
import io.duroxide.provider.Provider;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** Asks many suppliers for a quote at the same time and takes the cheapest. */
public final class FanOut {
  record Quote(String supplier, int cents) {}

  static final Activity<String, Quote> QUOTE = Activity.of("Quote", String.class, Quote.class);
  static final Orchestration<List<String>, Quote> CHEAPEST =
      Orchestration.of("Cheapest", new TypeRef<List<String>>() {}, TypeRef.of(Quote.class));

  private FanOut() {}

  static Quote cheapest(OrchestrationContext ctx, List<String> suppliers) {
    List<Quote> quotes = ctx.all(suppliers.stream().map(s -> ctx.call(QUOTE, s)).toList());
    return quotes.stream().min(Comparator.comparingInt(Quote::cents)).orElseThrow();
  }

  public static void main(String[] args) {
    try (Provider store = SqliteProvider.open(Path.of("fan-out.db"))) {
      System.out.println("cheapest: " + run(store, List.of("acme", "bolt & co", "zeta")));
    }
  }

  static Quote run(Provider store, List<String> suppliers) {
    try (var runtime =
        DuroxideRuntime.builder(store)
            .activity(QUOTE, (ctx, supplier) -> new Quote(supplier, 100 * supplier.length()))
            .orchestration(CHEAPEST, FanOut::cheapest)
            .start()) {
      var client = Client.of(store);
      client.start(CHEAPEST, "quotes-1", suppliers);
      return client.waitFor(CHEAPEST, "quotes-1", Duration.ofSeconds(10));
    }
  }
}
