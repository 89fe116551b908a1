package io.duroxide.springboot;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.zaxxer.hikari.HikariConfig;
import io.duroxide.client.Client;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.springboot.Order.Customer;
import io.duroxide.springboot.Order.Level;
import io.duroxide.springboot.Order.Line;
import io.duroxide.springboot.Order.Offer;
import io.duroxide.springboot.Order.Payment;
import io.duroxide.springboot.Order.Receipt;
import java.math.BigDecimal;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.postgresql.Driver;
import org.slf4j.Logger;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import org.sqlite.JDBC;
import tools.jackson.core.JsonParser;
import tools.jackson.databind.json.JsonMapper;

@DisplayName("An application of Spring Boot")
class TypedPayloadTest {
  private static final Duration SOON = Duration.ofSeconds(60);
  private static final Order ORDER =
      new Order(
          new Customer("Ada", Level.REGULAR),
          List.of(
              new Line("tea", 2, new BigDecimal("4.50")), new Line("pot", 1, new BigDecimal("21"))),
          Instant.parse("2026-03-01T12:00:00.123456789Z"),
          LocalDate.of(2026, 3, 8),
          Optional.empty());
  private static final Offer OFFER =
      new Offer(
          new BigDecimal("30.00"),
          Duration.ofMinutes(90),
          Optional.of(new Line("biscuit", 1, BigDecimal.ZERO)));
  private static final Payment PAYMENT =
      new Payment(new BigDecimal("30.00"), Instant.parse("2026-03-01T12:05:00Z"));

  @TempDir Path folder;

  @Test
  @DisplayName("takes typed payloads through client, activity, event and key-value store")
  void typedPayloads() {
    try (ConfigurableApplicationContext application = boot()) {
      Client client = application.getBean(Client.class);

      client.start(ShopApplication.SELL, "order-1", ORDER);
      assertThat(client.waitForCustomStatus("order-1", "offered", SOON))
          .isInstanceOf(OrchestrationStatus.Running.class);
      assertThat(client.kv("order-1", "offer", Offer.class)).contains(OFFER);

      client.raiseEvent("order-1", ShopApplication.PAID, PAYMENT);
      assertThat(client.waitFor(ShopApplication.SELL, "order-1", SOON))
          .isEqualTo(new Receipt(ORDER, OFFER, PAYMENT));
    }
  }

  @Test
  @DisplayName("runs with the libraries that its Spring Boot manages")
  void libraries() {
    assertThat(
            Stream.of(
                    SpringApplication.class,
                    Logger.class,
                    JsonProperty.class,
                    JsonParser.class,
                    JsonMapper.class,
                    JDBC.class,
                    Driver.class,
                    HikariConfig.class)
                .map(TypedPayloadTest::jar)
                .collect(Collectors.joining(" ")))
        .isEqualTo(System.getProperty("libraries"));
  }

  private ConfigurableApplicationContext boot() {
    return SpringApplication.run(
        ShopApplication.class,
        "--shop.store=" + folder.resolve("shop.db"),
        "--spring.main.banner-mode=off");
  }

  private static String jar(Class<?> type) {
    String file =
        Path.of(type.getProtectionDomain().getCodeSource().getLocation().getPath())
            .getFileName()
            .toString();
    return file.substring(0, file.length() - ".jar".length());
  }
}
