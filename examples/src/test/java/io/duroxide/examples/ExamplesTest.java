package io.duroxide.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.client.OrchestrationStatus;
import io.duroxide.examples.OrderProcess.Approval;
import io.duroxide.examples.OrderProcess.Order;
import io.duroxide.provider.Provider;
import io.duroxide.provider.sqlite.SqliteProvider;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ExamplesTest {
  private final Provider store = SqliteProvider.inMemory();

  @AfterEach
  void close() {
    store.close();
  }

  @Test
  @DisplayName("hello greets")
  void hello() {
    assertThat(Hello.run(store, "Java")).isEqualTo("Hello, Java!");
  }

  @Test
  @DisplayName("fan-out takes the cheapest quote")
  void fanOut() {
    assertThat(FanOut.run(store, List.of("acme", "bolt & co", "zed")))
        .isEqualTo(new FanOut.Quote("zed", 300));
  }

  @Test
  @DisplayName("an approved order is charged")
  void approvedOrder() {
    OrchestrationStatus status =
        OrderProcess.run(
            store, "order-7", new Order("7", "lamp", 4_900), new Approval(true, "kim"));

    assertThat(status)
        .isInstanceOfSatisfying(
            OrchestrationStatus.Completed.class,
            completed -> assertThat(completed.output()).isEqualTo("{\"payment\":\"pay-7\"}"));
  }

  @Test
  @DisplayName("a refused order fails and releases what it held")
  void refusedOrder() {
    OrchestrationStatus status =
        OrderProcess.run(
            store, "order-8", new Order("8", "lamp", 4_900), new Approval(false, "kim"));

    assertThat(status)
        .isInstanceOfSatisfying(
            OrchestrationStatus.Failed.class,
            failed -> assertThat(failed.details().displayMessage()).isEqualTo("by kim"));
    assertThat(store.read("order-8").toString()).contains("released hold-8");
  }
}
