package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ContinueOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.model.EventKind;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Nodes that know different code and take whatever they find. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class RollingDeploymentTest {
  private static final Activity<String, String> ECHO =
      Activity.of("Echo", String.class, String.class);
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);

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

  @Test
  @DisplayName("E2E-822 work that bounced off nodes without its activity is done after the upgrade")
  void activityArrivesLater() {
    AtomicInteger attempt = new AtomicInteger();
    for (int i = 0; i < 2; i++) {
      world.start(greedy(), node -> calling(node));
    }
    world.client().start(FLOW, "f", "in");
    world.awaitEvent("f", EventKind.ActivityScheduled.class);
    Quiet.await(world);
    world.stopRuntimes();

    for (int i = 0; i < 3; i++) {
      world.start(
          greedy(),
          node ->
              calling(node)
                  .activity(
                      ECHO,
                      (ctx, in) -> {
                        attempt.set(ctx.attempt());
                        return in;
                      }));
    }
    world.advance(Duration.ofSeconds(1));

    assertThat(world.output("f")).isEqualTo("in");
    assertThat(attempt).hasValue(2);
  }

  private static DuroxideRuntime.Builder calling(DuroxideRuntime.Builder node) {
    return node.orchestration(FLOW, (ctx, in) -> ctx.call(ECHO, in).await());
  }

  @Test
  @DisplayName(
      "E2E-822 a continuation to a version two nodes lack bounces until the third takes it")
  void versionOnOneNode() {
    for (int i = 0; i < 2; i++) {
      world.start(greedy(), node -> firstVersion(node));
    }
    world.client().start(FLOW, "f", "in");
    world.awaitEvent("f", EventKind.OrchestrationContinuedAsNew.class);

    world.start(
        greedy(), node -> firstVersion(node).orchestration(FLOW, "2.0.0", (ctx, in) -> "v2 " + in));
    world.until(() -> {
      world.advance(Duration.ofMillis(50));
      return world.client().status("f").isTerminal();
    });

    assertThat(world.output("f")).isEqualTo("v2 in");
    assertThat(world.store().management().orElseThrow().listExecutions("f"))
        .containsExactly(1L, 2L);
  }

  private static DuroxideRuntime.Builder firstVersion(DuroxideRuntime.Builder node) {
    return node.orchestration(
        FLOW, "1.0.0", (ctx, in) -> ctx.continueAsNew(in, ContinueOptions.version("2.0.0")));
  }

  /** Takes work it has no code for, and has patience with it. */
  private RuntimeOptions.Builder greedy() {
    return world
        .options()
        .fetchOnlyRegistered(false)
        .maxAttempts(10_000)
        .unregisteredBackoff(Duration.ofMillis(50), Duration.ofMillis(50))
        .orchestratorLockTimeout(Duration.ofHours(1));
  }
}
