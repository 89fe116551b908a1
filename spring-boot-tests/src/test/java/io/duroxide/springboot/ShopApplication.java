package io.duroxide.springboot;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityContext;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.Client;
import io.duroxide.provider.Provider;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.springboot.Order.Line;
import io.duroxide.springboot.Order.Offer;
import io.duroxide.springboot.Order.Payment;
import io.duroxide.springboot.Order.Receipt;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;

/** A shop whose payloads are typed: an order is priced by an activity and paid by an event. */
@SpringBootApplication(proxyBeanMethods = false)
class ShopApplication {
  static final Activity<Order, Offer> PRICE = Activity.of("Price", Order.class, Offer.class);
  static final ExternalEvent<Payment> PAID = ExternalEvent.of("paid", Payment.class);
  static final Orchestration<Order, Receipt> SELL =
      Orchestration.of("Sell", Order.class, Receipt.class);

  @Bean
  Provider store(@Value("${shop.store}") Path file) {
    return SqliteProvider.open(file);
  }

  @Bean
  DuroxideRuntime runtime(Provider store) {
    return DuroxideRuntime.builder(store)
        .activity(PRICE, ShopApplication::price)
        .orchestration(SELL, ShopApplication::sell)
        .start();
  }

  @Bean
  Client client(Provider store) {
    return Client.of(store);
  }

  private static Offer price(ActivityContext ctx, Order order) {
    BigDecimal total =
        order.lines().stream()
            .map(line -> line.price().multiply(BigDecimal.valueOf(line.count())))
            .reduce(BigDecimal.ZERO, BigDecimal::add);
    Optional<Line> gift =
        order.customer().level() == Order.Level.REGULAR
            ? Optional.of(new Line("biscuit", 1, BigDecimal.ZERO))
            : Optional.empty();
    return new Offer(total, Duration.ofMinutes(90), gift);
  }

  private static Receipt sell(OrchestrationContext ctx, Order order) {
    ctx.kv().put("offer", ctx.call(PRICE, order).await());
    ctx.setCustomStatus("offered");
    Payment payment = ctx.waitFor(PAID).await();
    return new Receipt(order, ctx.kv().get("offer", Offer.class).orElseThrow(), payment);
  }
}
