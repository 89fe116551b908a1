package io.duroxide.examples;

import io.duroxide.api.Awaited.Got;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
import io.duroxide.client.FirstMail;
import io.duroxide.client.StartOptions;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A till that closes when nothing is sold for a while, and is opened again by the next sale. */
public final class TillMailbox {
  static final EventQueue<Integer> SALES = EventQueue.of("Sales", Integer.class);
  static final Orchestration<String, String> TILL =
      Orchestration.of("Till", String.class, String.class);

  private TillMailbox() {}

  static String till(OrchestrationContext ctx, String ignored) {
    int sales = ctx.kv().get("sales", Integer.class).orElse(0);
    int total = ctx.kv().get("total", Integer.class).orElse(0);
    while (ctx.dequeue(SALES).await(Duration.ofMillis(200)) instanceof Got(var amount)) {
      sales++;
      total += amount;
    }
    ctx.kv().put("sales", sales);
    ctx.kv().put("total", total);
    return "sales: " + sales + ", total: " + total;
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.orchestration(TILL, TillMailbox::till).endsWhenRead(SALES);
  }

  static void sell(Client client, int amount) {
    client.startAndEnqueue(
        TILL, "till", "", FirstMail.to(SALES, List.of(amount)), StartOptions.restartIfEnded());
  }

  static List<String> run(Client client) {
    List<String> seen = new ArrayList<>();
    sell(client, 10);
    seen.add(client.waitFor(TILL, "till", Duration.ofMinutes(1)));
    sell(client, 20);
    sell(client, 30);
    seen.add(client.waitFor(TILL, "till", Duration.ofMinutes(1)));
    return seen;
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.open(Path.of("till-mailbox.db"));
        var runtime = register(DuroxideRuntime.builder(store)).start()) {
      run(Client.of(store)).forEach(System.out::println);
    }
  }
}
