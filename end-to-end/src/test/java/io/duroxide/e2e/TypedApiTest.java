package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityFailedException;
import io.duroxide.api.Choice;
import io.duroxide.api.DataConversionException;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.EventQueue;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Joined;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.api.Outcome;
import io.duroxide.api.Selected;
import io.duroxide.api.TypeRef;
import io.duroxide.client.ClientException;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.EventKind;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class TypedApiTest {
  private record Order(String id, List<Integer> prices) {}

  private record Receipt(String order, int total) {}

  private static final Activity<Order, Receipt> SUM =
      Activity.of("Sum", Order.class, Receipt.class);
  private static final Activity<Order, List<String>> DESCRIBE =
      Activity.of("Describe", TypeRef.of(Order.class), new TypeRef<List<String>>() {});
  private static final Activity<String, String> TEXT =
      Activity.of("Text", String.class, String.class);
  private static final Activity<Order, Receipt> SLOW =
      Activity.of("Slow", Order.class, Receipt.class);
  private static final ExternalEvent<Receipt> PAID = ExternalEvent.of("Paid", Receipt.class);
  private static final EventQueue<Map<String, Integer>> STOCK =
      EventQueue.of("Stock", new TypeRef<Map<String, Integer>>() {});
  private static final Orchestration<Order, Receipt> TYPED =
      Orchestration.of("Typed", Order.class, Receipt.class);
  private static final Orchestration<String, String> PLAIN =
      Orchestration.of("Plain", String.class, String.class);
  private static final Order ORDER = new Order("o-1", List.of(3, 4));

  @Parameter private Mode mode;
  private final CountDownLatch slow = new CountDownLatch(1);
  private World world;

  @BeforeEach
  void open() {
    world = World.open(mode);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private DuroxideRuntime.Builder activities(DuroxideRuntime.Builder node) {
    return node.activity(SUM, (ctx, order) -> sum(order))
        .activity(DESCRIBE, (ctx, order) -> List.of(order.id(), order.prices().toString()))
        .activity(TEXT, (ctx, text) -> "text " + text)
        .activity(
            SLOW,
            (ctx, order) -> {
              slow.countDown();
              ctx.awaitCancelled(World.PATIENCE);
              return sum(order);
            });
  }

  private static Receipt sum(Order order) {
    if (order.prices().isEmpty()) {
      throw new IllegalArgumentException("nothing to sum in " + order.id());
    }
    return new Receipt(order.id(), order.prices().stream().mapToInt(price -> price).sum());
  }

  private void typed(OrchestrationHandler<Order, Receipt> code) {
    world.start(node -> activities(node).orchestration(TYPED, code));
    world.client().start(TYPED, "typed", ORDER);
  }

  private Receipt receipt() {
    return world.client().waitFor(TYPED, "typed", World.PATIENCE);
  }

  private void plain(OrchestrationHandler<String, String> code) {
    world.start(node -> activities(node).orchestration(PLAIN, code));
    world.client().start(PLAIN, "plain", "");
  }

  @Test
  @DisplayName("E2E-070 OR-005 records go in and come out of activity and orchestration")
  void records() {
    typed((ctx, order) -> ctx.call(SUM, order).await());

    assertThat(receipt()).isEqualTo(new Receipt("o-1", 7));
    assertThat(world.events("typed", EventKind.ActivityScheduled.class))
        .extracting(EventKind.ActivityScheduled::input)
        .containsExactly("{\"id\":\"o-1\",\"prices\":[3,4]}");
  }

  @Test
  @DisplayName("E2E-071 a typed event arrives as what was raised")
  void typedEvent() {
    typed((ctx, order) -> ctx.waitFor(PAID).await());
    world.awaitEvent("typed", EventKind.ExternalSubscribed.class);

    world.client().raiseEvent("typed", PAID, new Receipt("paid", 9));

    assertThat(receipt()).isEqualTo(new Receipt("paid", 9));
  }

  @Test
  @DisplayName("E2E-072 a typed message arrives as what was enqueued")
  void typedMessage() {
    typed((ctx, order) -> {
      Map<String, Integer> first = ctx.dequeue(STOCK).await();
      Map<String, Integer> second = ctx.dequeue(STOCK).await();
      return new Receipt("stock", first.get("a") - second.get("b"));
    });
    world.awaitEvent("typed", EventKind.QueueSubscribed.class);

    world.client().enqueue("typed", STOCK, Map.of("a", 10));
    world.client().enqueue("typed", STOCK, Map.of("b", 3));

    assertThat(receipt()).isEqualTo(new Receipt("stock", 7));
  }

  @Test
  @DisplayName("E2E-073 OR-005 a typed orchestration races typed and text activities")
  void typedRacesText() {
    typed((ctx, order) ->
        switch (ctx.select(ctx.call(SLOW, order), ctx.callActivity("Text", "wins"))) {
          case Choice.First<Receipt, String> first -> first.value();
          case Choice.Second<Receipt, String> second -> new Receipt(second.value(), 0);
        });

    assertThat(receipt()).isEqualTo(new Receipt("text wins", 0));
  }

  @Test
  @DisplayName("E2E-074 OR-005 a text orchestration uses typed activities")
  void textUsesTyped() {
    plain((ctx, input) -> {
      Receipt receipt = ctx.call(SUM, ORDER).await();
      return ctx.callActivity("Text", receipt.order() + "=" + receipt.total()).await();
    });

    assertThat(world.output("plain")).isEqualTo("text o-1=7");
  }

  @Test
  @DisplayName("E2E-075 a typed fan-out is collected and joined")
  void fanOut() {
    typed((ctx, order) -> {
      List<DurableFuture<Receipt>> parts = new ArrayList<>();
      for (int price : order.prices()) {
        parts.add(ctx.call(SUM, new Order("p" + price, List.of(price, price))));
      }
      List<Receipt> receipts = ctx.all(parts);
      return new Receipt(
          receipts.get(0).order() + receipts.get(1).order(),
          receipts.stream().mapToInt(Receipt::total).sum());
    });

    assertThat(receipt()).isEqualTo(new Receipt("p3p4", 14));
  }

  @Test
  @DisplayName("E2E-076 activities of different types are joined")
  void differentTypes() {
    typed((ctx, order) -> {
      Joined<Receipt, List<String>> both =
          ctx.join(ctx.call(SUM, order), ctx.call(DESCRIBE, order));
      return new Receipt(String.join("/", both.second().value()), both.first().value().total());
    });

    assertThat(receipt()).isEqualTo(new Receipt("o-1/[3, 4]", 7));
  }

  @Test
  @DisplayName("E2E-077 a typed activity can be limited in time by a timer")
  void timeLimit() {
    typed((ctx, order) ->
        switch (ctx.select(ctx.call(SLOW, order), ctx.timer(Duration.ofSeconds(1)))) {
          case Choice.First<Receipt, Instant> first -> first.value();
          case Choice.Second<Receipt, Instant> second ->
              new Receipt("timeout at " + second.value(), 0);
        });
    world.until(() -> slow.getCount() == 0);

    world.advanceHolding(1, Duration.ofSeconds(1));

    assertThat(receipt()).isEqualTo(new Receipt("timeout at " + world.clock().instant(), 0));
  }

  @Test
  @DisplayName("E2E-078 E2E-079 a mapped future gives the transformed result, alone and in a join")
  void mapped() {
    plain((ctx, input) -> {
      DurableFuture<Integer> total = ctx.call(SUM, ORDER).map(Receipt::total);
      DurableFuture<Integer> length = ctx.call(TEXT, "abc").map(String::length).map(n -> n * 2);
      int alone = total.await();
      return alone + " " + ctx.all(List.of(length, total));
    });

    assertThat(world.output("plain")).isEqualTo("7 [16, 7]");
    assertThat(world.events("plain", EventKind.ActivityScheduled.class)).hasSize(2);
  }

  @Test
  @DisplayName("E2E-080 a mapped future that loses a race still cancels its activity")
  void mappedLoser() {
    plain((ctx, input) -> {
      Selected<String> first =
          ctx.select(List.of(ctx.call(SLOW, ORDER).map(Receipt::order), ctx.call(TEXT, "wins")));
      return first.index() + first.value();
    });

    assertThat(world.output("plain")).isEqualTo("1text wins");
    assertThat(world.history("plain"))
        .filteredOn(event -> event.kind() instanceof EventKind.ActivityCancelRequested)
        .singleElement()
        .satisfies(event -> assertThat(event.source()).isEqualTo(2));
  }

  @Test
  @DisplayName("E2E-081 a failure in a typed join stands at its own place")
  void failureInJoin() {
    plain((ctx, input) -> {
      List<Outcome<Receipt>> outcomes =
          ctx.join(
              List.of(
                  ctx.call(SUM, ORDER),
                  ctx.call(SUM, new Order("empty", List.of())),
                  ctx.call(SUM, new Order("o-2", List.of(1)))));
      StringBuilder text = new StringBuilder();
      for (Outcome<Receipt> outcome : outcomes) {
        text.append(
            switch (outcome) {
              case Outcome.Success<Receipt> success -> success.value().total() + ";";
              case Outcome.Failure<Receipt> failure -> failure.failure().getMessage() + ";";
            });
      }
      return text.toString();
    });

    assertThat(world.output("plain")).isEqualTo("7;nothing to sum in empty;1;");
  }

  @Test
  @DisplayName("E2E-082 OR-005 an input the activity cannot read is an activity failure")
  void undecodableInput() {
    plain((ctx, input) -> {
      try {
        return ctx.callActivity("Sum", "no order").await();
      } catch (ActivityFailedException e) {
        return (e.details().kind() instanceof ApplicationErrorKind.ActivityFailed)
            + " "
            + e.getMessage();
      }
    });

    assertThat(world.output("plain")).startsWith("true decode failed: 'no order'");
    assertThat(world.events("plain", EventKind.ActivityFailed.class)).hasSize(1);
  }

  @Test
  @DisplayName("E2E-083 OR-005 an event payload that cannot be read is an error the code can catch")
  void undecodableEvent() {
    plain((ctx, input) -> {
      try {
        return ctx.waitFor(PAID).await().order();
      } catch (DataConversionException e) {
        return "caught " + e.getMessage() + "; then " + ctx.waitFor(PAID).await().order();
      }
    });
    world.awaitEvent("plain", EventKind.ExternalSubscribed.class);

    world.client().raiseEvent("plain", "Paid", "garbage");
    world.until(() -> world.events("plain", EventKind.ExternalSubscribed.class).size() == 2);
    world.client().raiseEvent("plain", PAID, new Receipt("fine", 1));

    assertThat(world.output("plain"))
        .startsWith("caught decode failed: 'garbage'")
        .endsWith("; then fine");
  }

  @Test
  @DisplayName(
      "E2E-084 a typed wait gives the value, the error text, or says the output is unreadable")
  void typedWait() {
    world.start(node ->
        node.orchestration(
            PLAIN,
            (ctx, input) -> {
              if (input.equals("fail")) {
                throw new OrchestrationFailure("failed on purpose");
              }
              return input;
            }));
    world.client().start(PLAIN, "good", "{\"order\":\"o\",\"total\":5}");
    world.client().start(PLAIN, "failing", "fail");
    world.client().start(PLAIN, "unreadable", "no receipt");
    Orchestration<String, Receipt> asReceipt =
        Orchestration.of("Plain", String.class, Receipt.class);

    assertThat(world.client().waitFor(asReceipt, "good", World.PATIENCE))
        .isEqualTo(new Receipt("o", 5));
    assertThatThrownBy(() -> world.client().waitFor(asReceipt, "failing", World.PATIENCE))
        .isInstanceOf(ClientException.OrchestrationFailed.class)
        .hasMessage("failed on purpose");
    assertThatThrownBy(() -> world.client().waitFor(asReceipt, "unreadable", World.PATIENCE))
        .isInstanceOf(ClientException.InvalidInput.class)
        .hasMessageContaining("no receipt");
  }
}
