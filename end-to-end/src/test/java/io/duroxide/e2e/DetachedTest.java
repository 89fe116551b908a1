package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.OrchestrationDescriptor;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class DetachedTest extends Scenario {
  private static final Orchestration<String, String> STARTER = texts("Starter");
  private static final Orchestration<String, String> TARGET = texts("Target");
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);

  private DuroxideRuntime run(OrchestrationHandler<String, String> starter) {
    DuroxideRuntime node =
        world.start(n ->
            n.activity(WORK, (ctx, in) -> "[" + in + "]")
                .orchestration(TARGET, (ctx, in) -> "target " + in)
                .orchestration(STARTER, starter));
    world.client().start(STARTER, "s", "x");
    return node;
  }

  @Test
  @DisplayName("E2E-173 OR-066 detached instances run on their own, without parent link")
  void independent() {
    DuroxideRuntime node =
        run((ctx, in) -> {
          ctx.startDetached(TARGET, "d1", "1");
          ctx.startDetached(TARGET, "d2", "2");
          return "started";
        });

    assertThat(world.output("s")).isEqualTo("started");
    assertThat(world.output("d1")).isEqualTo("target 1");
    assertThat(world.output("d2")).isEqualTo("target 2");
    assertThat(node.describe("d1")).contains(new OrchestrationDescriptor("Target", "1.0.0", null));
    assertThat(admin().listChildren("s")).isEmpty();
    assertThat(admin().parentId("d1")).isEmpty();
    assertThat(kinds("s", 1))
        .contains(
            new EventKind.OrchestrationChained("Target", "d1", "1"),
            new EventKind.OrchestrationChained("Target", "d2", "2"));
  }

  @Test
  @DisplayName("E2E-174 OR-066 a detached start followed by an activity replays")
  void thenActivity() {
    run((ctx, in) -> {
      ctx.startDetached(TARGET, "d", in);
      String first = ctx.call(WORK, "1").await();
      ctx.waitForEvent("go").await();
      return first + ctx.call(WORK, "2").await();
    });
    world.awaitEvent("s", EventKind.ExternalSubscribed.class);
    assertThat(world.output("d")).isEqualTo("target x");

    world.client().raiseEvent("s", "go", "");

    assertThat(world.output("s")).isEqualTo("[1][2]");
    assertThat(world.events("s", EventKind.OrchestrationChained.class)).hasSize(1);
    assertThat(admin().listExecutions("d")).containsExactly(1L);
  }

  @Test
  @DisplayName(
      "E2E-176 OR-066 a detached start runs the version of the policy, or the one it names")
  void versions() {
    world.start(node ->
        node.orchestration(TARGET, "1.0.0", (ctx, in) -> "v1")
            .orchestration(TARGET, "2.0.0", (ctx, in) -> "v2")
            .orchestration(
                STARTER,
                (ctx, in) -> {
                  ctx.startDetached(TARGET, "latest", in);
                  ctx.startDetached(
                      TARGET.name(), in, ChildOptions.instanceId("exact").withVersion("1.0.0"));
                  return "";
                }));

    world.client().start(STARTER, "s", "");

    assertThat(world.output("latest")).isEqualTo("v2");
    assertThat(world.output("exact")).isEqualTo("v1");
  }

  @Test
  @DisplayName("OR-066 a detached start of an id that exists does nothing")
  void existingId() {
    run((ctx, in) -> {
      ctx.waitForEvent("go").await();
      ctx.startDetached(TARGET, "d", "second");
      return "started";
    });
    world.client().start(TARGET, "d", "first");
    assertThat(world.output("d")).isEqualTo("target first");

    world.client().raiseEvent("s", "go", "");

    assertThat(world.output("s")).isEqualTo("started");
    awaitDrained();
    assertThat(world.output("d")).isEqualTo("target first");
    assertThat(admin().listExecutions("d")).containsExactly(1L);
  }

  @Test
  @DisplayName("E2E-904 OR-066 a detached start in a turn that continues as new is carried out")
  void continuing() {
    run((ctx, in) -> {
      if (ctx.executionId() == 2) {
        return "second";
      }
      ctx.startDetached(TARGET, "d", "from one");
      return ctx.continueAsNew("");
    });

    assertThat(world.output("s")).isEqualTo("second");
    assertThat(world.output("d")).isEqualTo("target from one");
    assertThat(kinds("s", 1))
        .contains(new EventKind.OrchestrationChained("Target", "d", "from one"));
  }

  @Test
  @DisplayName(
      "E2E-904 OR-066 a detached start in a turn that ends cancelled: recorded and started")
  void cancelled() {
    run((ctx, in) -> {
      ctx.waitForEvent("go").await();
      ctx.startDetached(TARGET, "d", "y");
      return ctx.waitForEvent("never").await();
    });
    world.awaitEvent("s", EventKind.ExternalSubscribed.class);

    batch(
        new WorkItem.ExternalRaised("s", "go", ""), new WorkItem.CancelInstance("s", "stop", null));

    assertThat(world.failure("s")).isEqualTo("canceled: stop");
    assertThat(List.copyOf(world.events("s", EventKind.OrchestrationChained.class)))
        .containsExactly(new EventKind.OrchestrationChained("Target", "d", "y"));
    assertThat(world.output("d")).isEqualTo("target y");
  }
}
