package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ContinueOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.client.StartOptions;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.EventKind;
import io.duroxide.model.PoisonSubject;
import io.duroxide.runtime.RuntimeOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}, {1}")
@MethodSource("io.duroxide.e2e.Way#withModes")
class RollingUpgradeTest {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);

  @Parameter(0)
  private Mode mode;

  @Parameter(1)
  private Way way;

  private final Faults faults = new Faults();
  private World world;

  @BeforeEach
  void open() {
    world = World.open(mode);
    way.through(faults);
    world.decorate(faults::on);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private static final Duration STEP = Duration.ofSeconds(1);

  private RuntimeOptions.Builder unfiltered() {
    return world
        .options()
        .fetchOnlyRegistered(false)
        .unregisteredBackoff(STEP, STEP)
        .maxAttempts(3);
  }

  /** Lets backoffs pass until something holds. */
  private void passTimeUntil(Callable<Boolean> condition) {
    world.until(() -> {
      world.advance(STEP);
      return condition.call();
    });
  }

  private ErrorDetails.Poison poisonOf(String instance) {
    passTimeUntil(() -> world.client().status(instance).isTerminal());
    return (ErrorDetails.Poison)
        ((OrchestrationStatus.Failed) world.client().status(instance)).details();
  }

  @Test
  @DisplayName("E2E-620 an unknown name and an unknown version end as poison, in history")
  void unknown() {
    world.start(unfiltered(), n -> n.orchestration(FLOW, "1.0.0", (ctx, in) -> in));
    world.client().start("Nobody", "name", "", StartOptions.defaults());
    world.client().start(FLOW, "version", "", StartOptions.version("7.0.0"));

    for (String instance : List.of("name", "version")) {
      ErrorDetails.Poison poison = poisonOf(instance);
      assertThat(poison.attemptCount()).isEqualTo(4).isGreaterThan(poison.maxAttempts());
      assertThat(world.history(instance).getLast().kind())
          .isEqualTo(new EventKind.OrchestrationFailed(poison));
    }
  }

  @Test
  @DisplayName("E2E-621 an unknown activity fails its orchestration with poison")
  void unknownActivity() {
    world.start(unfiltered(), n -> n.orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await()));
    world.client().start(FLOW, "a", "");

    assertThat(poisonOf("a").subject()).isEqualTo(new PoisonSubject.Activity("a", 1, "Work", 2));
  }

  @Test
  @DisplayName("E2E-623 continuing as a version nobody has fails the new execution with poison")
  void continueToMissingVersion() {
    world.start(
        unfiltered(),
        n ->
            n.orchestration(
                FLOW,
                "1.0.0",
                (ctx, in) -> ctx.continueAsNew(in, ContinueOptions.version("2.0.0"))));
    world.client().start(FLOW, "c", "");

    ErrorDetails.Poison poison = poisonOf("c");

    assertThat(poison.subject()).isEqualTo(new PoisonSubject.Orchestration("c", 2));
    assertThat(world.history("c", 1).getLast().kind())
        .isInstanceOf(EventKind.OrchestrationContinuedAsNew.class);
  }

  @Test
  @DisplayName("E2E-624 a poisoned instance can be deleted without force")
  void deletePoisoned() {
    world.start(unfiltered(), n -> {});
    world.client().start(FLOW, "d", "");
    poisonOf("d");

    world.store().management().orElseThrow().deleteInstance("d", false);

    assertThat(world.client().status("d")).isInstanceOf(OrchestrationStatus.NotFound.class);
  }

  @Test
  @DisplayName(
      "E2E-625 an activity that old nodes do not know bounces and runs once they are upgraded")
  void activityOnOneNode() {
    OrchestrationHandler<String, String> code = (ctx, in) -> ctx.call(WORK, in).await();
    world.start(unfiltered(), n -> n.orchestration(FLOW, code));
    world.start(unfiltered(), n -> n.orchestration(FLOW, code));
    world.client().start(FLOW, "r", "x");
    world.until(() -> faults.done("abandonWorkItem") == 1);

    world.stopRuntimes();
    world.start(
        world.options(), n -> n.orchestration(FLOW, code).activity(WORK, (ctx, in) -> in + "!"));
    passTimeUntil(() -> world.client().status("r").isTerminal());

    assertThat(world.output("r")).isEqualTo("x!");
  }

  @Test
  @DisplayName(
      "E2E-626 a continuation to version 2 bounces off old nodes and runs once they are upgraded")
  void continuationBounces() {
    OrchestrationHandler<String, String> one =
        (ctx, in) -> ctx.continueAsNew(in, ContinueOptions.version("2.0.0"));
    world.start(unfiltered(), n -> n.orchestration(FLOW, "1.0.0", one));
    world.start(unfiltered(), n -> n.orchestration(FLOW, "1.0.0", one));
    world.client().start(FLOW, "c", "x");
    world.until(() -> faults.done("abandonOrchestrationItem") == 1);

    world.stopRuntimes();
    world.start(
        world.options(),
        n ->
            n.orchestration(FLOW, "1.0.0", one)
                .orchestration(FLOW, "2.0.0", (ctx, in) -> in + ctx.orchestrationVersion()));
    passTimeUntil(() -> world.client().status("c").isTerminal());

    assertThat(world.output("c")).isEqualTo("x2.0.0");
    assertThat(world.history("c").getFirst().execution().executionId()).isEqualTo(2);
  }

  @Test
  @DisplayName("E2E-627 E2E-909 a cancel ends an instance whose start is backing off")
  void cancelWhileBouncing() {
    world.start(unfiltered().maxAttempts(10), n -> {});
    world.client().start(FLOW, "b", "");
    world.until(() -> faults.done("abandonOrchestrationItem") == 1);

    world.client().cancel("b", "not wanted");
    passTimeUntil(() -> world.client().status("b").isTerminal());

    assertThat(world.failure("b")).isEqualTo("canceled: not wanted");
  }

  @Test
  @DisplayName("E2E-627 an instance that bounces can be deleted by force")
  void deleteWhileBouncing() {
    world.start(
        unfiltered().maxAttempts(10),
        n -> n.orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await()));
    world.client().start(FLOW, "b", "");
    world.until(() -> faults.done("abandonWorkItem") == 1);

    world.store().management().orElseThrow().deleteInstance("b", true);

    assertThat(world.client().status("b")).isInstanceOf(OrchestrationStatus.NotFound.class);
    assertThat(world.store().management().orElseThrow().queueDepths().worker().ready()).isZero();
  }

  @Test
  @DisplayName("E2E-909 an event and a message sent while a start is backing off are not lost")
  void messagesWhileStartBacksOff() {
    world.start(unfiltered().maxAttempts(10), n -> {});
    world.client().start(FLOW, "m", "");
    world.until(() -> faults.done("abandonOrchestrationItem") == 1);
    world.client().raiseEvent("m", "event", "e");
    world.client().enqueue("m", "queue", "q");

    world.stopRuntimes();
    world.start(n -> n.orchestration(FLOW, (ctx, in) -> ctx.dequeueEvent("queue").await()));
    passTimeUntil(() -> world.client().status("m").isTerminal());

    assertThat(world.output("m")).isEqualTo("q");
    assertThat(world.events("m", EventKind.ExternalEvent.class))
        .containsExactly(new EventKind.ExternalEvent("event", "e"));
  }

  @Test
  @DisplayName("E2E-909 messages and a cancel sent while a continuation is backing off count")
  void messagesWhileContinuationBacksOff() {
    OrchestrationHandler<String, String> one =
        (ctx, in) -> ctx.continueAsNew(in, ContinueOptions.version("2.0.0"));
    world.start(unfiltered().maxAttempts(10), n -> n.orchestration(FLOW, "1.0.0", one));
    world.client().start(FLOW, "m", "");
    world.client().start(FLOW, "c", "");
    world.until(() -> faults.done("abandonOrchestrationItem") == 2);
    world.client().enqueue("m", "queue", "q");
    world.client().cancel("c", "enough");
    passTimeUntil(() -> world.client().status("c").isTerminal());
    assertThat(world.failure("c")).isEqualTo("canceled: enough");

    world.stopRuntimes();
    world.start(
        n -> n.orchestration(FLOW, "2.0.0", (ctx, in) -> ctx.dequeueEvent("queue").await()));
    passTimeUntil(() -> world.client().status("m").isTerminal());

    assertThat(world.output("m")).isEqualTo("q");
  }
}
