package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class HistoryPropertiesTest {
  private static final int FLOWS = 20;
  private static final Activity<Integer, Integer> WORK =
      Activity.of("Work", Integer.class, Integer.class);
  private static final Orchestration<Integer, Integer> FLOW =
      Orchestration.of("Flow", Integer.class, Integer.class);

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

  /** Any program: what it does follows from its seed alone. */
  private static int program(OrchestrationContext ctx, int seed) {
    Random random = new Random(seed);
    int sum = 0;
    for (int step = random.nextInt(4); step >= 0; step--) {
      sum +=
          switch (random.nextInt(4)) {
            case 0 -> ctx.call(WORK, step).await();
            case 1 -> fanOut(ctx, random.nextInt(6));
            case 2 -> ctx.timer(Duration.ZERO).map(due -> 1).await();
            default -> ctx.newGuid().toString().length();
          };
    }
    if (seed % 5 == 3) {
      throw new OrchestrationFailure("flow " + seed + " fails");
    }
    if (seed % 5 == 4 && ctx.executionId() < 3) {
      return ctx.continueAsNew(seed);
    }
    return sum;
  }

  private static int fanOut(OrchestrationContext ctx, int width) {
    List<DurableFuture<Integer>> all = new ArrayList<>();
    for (int i = 0; i < width; i++) {
      all.add(ctx.call(WORK, i));
    }
    return ctx.all(all).stream().mapToInt(n -> n).sum();
  }

  /** The histories of all executions of many flows. */
  private List<List<Event>> histories() {
    world.start(node ->
        node.activity(WORK, (ctx, number) -> number + 1)
            .orchestration(FLOW, HistoryPropertiesTest::program));
    for (int seed = 0; seed < FLOWS; seed++) {
      world.client().start(FLOW, "flow-" + seed, seed);
    }
    List<List<Event>> histories = new ArrayList<>();
    for (int seed = 0; seed < FLOWS; seed++) {
      String instance = "flow-" + seed;
      world.end(instance);
      for (long id : world.store().management().orElseThrow().listExecutions(instance)) {
        histories.add(world.history(instance, id));
      }
    }
    assertThat(histories).hasSize(FLOWS + 2 * FLOWS / 5);
    return histories;
  }

  @Test
  @DisplayName(
      "E2E-790 E2E-791 E2E-792 event ids have no gaps, one end comes last, every activity has one"
          + " outcome")
  void wellFormed() {
    for (List<Event> history : histories()) {
      assertThat(history.stream().map(Event::id))
          .containsExactlyElementsOf(LongStream.rangeClosed(1, history.size()).boxed().toList());

      assertThat(history)
          .filteredOn(event -> event.kind() instanceof EventKind.Terminal)
          .hasSize(1);
      assertThat(history.getLast().kind()).isInstanceOf(EventKind.Terminal.class);
      assertThat(history.getFirst().kind()).isInstanceOf(EventKind.OrchestrationStarted.class);

      assertThat(
              history.stream()
                  .filter(event -> event.kind() instanceof EventKind.Completion)
                  .map(Event::source))
          .containsExactlyInAnyOrderElementsOf(
              history.stream()
                  .filter(event -> event.kind() instanceof EventKind.Schedule)
                  .map(Event::id)
                  .toList());
    }
  }

  @Test
  @DisplayName("E2E-793 n activities make at least 2n+2 events")
  void eventCount() {
    for (List<Event> history : histories()) {
      int activities =
          (int)
              history.stream()
                  .filter(event -> event.kind() instanceof EventKind.ActivityScheduled)
                  .count();
      assertThat(history).hasSizeGreaterThanOrEqualTo(2 * activities + 2);
    }
  }
}
