package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.ConfigurationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** Code and messages that do not fit the history. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class NondeterminismTest {
  private static final Activity<String, String> A1 = Activity.of("A1", String.class, String.class);
  private static final Activity<String, String> B1 = Activity.of("B1", String.class, String.class);
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
  @DisplayName("E2E-290 OR-110 code that was swapped between turns fails and names both sides")
  void swappedCode() {
    AtomicInteger runs = new AtomicInteger();
    world.start(node -> node.orchestration(FLOW, (ctx, in) -> ctx.call(A1, in).await()));
    world.client().start(FLOW, "f", "x");
    world.awaitEvent("f", EventKind.ActivityScheduled.class);
    world.restart();

    world.start(node ->
        node.activity(A1, (ctx, in) -> "a")
            .activity(
                B1,
                (ctx, in) -> {
                  runs.incrementAndGet();
                  return "b";
                })
            .orchestration(FLOW, (ctx, in) -> ctx.call(B1, in).await()));

    assertNondeterministic("f", "'A1'", "'B1'");
    Quiet.await(world);
    assertThat(runs).hasValue(0);
  }

  @Test
  @DisplayName("E2E-291 OR-111 an activity outcome for a timer is a kind mismatch")
  void wrongKind() {
    world.start(node ->
        node.orchestration(
            FLOW,
            (ctx, in) -> {
              ctx.timer(Duration.ofDays(1)).await();
              return "done";
            }));
    world.client().start(FLOW, "f", "");
    world.awaitEvent("f", EventKind.TimerCreated.class);

    inject(new WorkItem.ActivityCompleted("f", 1, 2, "bogus"));

    assertNondeterministic(
        "f",
        "completion kind mismatch for id=2: the message completes an activity, but that id is a"
            + " timer");
  }

  @Test
  @DisplayName("E2E-292 OR-111 an activity outcome with an unknown id has no schedule")
  void unknownId() {
    world.start(this::waiting);
    world.client().start(FLOW, "f", "");
    world.awaitEvent("f", EventKind.ExternalSubscribed.class);

    inject(new WorkItem.ActivityCompleted("f", 1, 999, "bogus"));

    assertNondeterministic("f", "no matching schedule", "id=999");
  }

  @Test
  @DisplayName("E2E-293 OR-111 a timer that was never created cannot fire")
  void unknownTimer() {
    world.start(this::waiting);
    world.client().start(FLOW, "f", "");
    world.awaitEvent("f", EventKind.ExternalSubscribed.class);

    inject(new WorkItem.TimerFired("f", 1, 123, Instant.EPOCH));

    assertNondeterministic("f", "no matching schedule", "id=123");
  }

  @Test
  @DisplayName(
      "E2E-294 an activity outcome for a wait ends the execution before it continues as new")
  void beforeContinueAsNew() {
    world.start(this::continuing);
    world.client().start(FLOW, "f", "first");
    world.awaitEvent("f", EventKind.ExternalSubscribed.class);

    inject(new WorkItem.ActivityCompleted("f", 1, 2, "bogus"));

    assertNondeterministic("f", "no matching schedule", "id=2");
    assertThat(world.store().management().orElseThrow().listExecutions("f")).containsExactly(1L);
  }

  @Test
  @DisplayName("OR-113 E2E-294 the same in the batch that would have made it continue")
  void withContinueAsNew() {
    world.start(this::continuing);
    world.client().start(FLOW, "f", "first");
    world.awaitEvent("f", EventKind.ExternalSubscribed.class);
    world.restart();
    inject(new WorkItem.ActivityCompleted("f", 1, 77, "bogus"));
    world.client().raiseEvent("f", "go", "");

    world.start(this::continuing);

    assertNondeterministic("f", "no matching schedule", "id=77");
    assertThat(world.store().management().orElseThrow().listExecutions("f")).containsExactly(1L);
    assertThat(world.events("f", EventKind.OrchestrationContinuedAsNew.class)).isEmpty();
  }

  @Test
  @DisplayName("E2E-295 OR-112 the outcome of another execution is ignored, the real one delivered")
  void anotherExecution() {
    world.start(node -> node.orchestration(FLOW, (ctx, in) -> ctx.call(A1, in).await()));
    world.client().start(FLOW, "f", "x");
    world.awaitEvent("f", EventKind.ActivityScheduled.class);

    inject(new WorkItem.ActivityCompleted("f", 7, 2, "bogus"));
    world.until(() -> depth() == 0);
    world.start(node -> node.activity(A1, (ctx, in) -> "real"));

    assertThat(world.output("f")).isEqualTo("real");
    assertThat(world.events("f", EventKind.ActivityCompleted.class))
        .extracting(EventKind.ActivityCompleted::result)
        .containsExactly("real");
  }

  @Test
  @DisplayName("E2E-296 of two events of one name the first is used")
  void duplicateEvents() {
    world.start(this::waiting);
    world.client().start(FLOW, "f", "");
    world.awaitEvent("f", EventKind.ExternalSubscribed.class);

    world.client().raiseEvent("f", "go", "first");
    world.blindClient().raiseEvent("f", "go", "second");

    assertThat(world.output("f")).isEqualTo("first");
    Quiet.await(world);
    assertThat(world.output("f")).isEqualTo("first");
  }

  @Test
  @DisplayName(
      "E2E-297 RL-049 outcomes of the execution before a continue-as-new are dropped, a timer"
          + " silently")
  void earlierExecution() {
    world.start(this::continuing);
    world.client().start(FLOW, "f", "first");
    world.awaitEvent("f", EventKind.ExternalSubscribed.class);
    world.client().raiseEvent("f", "go", "");
    world.until(() -> world.history("f").getFirst().execution().executionId() == 2);

    try (Warnings warnings = new Warnings("io.duroxide.runtime.replay")) {
      inject(new WorkItem.ActivityCompleted("f", 1, 2, "stale"));
      inject(new WorkItem.TimerFired("f", 1, 2, Instant.EPOCH));
      world.until(() -> depth() == 0);
      assertThat(warnings.texts()).containsExactly("dropped an outcome for execution 1");
    }
    world.client().raiseEvent("f", "end", "fine");

    assertThat(world.output("f")).isEqualTo("fine");
    assertThat(world.history("f"))
        .extracting(Event::kind)
        .noneMatch(EventKind.Completion.class::isInstance);
  }

  private void waiting(DuroxideRuntime.Builder node) {
    node.orchestration(FLOW, (ctx, in) -> ctx.waitForEvent("go").await());
  }

  private void continuing(DuroxideRuntime.Builder node) {
    node.orchestration(
        FLOW,
        (ctx, in) -> {
          if (ctx.executionId() == 2) {
            return ctx.waitForEvent("end").await();
          }
          ctx.waitForEvent("go").await();
          return ctx.continueAsNew("again");
        });
  }

  private void inject(WorkItem item) {
    world.store().enqueueForOrchestrator(item, Duration.ZERO);
  }

  private long depth() {
    var depths = world.store().management().orElseThrow().queueDepths();
    return depths.orchestrator().ready() + depths.orchestrator().locked();
  }

  private void assertNondeterministic(String instance, String... texts) {
    ErrorDetails details = ((OrchestrationStatus.Failed) world.end(instance)).details();
    assertThat(details)
        .isInstanceOfSatisfying(
            ErrorDetails.Configuration.class,
            configuration ->
                assertThat(configuration.kind()).isEqualTo(ConfigurationErrorKind.NONDETERMINISM));
    assertThat(details.displayMessage()).startsWith("nondeterministic: ").contains(texts);
    assertThat(details.retryable()).isFalse();
    assertThat(world.history(instance).getLast().kind())
        .isEqualTo(new EventKind.OrchestrationFailed(details));
  }
}
