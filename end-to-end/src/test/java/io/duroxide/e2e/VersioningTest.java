package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.ContinueOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.client.StartOptions;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.EventKind;
import io.duroxide.model.PoisonSubject;
import io.duroxide.runtime.ActivityRegistry;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.OrchestrationRegistry;
import io.duroxide.runtime.VersionPolicy;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Which version of an orchestration runs. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class VersioningTest {
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Orchestration<String, String> PARENT =
      Orchestration.of("Parent", String.class, String.class);
  private static final Orchestration<Integer, Integer> COUNT =
      Orchestration.of("Count", Integer.class, Integer.class);

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

  private static OrchestrationRegistry.Builder twoVersions() {
    return OrchestrationRegistry.builder()
        .register(FLOW, "1.0.0", (ctx, in) -> "v1 " + in)
        .register(FLOW, "2.0.0", (ctx, in) -> "v2 " + in);
  }

  @Test
  @DisplayName("E2E-220 OR-083 a start without version runs and records the highest")
  void latest() {
    world.start(node -> node.orchestrations(twoVersions().build()));

    world.client().start(FLOW, "f", "in");

    assertThat(world.output("f")).isEqualTo("v2 in");
    assertThat(version("f", 1)).isEqualTo("2.0.0");
  }

  @Test
  @DisplayName("E2E-221 OR-083 an exact policy decides for starts without version")
  void exactPolicy() {
    world.start(node ->
        node.orchestrations(twoVersions().policy("Flow", VersionPolicy.exact("1.0.0")).build()));

    world.client().start(FLOW, "f", "in");

    assertThat(world.output("f")).isEqualTo("v1 in");
    assertThat(version("f", 1)).isEqualTo("1.0.0");
  }

  @Test
  @DisplayName(
      "E2E-221 E2E-235 OR-083 a policy changed while the runtime runs decides the next start")
  void policyChangedLater() {
    OrchestrationRegistry registry = twoVersions().build();
    world.start(node -> node.orchestrations(registry));
    world.client().start(FLOW, "before", "in");
    assertThat(world.output("before")).isEqualTo("v2 in");

    registry.setPolicy("Flow", VersionPolicy.exact("1.0.0"));
    world.client().start(FLOW, "after", "in");

    assertThat(world.output("after")).isEqualTo("v1 in");
  }

  @Test
  @DisplayName(
      "E2E-222 OR-083 an explicit version is run, by handle and by name, whatever the policy")
  void explicitVersion() {
    world.start(node ->
        node.orchestrations(twoVersions().policy("Flow", VersionPolicy.exact("2.0.0")).build())
            .orchestration(COUNT, "1.0.0", (ctx, in) -> in + 1)
            .orchestration(COUNT, "2.0.0", (ctx, in) -> in + 2));

    world.client().start("Flow", "text", "in", StartOptions.version("1.0.0"));
    world.client().start(COUNT, "typed", 40, StartOptions.version("1.0.0"));

    assertThat(world.output("text")).isEqualTo("v1 in");
    assertThat(world.client().waitFor(COUNT, "typed", World.PATIENCE)).isEqualTo(41);
    assertThat(version("typed", 1)).isEqualTo("1.0.0");
  }

  @Test
  @DisplayName("OR-083 a version nobody has is tried, then poisons the instance")
  void missingVersion() {
    world.start(
        world
            .options()
            .fetchOnlyRegistered(false)
            .maxAttempts(3)
            .unregisteredBackoff(Duration.ofMillis(10), Duration.ofMillis(40))
            .orchestratorLockTimeout(Duration.ofHours(1)),
        node -> node.orchestrations(twoVersions().build()));
    world.client().start(FLOW, "f", "in", StartOptions.version("3.0.0"));

    world.until(() -> {
      world.advance(Duration.ofMillis(10));
      return world.client().status("f").isTerminal();
    });

    assertThat(world.failure("f")).isEqualTo("poison: orchestration f exceeded 4 attempts (max 3)");
    EventKind.OrchestrationFailed failed =
        (EventKind.OrchestrationFailed) world.history("f").getLast().kind();
    assertThat(((ErrorDetails.Poison) failed.details()).subject())
        .isEqualTo(new PoisonSubject.Orchestration("f", 1));
  }

  @Test
  @DisplayName("E2E-223 a child runs the latest version, the policy's version, or the one it names")
  void children() {
    OrchestrationRegistry latest =
        twoVersions().register(PARENT, (ctx, in) -> ctx.call(FLOW, in).await()).build();
    world.start(node -> node.orchestrations(latest));
    world.client().start(PARENT, "latest", "in");
    assertThat(world.output("latest")).isEqualTo("v2 in");
    world.restart();

    world.start(node ->
        node.orchestrations(latest)
            .orchestrations(
                OrchestrationRegistry.builder()
                    .policy("Flow", VersionPolicy.exact("1.0.0"))
                    .build())
            .orchestration(
                PARENT,
                "2.0.0",
                (ctx, in) -> ctx.call(FLOW, in, ChildOptions.version("2.0.0")).await()));
    world.client().start(PARENT, "pinned", "in", StartOptions.version("1.0.0"));
    world.client().start(PARENT, "named", "in", StartOptions.version("2.0.0"));

    assertThat(world.output("pinned")).isEqualTo("v1 in");
    assertThat(world.output("named")).isEqualTo("v2 in");
  }

  @Test
  @DisplayName("E2E-224 a child upgraded between two runs of its parent is used by the second")
  void upgradedChild() {
    world.start(node ->
        node.orchestration(PARENT, (ctx, in) -> ctx.call(FLOW, in).await())
            .orchestration(FLOW, (ctx, in) -> "v1 " + in));
    world.client().start(PARENT, "first", "in");
    assertThat(world.output("first")).isEqualTo("v1 in");
    world.restart();

    world.start(node ->
        node.orchestration(PARENT, (ctx, in) -> ctx.call(FLOW, in).await())
            .orchestrations(twoVersions().build()));
    world.client().start(PARENT, "second", "in");

    assertThat(world.output("second")).isEqualTo("v2 in");
  }

  @Test
  @DisplayName(
      "E2E-225 OR-083 continue-as-new to a named version runs it, with text and with types")
  void continueToNamed() {
    world.start(node ->
        node.orchestration(
                FLOW,
                "1.0.0",
                (ctx, in) -> ctx.continueAsNew(in + " on", ContinueOptions.version("2.0.0")))
            .orchestration(FLOW, "2.0.0", (ctx, in) -> "v2 " + in)
            .orchestration(FLOW, "3.0.0", (ctx, in) -> "v3 " + in)
            .orchestration(
                COUNT,
                "1.0.0",
                (ctx, in) -> ctx.continueAsNew(in + 1, ContinueOptions.version("2.0.0")))
            .orchestration(COUNT, "2.0.0", (ctx, in) -> in * 2)
            .orchestration(COUNT, "3.0.0", (ctx, in) -> -1));

    world.client().start(FLOW, "f", "in", StartOptions.version("1.0.0"));
    world.client().start(COUNT, "c", 20, StartOptions.version("1.0.0"));

    assertThat(world.output("f")).isEqualTo("v2 in on");
    assertThat(world.client().waitFor(COUNT, "c", World.PATIENCE)).isEqualTo(42);
    assertThat(version("f", 1)).isEqualTo("1.0.0");
    assertThat(version("f", 2)).isEqualTo("2.0.0");
  }

  @Test
  @DisplayName("E2E-226 OR-083 continue-as-new without version moves to one registered meanwhile")
  void continueToLatest() {
    world.start(node -> node.orchestration(FLOW, VersioningTest::waitThenContinue));
    world.client().start(FLOW, "f", "in");
    world.awaitEvent("f", EventKind.ExternalSubscribed.class);
    world.restart();

    world.start(node ->
        node.orchestration(FLOW, VersioningTest::waitThenContinue)
            .orchestration(FLOW, "2.0.0", (ctx, in) -> "v2 " + in));
    world.client().raiseEvent("f", "go", "on");

    assertThat(world.output("f")).isEqualTo("v2 on");
    assertThat(version("f", 1)).isEqualTo("1.0.0");
    assertThat(version("f", 2)).isEqualTo("2.0.0");
  }

  private static String waitThenContinue(OrchestrationContext ctx, String input) {
    return ctx.continueAsNew(ctx.waitForEvent("go").await());
  }

  @Test
  @DisplayName("E2E-237 OR-084 E2E-823 a completion is replayed with the recorded version")
  void recordedVersion() {
    world.start(
        node -> node.orchestration(FLOW, "1.0.2", (ctx, in) -> ctx.callActivity("X", in).await()));
    world.client().start(FLOW, "f", "in");
    world.awaitEvent("f", EventKind.ActivityScheduled.class);
    world.restart();

    world.start(VersioningTest::xAndY);

    assertThat(world.output("f")).isEqualTo("X in");
    assertThat(version("f", 1)).isEqualTo("1.0.2");
  }

  @Test
  @DisplayName(
      "E2E-238 E2E-239 OR-084 E2E-823 so is one of the second execution, with its own input")
  void recordedVersionOfSecondExecution() {
    world.start(node ->
        node.orchestration(
                FLOW,
                "1.0.0",
                (ctx, in) -> ctx.continueAsNew(in + " second", ContinueOptions.version("1.0.2")))
            .orchestration(
                FLOW, "1.0.2", (ctx, in) -> ctx.callActivity("X", in).await() + " of " + in)
            .orchestration(FLOW, "1.0.3", (ctx, in) -> ctx.callActivity("Y", in).await()));
    world.client().start(FLOW, "f", "first", StartOptions.version("1.0.0"));
    world.awaitEvent("f", EventKind.ActivityScheduled.class);
    world.restart();

    world.start(node ->
        node.activities(xy())
            .orchestration(
                FLOW, "1.0.2", (ctx, in) -> ctx.callActivity("X", in).await() + " of " + in)
            .orchestration(FLOW, "1.0.3", (ctx, in) -> ctx.callActivity("Y", in).await()));

    assertThat(world.output("f")).isEqualTo("X first second of first second");
    assertThat(version("f", 2)).isEqualTo("1.0.2");
    assertThat(world.history("f", 2).getFirst().kind())
        .isInstanceOf(EventKind.OrchestrationStarted.class);
  }

  @Test
  @DisplayName(
      "E2E-240 E2E-823 name, version, input and parent of a completion-only turn come from the"
          + " started event of its execution")
  void everythingFromHistory() {
    world.start(VersioningTest::parentAndContinuingChild);
    world.client().start(PARENT, "p", "in");
    world.until(() -> !world.events("child", EventKind.ActivityScheduled.class).isEmpty());
    world.restart();

    DuroxideRuntime runtime =
        world.start(node -> {
          parentAndContinuingChild(node);
          node.activities(xy());
        });

    assertThat(world.output("p")).isEqualTo("Flow 1.0.0 2 in again X in again");
    var described = runtime.describe("child").orElseThrow();
    assertThat(described.name()).isEqualTo("Flow");
    assertThat(described.version()).isEqualTo("1.0.0");
    assertThat(described.parent()).isNotNull();
    assertThat(described.parent().instance()).isEqualTo("p");
    assertThat(described.parent().scheduleId()).isEqualTo(2);
    assertThat(world.history("child", 2).getFirst().kind())
        .isInstanceOf(EventKind.OrchestrationStarted.class);
  }

  private static void parentAndContinuingChild(DuroxideRuntime.Builder node) {
    node.orchestration(
            PARENT, (ctx, in) -> ctx.call(FLOW, in, ChildOptions.instanceId("child")).await())
        .orchestration(
            FLOW,
            (ctx, in) -> {
              if (ctx.executionId() == 1) {
                return ctx.continueAsNew(in + " again");
              }
              String x = ctx.callActivity("X", in).await();
              return String.join(
                  " ",
                  ctx.orchestrationName(),
                  ctx.orchestrationVersion(),
                  "" + ctx.executionId(),
                  in,
                  x);
            });
  }

  private static void xAndY(DuroxideRuntime.Builder node) {
    node.activities(xy())
        .orchestration(FLOW, "1.0.2", (ctx, in) -> ctx.callActivity("X", in).await())
        .orchestration(FLOW, "1.0.3", (ctx, in) -> ctx.callActivity("Y", in).await());
  }

  private static ActivityRegistry xy() {
    return ActivityRegistry.builder()
        .register(Activity.of("X", String.class, String.class), (ctx, in) -> "X " + in)
        .register(Activity.of("Y", String.class, String.class), (ctx, in) -> "Y " + in)
        .build();
  }

  @Test
  @DisplayName("E2E-233 the framework's activities are there without any registration")
  void builtins() {
    world.start(node ->
        node.orchestration(
            FLOW,
            (ctx, in) -> {
              String none = ctx.readKv("nobody", "key").await().orElse("nothing");
              return ctx.utcNow() + " " + ctx.newGuid() + " " + none;
            }));

    world.client().start(FLOW, "f", "");

    assertThat(world.output("f")).matches("\\S+T\\S+Z [0-9a-f-]{36} nothing");
  }

  @Test
  @DisplayName("E2E-236 libraries composed under their own names are all found")
  void composedLibraries() {
    Activity<String, String> pack = Activity.of("ship::activity::pack", String.class, String.class);
    Activity<String, String> charge =
        Activity.of("pay::activity::charge", String.class, String.class);
    Orchestration<String, String> ship =
        Orchestration.of("ship::orchestration::send", String.class, String.class);
    Orchestration<String, String> pay =
        Orchestration.of("pay::orchestration::bill", String.class, String.class);
    world.start(node ->
        node.activities(
                ActivityRegistry.builder().register(pack, (ctx, in) -> "packed " + in).build())
            .activities(
                ActivityRegistry.builder().register(charge, (ctx, in) -> "charged " + in).build())
            .orchestrations(
                OrchestrationRegistry.builder()
                    .register(ship, (ctx, in) -> ctx.call(pack, in).await())
                    .build())
            .orchestrations(
                OrchestrationRegistry.builder()
                    .register(pay, (ctx, in) -> ctx.call(charge, in).await())
                    .build())
            .orchestration(
                PARENT,
                (ctx, in) -> ctx.call(ship, in).await() + ", " + ctx.call(pay, in).await()));

    world.client().start(PARENT, "p", "it");

    assertThat(world.output("p")).isEqualTo("packed it, charged it");
  }

  private String version(String instance, long execution) {
    return ((EventKind.OrchestrationStarted) world.history(instance, execution).getFirst().kind())
        .version();
  }
}
