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
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.provider.Provider;
import io.duroxide.provider.TagFilter;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import java.nio.file.Path;
import java.time.Duration;

/** An order: stock is held, a human approves, the card is charged; a refusal undoes the hold. */
public final class OrderProcess {
  record Order(String id, String item, int cents) {}

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
    ctx.setCustomStatus("reserving");
    var fraud = ctx.call(CHECK_FRAUD, order);
    var held = ctx.call(RESERVE, order, retry(5)).await();
    try (var saga = ctx.saga()) {
      saga.undo(RELEASE, held);
      if (fraud.await().score() > 80) {
        throw new OrderRejected("fraud");
      }
      ctx.setCustomStatus("waiting for approval");
      switch (ctx.waitFor(APPROVAL).await(Duration.ofHours(24))) {
        case Got<Approval>(var a) when a.ok() -> ctx.log().info("approved by {}", a.by());
        case Got<Approval>(var a) -> throw new OrderRejected("by " + a.by());
        case TimedOut<Approval> t -> throw new OrderRejected("no answer");
      }
      var payment =
          ctx.call(CHARGE, order, options().tag("payments").timeout(Duration.ofSeconds(30)))
              .await();
      saga.commit();
      return new Receipt(payment.id());
    }
  }

  public static void main(String[] args) {
    try (Provider store = SqliteProvider.open(Path.of("orders.db"))) {
      Order order = new Order("7", "lamp", 4_900);
      System.out.println("approved: " + run(store, "order-7", order, new Approval(true, "kim")));
      System.out.println("refused:  " + run(store, "order-8", order, new Approval(false, "kim")));
    }
  }

  static OrchestrationStatus run(Provider store, String instance, Order order, Approval answer) {
    RuntimeOptions serving =
        RuntimeOptions.builder().tags(TagFilter.defaultAnd("payments")).build();
    try (var runtime =
        DuroxideRuntime.builder(store)
            .options(serving)
            .activity(CHECK_FRAUD, (ctx, o) -> new Fraud(o.cents() > 1_000_000 ? 99 : 1))
            .activity(RESERVE, (ctx, o) -> new Hold("hold-" + o.id()))
            .activity(RELEASE, (ctx, hold) -> "released " + hold.id())
            .activity(CHARGE, (ctx, o) -> new Payment("pay-" + o.id()))
            .orchestration(PROCESS, OrderProcess::process)
            .start()) {
      var client = Client.of(store);
      client.start(PROCESS, instance, order);
      client.waitForCustomStatus(instance, "waiting for approval", Duration.ofSeconds(5));
      client.raiseEvent(instance, APPROVAL, answer);
      return client.waitForCompletion(instance, Duration.ofSeconds(5));
    }
  }
}
