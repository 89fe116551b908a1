package io.duroxide.examples;

import static io.duroxide.api.ActivityOptions.options;

import io.duroxide.api.Activity;
import io.duroxide.api.Backoff;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.RetryPolicy;
import io.duroxide.client.Client;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;

/** Try again: a bank that is down for a moment does not lose the payment. */
public final class Retry {
  static final RetryPolicy PATIENT =
      RetryPolicy.attempts(5)
          .withBackoff(new Backoff.Exponential(Duration.ofMillis(20), 2.0, Duration.ofSeconds(10)));
  static final Activity<Integer, String> TRANSFER =
      Activity.of("Transfer", Integer.class, String.class)
          .withOptions(options().retry(PATIENT).timeout(Duration.ofMinutes(1)));
  static final Orchestration<Integer, String> PAY_SALARY =
      Orchestration.of("PaySalary", Integer.class, String.class);

  private Retry() {}

  static String paySalary(OrchestrationContext ctx, int euros) {
    return ctx.call(TRANSFER, euros).await();
  }

  /** Refuses its first two callers. */
  static final class Bank {
    private final AtomicInteger calls = new AtomicInteger();

    String transfer(int euros) {
      int call = calls.incrementAndGet();
      if (call <= 2) {
        throw new IllegalStateException("the bank is closed for maintenance");
      }
      return euros + " euros transferred by call " + call;
    }
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    var bank = new Bank();
    return node.activity(TRANSFER, (ctx, euros) -> bank.transfer(euros))
        .orchestration(PAY_SALARY, Retry::paySalary);
  }

  static String run(Client client) {
    client.start(PAY_SALARY, "salary-may", 3_000);
    return client.waitFor(PAY_SALARY, "salary-may", Duration.ofMinutes(1));
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.open(Path.of("retry.db"));
        var runtime = register(DuroxideRuntime.builder(store)).start()) {
      System.out.println(run(Client.of(store)));
    }
  }
}
