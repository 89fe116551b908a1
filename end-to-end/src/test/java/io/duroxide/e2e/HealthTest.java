package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.telemetry.Health;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What a runtime says of itself. */
class HealthTest extends Scenario {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> FLOW = texts("Flow");

  @Test
  @DisplayName("E2E-767 a runtime is up while its store answers, and down when it is closed")
  void life() {
    DuroxideRuntime runtime = world.start(n -> n.orchestration(FLOW, (ctx, in) -> in));
    world.client().start(FLOW, "i", "x");
    world.output("i");

    assertThat(runtime.health().problems()).isEmpty();
    assertThat(runtime.health().status()).isEqualTo(Health.Status.UP);
    world.until(() -> runtime.metrics().orchestrations().completions() == 1);
    runtime.close();
    assertThat(runtime.health().status()).isEqualTo(Health.Status.DOWN);
    assertThat(runtime.metrics().orchestrations().completions()).isEqualTo(1);
  }

  @Test
  @DisplayName("E2E-767 an unreachable store is named with its error until it answers again")
  void storeDown() {
    Faults faults = new Faults();
    world.decorate(faults::on);
    DuroxideRuntime runtime =
        world.start(
            world.options().longPollTimeout(Duration.ofMillis(50)),
            n -> n.orchestration(FLOW, (ctx, in) -> in));

    faults.down(true);
    world.until(() -> runtime.health().problems().size() == 2);
    assertThat(runtime.health().problems())
        .allMatch(text -> text.contains("The store has failed to answer") && text.contains("down"));
    assertThat(runtime.health().status()).isNotEqualTo(Health.Status.UP);

    faults.down(false);
    world.until(() -> runtime.health().status() == Health.Status.UP);
  }

  @Test
  @DisplayName(
      "RL-017 a node that lost a class to a shortage of memory says so, though starts work")
  void brokenClass() {
    Faults faults = new Faults();
    faults.beginStarts();
    faults.throwNext(
        "fetchOrchestrationItems",
        Integer.MAX_VALUE,
        new NoClassDefFoundError("Could not initialize class io.duroxide.Example"));
    world.decorate(faults::on);
    DuroxideRuntime runtime = world.start(n -> n.orchestration(FLOW, (ctx, in) -> in));

    world.until(() -> runtime.health().status() == Health.Status.DOWN);
    world.client().start(FLOW, "i", "x");
    assertThat(world.client().status("i").isTerminal()).isTrue();
    assertThat(runtime.health().status()).isEqualTo(Health.Status.DOWN);
    assertThat(runtime.health().problems().toString()).contains("io.duroxide.Example", "restart");
  }

  @Test
  @DisplayName(
      "E2E-767 a missing handler, poison and a handler that does not stop are said in words")
  void troubles() {
    CountDownLatch stubborn = new CountDownLatch(1);
    DuroxideRuntime runtime =
        world.start(
            world
                .options()
                .fetchOnlyRegistered(false)
                .maxAttempts(1)
                .cancellationGracePeriod(Duration.ofMillis(10)),
            n ->
                n.activity(WORK, (ctx, in) -> wait(stubborn))
                    .orchestration(
                        FLOW,
                        (ctx, in) ->
                            ctx.select(ctx.call(WORK, in), ctx.waitForEvent("go")).toString()));
    world.client().start(texts("Absent"), "absent", "x");
    world.until(() -> runtime.health().problems().toString().contains("for orchestration Absent"));
    world.until(() -> {
      world.advance(Duration.ofSeconds(2));
      return world.client().status("absent").isTerminal();
    });
    world.until(() -> runtime.health().problems().toString().contains("given up as poison"));

    world.client().start(FLOW, "f", "x");
    world.until(() -> runtime.health().facts().get("activities in progress").startsWith("1 of"));
    world.client().raiseEvent("f", "go", "");
    world.until(() -> runtime.health().problems().toString().contains("did not stop"));
    stubborn.countDown();
    world.until(() -> !runtime.health().problems().toString().contains("did not stop"));
  }

  private static String wait(CountDownLatch latch) {
    while (true) {
      try {
        latch.await(World.PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        return "";
      } catch (InterruptedException e) {
        // A handler that does not listen.
      }
    }
  }
}
