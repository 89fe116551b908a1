package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.model.ActivityAttempt;
import io.duroxide.model.EventKind;
import io.duroxide.provider.ProviderException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** What histories tell of the runs of activities. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class RecordedAttemptsTest {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);

  private final Faults faults = new Faults();

  @Parameter private Mode mode;
  private World world;

  @BeforeEach
  void open() {
    world = World.open(mode);
    world.decorate(faults::on);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private void node(String name, int localSteps) {
    world.start(
        world.options().workerNodeId(name).localSteps(localSteps),
        node ->
            node.activity(WORK, (ctx, in) -> in + " by " + ctx.workerId())
                .orchestration(
                    FLOW, (ctx, in) -> ctx.call(WORK, ctx.call(WORK, in).await()).await()));
  }

  private List<ActivityAttempt> attempts(String instance) {
    return world.events(instance, EventKind.ActivityCompleted.class).stream()
        .map(EventKind.ActivityCompleted::attempt)
        .toList();
  }

  @Test
  @DisplayName("outcomes name their worker and attempt, by the queue and by the short cut")
  void workers() {
    for (int localSteps : List.of(0, 100)) {
      String instance = "flow-" + localSteps;
      node("a", localSteps);
      world.client().start(FLOW, instance, "x");

      assertThat(world.output(instance)).isEqualTo("x by work-a by work-a");
      ActivityAttempt first = new ActivityAttempt(world.clock().instant(), "work-a", 1);
      assertThat(attempts(instance)).containsExactly(first, first);
      world.stopRuntimes();
    }
  }

  @Test
  @DisplayName("after a crash the outcome is of the second attempt, on the other worker, then")
  void crash() {
    faults.failNext("ackWorkItem", Integer.MAX_VALUE, ProviderException.Kind.UNAVAILABLE);
    node("a", 0);
    world.client().start(FLOW, "flow", "x");
    world.until(() -> faults.count("ackWorkItem") > 0);

    faults.failNext("abandonWorkItem", Integer.MAX_VALUE, ProviderException.Kind.UNAVAILABLE);
    world.restart();
    faults.failNext("ackWorkItem", 0, ProviderException.Kind.UNAVAILABLE);
    world.advance(Duration.ofSeconds(30));
    node("b", 0);

    assertThat(world.output("flow")).isEqualTo("x by work-b by work-b");
    Instant then = world.clock().instant();
    assertThat(attempts("flow"))
        .containsExactly(
            new ActivityAttempt(then, "work-b", 2), new ActivityAttempt(then, "work-b", 1));
  }
}
