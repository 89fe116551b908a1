package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityContext;
import io.duroxide.api.ActivityOptions;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.EventKind;
import io.duroxide.model.ParentLink;
import io.duroxide.provider.QueueDepth;
import io.duroxide.provider.QueueDepths;
import io.duroxide.provider.TagFilter;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.OrchestrationDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class IdentityTest {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> PARENT =
      Orchestration.of("Parent", String.class, String.class);
  private static final Orchestration<String, String> CHILD =
      Orchestration.of("Child", String.class, String.class);

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
  @DisplayName("E2E-016 OR-024 equal calls before and after a restart are two calls")
  void equalCalls() {
    AtomicInteger calls = new AtomicInteger();
    startTwice(calls);
    world.client().start(PARENT, "twice", "same");
    world.awaitEvent("twice", EventKind.TimerCreated.class);

    world.restart();
    startTwice(calls);
    world.advance(Duration.ofSeconds(1));

    assertThat(world.output("twice")).isEqualTo("R1,R2");
    assertThat(calls).hasValue(2);
  }

  private void startTwice(AtomicInteger calls) {
    world.start(node ->
        node.activity(WORK, (ctx, input) -> "R" + calls.incrementAndGet())
            .orchestration(
                PARENT,
                (ctx, input) -> {
                  String first = ctx.call(WORK, input).await();
                  ctx.timer(Duration.ofSeconds(1)).await();
                  return first + "," + ctx.call(WORK, input).await();
                }));
  }

  @Test
  @DisplayName("E2E-017 OR-006 an orchestration knows its instance, execution, name and version")
  void orchestrationIdentity() {
    world.start(node ->
        node.orchestration(
            PARENT,
            "2.1.0",
            (ctx, input) -> {
              if (input.equals("first")) {
                return ctx.continueAsNew("second");
              }
              return String.join(
                  " ",
                  ctx.instanceId(),
                  Long.toString(ctx.executionId()),
                  ctx.orchestrationName(),
                  ctx.orchestrationVersion());
            }));

    world.client().start(PARENT, "who", "first");

    assertThat(world.output("who")).isEqualTo("who 2 Parent 2.1.0");
  }

  @Test
  @DisplayName("E2E-018 OR-006 an activity knows who called it, and where it runs")
  void activityIdentity() throws InterruptedException {
    BlockingQueue<ActivityContext> seen = new LinkedBlockingQueue<>();
    world.start(
        world.options().workerNodeId("node-a").tags(TagFilter.defaultAnd("gpu")),
        node ->
            node.activity(
                    WORK,
                    (ctx, input) -> {
                      seen.add(ctx);
                      return ctx.instanceId();
                    })
                .orchestration(
                    PARENT,
                    "2.1.0",
                    (ctx, input) -> {
                      ctx.call(WORK, "plain").await();
                      return ctx.call(
                              WORK, "routed", ActivityOptions.options().session("s").tag("gpu"))
                          .await();
                    }));

    world.client().start(PARENT, "who", "");

    assertThat(world.output("who")).isEqualTo("who");
    ActivityContext plain = seen.take();
    assertThat(plain.key()).isEqualTo(new ActivityKey("who", 1, 2));
    assertThat(plain.orchestration())
        .isEqualTo(new ActivityOrigin("Parent", "2.1.0", world.store().now()));
    assertThat(plain.activityName()).isEqualTo("Work");
    assertThat(plain.routing()).isEqualTo(ActivityRouting.ANYWHERE);
    assertThat(plain.workerId()).contains("node-a");
    assertThat(plain.attempt()).isEqualTo(1);
    ActivityContext routed = seen.take();
    assertThat(routed.key()).isEqualTo(new ActivityKey("who", 1, 4));
    assertThat(routed.routing()).isEqualTo(new ActivityRouting("s", "gpu"));
  }

  @Test
  @DisplayName("E2E-021 a runtime describes roots and children")
  void describe() {
    DuroxideRuntime runtime =
        world.start(node ->
            node.orchestration(
                    PARENT,
                    "3.0.0",
                    (ctx, input) ->
                        ctx.call(CHILD, input, ChildOptions.instanceId("the-child")).await())
                .orchestration(CHILD, "1.5.0", (ctx, input) -> "from child"));

    world.client().start(PARENT, "the-parent", "");

    assertThat(world.output("the-parent")).isEqualTo("from child");
    assertThat(runtime.describe("the-parent"))
        .contains(new OrchestrationDescriptor("Parent", "3.0.0", null));
    assertThat(runtime.describe("the-child"))
        .contains(
            new OrchestrationDescriptor("Child", "1.5.0", new ParentLink("the-parent", 1, 2)));
    assertThat(runtime.describe("nobody")).isEqualTo(Optional.empty());
  }

  @Test
  @DisplayName("E2E-022 a timer waits as a message that nobody sees before its time")
  void timerMessage() {
    world.start(node ->
        node.orchestration(
            PARENT,
            (ctx, input) -> {
              ctx.timer(Duration.ofSeconds(10)).await();
              return "fired";
            }));
    world.client().start(PARENT, "timer", "");
    world.awaitEvent("timer", EventKind.TimerCreated.class);
    assertThat(depths()).isEqualTo(new QueueDepths(new QueueDepth(0, 1, 0), QueueDepth.EMPTY));

    world.advance(Duration.ofSeconds(10));

    assertThat(world.output("timer")).isEqualTo("fired");
    assertThat(depths()).isEqualTo(QueueDepths.EMPTY);
  }

  @Test
  @DisplayName("E2E-023 a child waits as a start message until a node that has its code takes it")
  void childMessage() {
    world.start(node ->
        node.orchestration(PARENT, (ctx, input) -> "got " + ctx.call(CHILD, input).await()));
    world.client().start(PARENT, "parent", "x");
    world.awaitEvent("parent", EventKind.SubOrchestrationScheduled.class);
    assertThat(depths()).isEqualTo(new QueueDepths(new QueueDepth(1, 0, 0), QueueDepth.EMPTY));

    world.start(node -> node.orchestration(CHILD, (ctx, input) -> "child of " + input));

    assertThat(world.output("parent")).isEqualTo("got child of x");
    assertThat(world.output("parent::sub::2")).isEqualTo("child of x");
    assertThat(world.store().management().orElseThrow().listChildren("parent"))
        .isEqualTo(List.of("parent::sub::2"));
  }

  private QueueDepths depths() {
    return world.store().management().orElseThrow().queueDepths();
  }
}
