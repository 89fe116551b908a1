package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.DurableFuture;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.model.EventKind;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A first turn")
class FirstTurnTest extends EachStoreScenario {
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Orchestration<String, String> CHILD =
      Orchestration.of("Child", String.class, String.class);
  private static final ExternalEvent<String> EVENT = ExternalEvent.of("E", String.class);

  private final AtomicInteger runs = new AtomicInteger();

  /** A status, a value, a timer and a child, all in the first turn. */
  private void register(DuroxideRuntime.Builder node) {
    node.orchestration(
        FLOW,
        (ctx, in) -> {
          runs.incrementAndGet();
          ctx.setCustomStatus("begun");
          ctx.kv().putText("key", "value");
          DurableFuture<String> child = ctx.call(CHILD, in);
          ctx.select(List.of(ctx.timer(Duration.ofHours(1)), child));
          return child.await();
        });
    node.orchestration(CHILD, (ctx, in) -> in + ctx.waitFor(EVENT).await());
  }

  @Test
  @DisplayName("RL-057 with status, value, timer and child runs once")
  void once() {
    Faults faults = new Faults();
    faults.beginStarts();
    world.decorate(faults::on);
    DuroxideRuntime node = world.start(this::register);
    world.client().start(FLOW, "x", "in");
    world.awaitEvent("x", EventKind.SubOrchestrationScheduled.class);

    assertThat(runs).hasValue(1);
    assertThat(node.metrics().turnsInVain()).isZero();
    assertThat(faults.count(Faults.START)).isEqualTo(1);
    assertThat(world.events("x", EventKind.TimerCreated.class)).hasSize(1);
    assertThat(world.store().customStatus("x", 0)).isPresent();
    assertThat(world.store().kvValue("x", "key")).contains("value");
  }
}
