package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.EventKind;
import io.duroxide.model.PoisonSubject;
import io.duroxide.provider.QueueDepth;
import io.duroxide.provider.QueueDepths;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class StartsTest {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);

  private final Queue<Duration> rests = new ConcurrentLinkedQueue<>();

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
  @DisplayName("OR-007 a second start is ignored, while the instance runs and after it has ended")
  void secondStart() {
    AtomicInteger calls = new AtomicInteger();
    startCounting(calls);
    world.client().start(FLOW, "flow", "first");
    world.awaitEvent("flow", EventKind.ExternalSubscribed.class);

    world.client().start(FLOW, "flow", "second");
    world.client().raiseEvent("flow", "E", "event");
    assertThat(world.output("flow")).isEqualTo("first event 1");

    world.client().start(FLOW, "flow", "third");
    world.until(this::queuesAreEmpty);

    assertThat(world.output("flow")).isEqualTo("first event 1");
    assertThat(calls).hasValue(1);
    assertThat(world.store().management().orElseThrow().listExecutions("flow")).containsExactly(1L);
    assertThat(world.events("flow", EventKind.OrchestrationStarted.class)).hasSize(1);
    assertThat(world.events("flow", EventKind.Terminal.class)).hasSize(1);
  }

  private void startCounting(AtomicInteger calls) {
    world.start(node ->
        node.activity(WORK, (ctx, input) -> input + " " + calls.incrementAndGet())
            .orchestration(
                FLOW,
                (ctx, input) -> {
                  String event = ctx.waitForEvent("E").await();
                  return ctx.call(WORK, input + " " + event).await();
                }));
  }

  @Test
  @DisplayName("OR-007 a second start with a newer version registered changes nothing")
  void secondStartWithNewerVersion() {
    AtomicInteger calls = new AtomicInteger();
    startCounting(calls);
    world.client().start(FLOW, "flow", "first");
    world.awaitEvent("flow", EventKind.ExternalSubscribed.class);

    world.restart();
    world.start(node ->
        node.activity(WORK, (ctx, input) -> input + " " + calls.incrementAndGet())
            .orchestration(
                FLOW,
                "1.0.0",
                (ctx, input) -> {
                  String event = ctx.waitForEvent("E").await();
                  return ctx.call(WORK, input + " " + event).await();
                })
            .orchestration(FLOW, "2.0.0", (ctx, input) -> "other code"));
    world.client().start(FLOW, "flow", "second");
    world.until(this::queuesAreEmpty);
    world.client().raiseEvent("flow", "E", "event");

    assertThat(world.output("flow")).isEqualTo("first event 1");
    world.client().start(FLOW, "flow", "third");
    world.until(this::queuesAreEmpty);
    assertThat(world.output("flow")).isEqualTo("first event 1");
  }

  private boolean queuesAreEmpty() {
    return depths().equals(QueueDepths.EMPTY);
  }

  private QueueDepths depths() {
    return world.store().management().orElseThrow().queueDepths();
  }

  /** A node that also takes what it does not know, and tells for how long it puts that back. */
  private void startNaive(Consumer<DuroxideRuntime.Builder> registrations) {
    world.decorate(store ->
        ObservedStore.of(
            store,
            (operation, arguments) -> {
              if (operation.startsWith("abandon")) {
                rests.add((Duration) arguments.get(1));
              }
            }));
    world.start(world.options().fetchOnlyRegistered(false).maxAttempts(3), registrations);
  }

  private void passRest(Duration... sofar) {
    world.until(() -> rests.size() == sofar.length);
    assertThat(rests).containsExactly(sofar);
    world.advance(sofar[sofar.length - 1]);
  }

  private void passAllRests() {
    Duration second = Duration.ofSeconds(1);
    passRest(second);
    passRest(second, second.multipliedBy(2));
    passRest(second, second.multipliedBy(2), second.multipliedBy(4));
  }

  @Test
  @DisplayName("OR-008 an unknown orchestration is put back with growing pauses, then poisoned")
  void unknownOrchestration() {
    startNaive(node -> {});
    world.client().start(FLOW, "flow", "");

    passAllRests();

    assertThat(world.failure("flow"))
        .isEqualTo("poison: orchestration flow exceeded 4 attempts (max 3)");
  }

  @Test
  @DisplayName("OR-008 an unknown orchestration succeeds when its code is deployed in time")
  void orchestrationDeployedLater() {
    startNaive(node -> {});
    world.client().start(FLOW, "flow", "in");
    world.until(() -> !rests.isEmpty());

    world.restart();
    world.start(node -> node.orchestration(FLOW, (ctx, input) -> input + " out"));
    assertThat(world.client().status("flow")).isInstanceOf(OrchestrationStatus.NotFound.class);
    world.advance(Duration.ofSeconds(1));

    assertThat(world.output("flow")).isEqualTo("in out");
  }

  @Test
  @DisplayName(
      "OR-008 an unknown activity is put back with growing pauses, then poisons its caller")
  void unknownActivity() {
    AtomicInteger caught = new AtomicInteger();
    startNaive(node ->
        node.orchestration(
            FLOW,
            (ctx, input) -> {
              try {
                return ctx.call(WORK, input).await();
              } catch (RuntimeException e) {
                caught.incrementAndGet();
                throw e;
              }
            }));
    world.client().start(FLOW, "flow", "");

    passAllRests();

    OrchestrationStatus.Failed failed = (OrchestrationStatus.Failed) world.end("flow");
    assertThat(failed.details())
        .isInstanceOfSatisfying(
            ErrorDetails.Poison.class,
            poison -> {
              assertThat(poison.subject())
                  .isEqualTo(new PoisonSubject.Activity("flow", 1, "Work", 2));
              assertThat(poison.attemptCount()).isEqualTo(4);
              assertThat(poison.maxAttempts()).isEqualTo(3);
            });
    assertThat(caught).hasValue(0);
  }

  @Test
  @DisplayName("OR-008 an unknown activity succeeds when its code is deployed in time")
  void activityDeployedLater() {
    startNaive(node -> node.orchestration(FLOW, (ctx, input) -> ctx.call(WORK, input).await()));
    world.client().start(FLOW, "flow", "in");
    world.until(() -> !rests.isEmpty());

    world.restart();
    world.start(node ->
        node.activity(WORK, (ctx, input) -> input + " on attempt " + ctx.attempt())
            .orchestration(FLOW, (ctx, input) -> ctx.call(WORK, input).await()));
    world.advance(Duration.ofSeconds(1));

    assertThat(world.output("flow")).isEqualTo("in on attempt 2");
  }

  @Test
  @DisplayName("OR-008 a node leaves what it does not know to nodes that do, at no attempt's cost")
  void leftToOthers() {
    world.start(node -> node.orchestration(FLOW, (ctx, input) -> ctx.call(WORK, input).await()));
    world.client().start(FLOW, "flow", "in");
    world.awaitEvent("flow", EventKind.ActivityScheduled.class);
    assertThat(depths()).isEqualTo(new QueueDepths(QueueDepth.EMPTY, new QueueDepth(1, 0, 0)));

    world.start(
        node -> node.activity(WORK, (ctx, input) -> input + " on attempt " + ctx.attempt()));

    assertThat(world.output("flow")).isEqualTo("in on attempt 1");
  }
}
