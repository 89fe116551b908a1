package io.duroxide.examples;

import static io.duroxide.api.ActivityOptions.options;
import static io.duroxide.api.ActivityOptions.retry;

import io.duroxide.api.Activity;
import io.duroxide.api.Awaited.Got;
import io.duroxide.api.Awaited.TimedOut;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.client.Client;
import io.duroxide.client.ClientException;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import java.nio.file.Path;
import java.time.Duration;

/**
 * All together: stock is held, a human approves, the card is charged; a refusal undoes the hold.
 */
public final class OrderProcess {
  record Order(String id, String item, int euros) {}

  record Hold(String id) {}

  record Fraud(int score) {}

  record Approval(boolean ok, String by) {}

  record Payment(String id) {}

  record Receipt(String payment) {}

  /** The order will not be carried out. */
  static final class OrderRejected extends OrchestrationFailure {
    private static final long serialVersionUID = 1L;

    OrderRejected(String reason) {
      super(reason);
    }
  }

  static final Activity<Order, Fraud> CHECK_FRAUD =
      Activity.of("CheckFraud", Order.class, Fraud.class);
  static final Activity<Order, Hold> RESERVE = Activity.of("Reserve", Order.class, Hold.class);
  static final Activity<Hold, String> RELEASE = Activity.of("Release", Hold.class, String.class);
  static final Activity<Order, Payment> CHARGE = Activity.of("Charge", Order.class, Payment.class);
  static final ExternalEvent<Approval> APPROVAL = ExternalEvent.of("Approval", Approval.class);
  static final Orchestration<Order, Receipt> PROCESS =
      Orchestration.of("ProcessOrder", Order.class, Receipt.class);

  private OrderProcess() {}

  static Receipt process(OrchestrationContext ctx, Order order) {
    var fraud = ctx.call(CHECK_FRAUD, order); // runs beside the next line
    var held = ctx.call(RESERVE, order, retry(5)).await();
    try (var saga = ctx.saga()) {
      saga.undo(RELEASE, held);
      if (fraud.await().score() > 80) {
        throw new OrderRejected("fraud");
      }
      ctx.setCustomStatus("waiting for approval");
      switch (ctx.waitFor(APPROVAL).await(Duration.ofHours(24))) {
        case Got(var answer) when answer.ok() -> ctx.log().info("approved by {}", answer.by());
        case Got(var answer) -> throw new OrderRejected("refused by " + answer.by());
        case TimedOut() -> throw new OrderRejected("no answer");
      }
      var payment = ctx.call(CHARGE, order, options().timeout(Duration.ofSeconds(30))).await();
      saga.commit();
      return new Receipt(payment.id());
    }
  }

  static DuroxideRuntime.Builder register(DuroxideRuntime.Builder node) {
    return node.activity(CHECK_FRAUD, (ctx, order) -> new Fraud(order.euros() > 10_000 ? 99 : 1))
        .activity(RESERVE, (ctx, order) -> new Hold("hold-" + order.id()))
        .activity(RELEASE, (ctx, hold) -> "released " + hold.id())
        .activity(CHARGE, (ctx, order) -> new Payment("payment-" + order.id()))
        .orchestration(PROCESS, OrderProcess::process);
  }

  static String run(Client client, Order order, Approval answer) {
    client.start(PROCESS, order.id(), order);
    client.waitForCustomStatus(order.id(), "waiting for approval", Duration.ofMinutes(1));
    client.raiseEvent(order.id(), APPROVAL, answer);
    try {
      return "charged: " + client.waitFor(PROCESS, order.id(), Duration.ofMinutes(1)).payment();
    } catch (ClientException.OrchestrationFailed e) {
      return "rejected: " + e.getMessage();
    }
  }

  public static void main(String[] args) {
    try (var store = SqliteProvider.open(Path.of("order-process.db"));
        var runtime = register(DuroxideRuntime.builder(store)).start()) {
      var client = Client.of(store);
      System.out.println(run(client, new Order("7", "lamp", 49), new Approval(true, "Kim")));
      System.out.println(run(client, new Order("8", "lamp", 49), new Approval(false, "Kim")));
    }
  }
}
