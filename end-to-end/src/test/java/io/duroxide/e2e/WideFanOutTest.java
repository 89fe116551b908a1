package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Orchestration;
import io.duroxide.model.EventKind;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class WideFanOutTest extends Scenario {
  private static final int WIDTH = 1_500;
  private static final Orchestration<Integer, Integer> SUM =
      Orchestration.of("Sum", Integer.class, Integer.class);
  private static final Activity<Integer, Integer> DOUBLE =
      Activity.of("Double", Integer.class, Integer.class);

  @Test
  @DisplayName("E2E-970 1500 activities at once are joined")
  void wide() {
    AtomicInteger calls = new AtomicInteger();
    world.start(
        world.options().workerConcurrency(16),
        node ->
            node.activity(
                    DOUBLE,
                    (ctx, n) -> {
                      calls.incrementAndGet();
                      return 2 * n;
                    })
                .orchestration(
                    SUM,
                    (ctx, width) -> {
                      List<DurableFuture<Integer>> futures =
                          IntStream.range(0, width).mapToObj(n -> ctx.call(DOUBLE, n)).toList();
                      return ctx.all(futures).stream().mapToInt(Integer::intValue).sum();
                    }));

    world.client().start(SUM, "wide", WIDTH);

    assertThat(world.output("wide")).isEqualTo(Integer.toString(WIDTH * (WIDTH - 1)));
    assertThat(calls).hasValue(WIDTH);
    assertThat(world.events("wide", EventKind.ActivityCompleted.class)).hasSize(WIDTH);
  }
}
