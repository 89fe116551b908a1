package io.duroxide.examples;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.TypeRef;
import io.duroxide.client.Client;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;

/** Many at once: every supplier is asked for a quote at the same time, the cheapest wins. */
public final class FanOut {
  record Quote(String supplier, int euros) {}

  static final Activity<String, Quote> QUOTE = Activity.of("Quote", String.class, Quote.class);
  static final Orchestration<List<String>, Quote> CHEAPEST =
      Orchestration.of("Cheapest", new TypeRef<List<String>>() {}, Quote.class);

  private FanOut() {}

  static Quote cheapest(OrchestrationContext ctx, List<String> suppliers) {
    var asked = suppliers.stream().map(supplier -> ctx.call(QUOTE, supplier)).toList();
    List<Quote> quotes = ctx.all(asked);
    return quotes.stream().min(Comparator.comparingInt(Quote::euros)).orElseThrow();
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.activity(QUOTE, (ctx, supplier) -> new Quote(supplier, 10 * supplier.length()))
        .orchestration(CHEAPEST, FanOut::cheapest);
  }

  static Quote run(Client client) {
    client.start(CHEAPEST, "chairs", List.of("Acme", "Bolt & Co", "Zed"));
    return client.waitFor(CHEAPEST, "chairs", Duration.ofMinutes(1));
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.open(Path.of("fan-out.db"));
        var runtime = register(DuroxideRuntime.builder(store)).start()) {
      System.out.println(run(Client.of(store)));
    }
  }
}
