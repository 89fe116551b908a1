package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityFailedException;
import io.duroxide.api.Orchestration;
import io.duroxide.model.EventKind;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class SagaFlowsTest {
  private static final Activity<String, String> DEBIT =
      Activity.of("Debit", String.class, String.class);
  private static final Activity<String, String> SHIP =
      Activity.of("Ship", String.class, String.class);
  private static final Activity<String, String> REFUND =
      Activity.of("Refund", String.class, String.class);
  private static final Orchestration<String, String> ORDER =
      Orchestration.of("Order", String.class, String.class);

  private final Queue<String> done = new ConcurrentLinkedQueue<>();

  @Parameter private Mode mode;
  private World world;

  @BeforeEach
  void open() {
    world = World.open(mode);
  }

  @AfterEach
  void close() {
    world.close();
  }

  /** An order of which one step does not work. */
  private void shop(String broken) {
    world.start(node ->
        node.activity(DEBIT, (ctx, order) -> work(DEBIT, order, broken))
            .activity(SHIP, (ctx, order) -> work(SHIP, order, broken))
            .activity(REFUND, (ctx, order) -> work(REFUND, order, broken))
            .orchestration(
                ORDER,
                (ctx, order) -> {
                  String debit = ctx.call(DEBIT, order).await();
                  try {
                    return ctx.call(SHIP, debit).await();
                  } catch (ActivityFailedException e) {
                    return ctx.call(REFUND, debit).await() + " because " + e.getMessage();
                  }
                }));
    world.client().start(ORDER, "order", "7");
  }

  private String work(Activity<String, String> step, String order, String broken) {
    done.add(step.name());
    if (step.name().equals(broken)) {
      throw new IllegalStateException(broken + " is broken");
    }
    return step.name() + "(" + order + ")";
  }

  private List<String> scheduled() {
    return world.events("order", EventKind.ActivityScheduled.class).stream()
        .map(EventKind.ActivityScheduled::name)
        .toList();
  }

  @Test
  @DisplayName("E2E-013 OR-002 a failed shipment is refunded, once")
  void refund() {
    shop("Ship");

    assertThat(world.output("order")).isEqualTo("Refund(Debit(7)) because Ship is broken");
    assertThat(done).containsExactly("Debit", "Ship", "Refund");
  }

  @Test
  @DisplayName("E2E-014 OR-002 nothing is undone when all goes well")
  void success() {
    shop("nothing");

    assertThat(world.output("order")).isEqualTo("Ship(Debit(7))");
    assertThat(scheduled()).containsExactly("Debit", "Ship");
  }

  @Test
  @DisplayName("E2E-015 OR-002 a failed debit ends the order before anything ships")
  void earlyFailure() {
    shop("Debit");

    assertThat(world.failure("order")).isEqualTo("Debit is broken");
    assertThat(scheduled()).containsExactly("Debit");
    assertThat(done).containsExactly("Debit");
  }
}
