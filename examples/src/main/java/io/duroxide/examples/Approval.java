package io.duroxide.examples;

import io.duroxide.api.Activity;
import io.duroxide.api.Awaited.Got;
import io.duroxide.api.Awaited.TimedOut;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;

/** A human decides: an expense waits for an answer, but not for ever. */
public final class Approval {
  record Expense(String what, int euros, Duration patience) {}

  record Decision(boolean approved, String by) {}

  static final Activity<Expense, String> PAY = Activity.of("Pay", Expense.class, String.class);
  static final ExternalEvent<Decision> DECISION = ExternalEvent.of("Decision", Decision.class);
  static final Orchestration<Expense, String> EXPENSE =
      Orchestration.of("Expense", Expense.class, String.class);

  private Approval() {}

  static String expense(OrchestrationContext ctx, Expense expense) {
    ctx.setCustomStatus("waiting for a decision");
    return switch (ctx.waitFor(DECISION).await(expense.patience())) {
      case Got(var decision) when decision.approved() -> ctx.call(PAY, expense).await();
      case Got(var decision) -> "refused by " + decision.by();
      case TimedOut() -> "nobody answered";
    };
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.activity(PAY, (ctx, expense) -> "paid " + expense.euros() + " euros")
        .orchestration(EXPENSE, Approval::expense);
  }

  static String decided(Client client, String id, Expense expense, Decision decision) {
    client.start(EXPENSE, id, expense);
    client.waitForCustomStatus(id, "waiting for a decision", Duration.ofMinutes(1));
    client.raiseEvent(id, DECISION, decision);
    return client.waitFor(EXPENSE, id, Duration.ofMinutes(1));
  }

  static String undecided(Client client, String id, Expense expense) {
    client.start(EXPENSE, id, expense);
    return client.waitFor(EXPENSE, id, Duration.ofMinutes(1));
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.open(Path.of("approval.db"));
        var runtime = register(DuroxideRuntime.builder(store)).start()) {
      var client = Client.of(store);
      var chair = new Expense("chair", 300, Duration.ofDays(3));
      System.out.println("chair: " + decided(client, "chair", chair, new Decision(true, "Kim")));
      var yacht = new Expense("yacht", 300_000, Duration.ofDays(3));
      System.out.println("yacht: " + decided(client, "yacht", yacht, new Decision(false, "Kim")));
      var stamps = new Expense("stamps", 3, Duration.ofMillis(50));
      System.out.println("stamps: " + undecided(client, "stamps", stamps));
    }
  }
}
