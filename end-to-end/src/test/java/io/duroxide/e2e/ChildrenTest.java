package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Awaited;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.api.SubOrchestrationFailedException;
import io.duroxide.model.EventKind;
import io.duroxide.model.ParentLink;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.OrchestrationDescriptor;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class ChildrenTest extends Scenario {
  private static final Orchestration<String, String> PARENT = texts("Parent");
  private static final Orchestration<String, String> CHILD = texts("Child");
  private static final Orchestration<String, String> LEAF = texts("Leaf");
  private static final Duration HOUR = Duration.ofHours(1);

  private static final OrchestrationHandler<String, String> SHOUT =
      (ctx, in) -> in.toUpperCase(Locale.ROOT);

  /** A child that answers at an event. */
  private static final OrchestrationHandler<String, String> SLOW =
      (ctx, in) -> in + ctx.waitForEvent("answer").await();

  private void run(
      OrchestrationHandler<String, String> parent, OrchestrationHandler<String, String> child) {
    world.start(node -> node.orchestration(PARENT, parent).orchestration(CHILD, child));
    world.client().start(PARENT, "p", "x");
  }

  @Test
  @DisplayName("E2E-170 OR-060 a parent uses the output of its child")
  void oneChild() {
    run((ctx, in) -> "child said " + ctx.call(CHILD, in).await(), SHOUT);

    assertThat(world.output("p")).isEqualTo("child said X");
    assertThat(world.output("p::sub::2")).isEqualTo("X");
    assertThat(kinds("p", 1))
        .contains(
            new EventKind.SubOrchestrationScheduled("Child", "sub::2", "x"),
            new EventKind.SubOrchestrationCompleted("X"));
    assertThat(admin().listChildren("p")).containsExactly("p::sub::2");
    assertThat(admin().parentId("p::sub::2")).contains("p");
  }

  @Test
  @DisplayName("E2E-171 OR-060 two children at once, joined")
  void fanOut() {
    run(
        (ctx, in) -> String.join("+", ctx.all(List.of(ctx.call(CHILD, "a"), ctx.call(CHILD, "b")))),
        SHOUT);

    assertThat(world.output("p")).isEqualTo("A+B");
    assertThat(admin().listChildren("p")).hasSize(2);
  }

  @Test
  @DisplayName("E2E-172 OR-060 a chain of three levels composes its outputs")
  void threeLevels() {
    world.start(node ->
        node.orchestration(PARENT, (ctx, in) -> "root(" + ctx.call(CHILD, in).await() + ")")
            .orchestration(CHILD, (ctx, in) -> "mid(" + ctx.call(LEAF, in).await() + ")")
            .orchestration(LEAF, (ctx, in) -> "leaf(" + in + ")"));

    world.client().start(PARENT, "p", "x");

    assertThat(world.output("p")).isEqualTo("root(mid(leaf(x)))");
    assertThat(admin().instanceTree("p"))
        .containsExactlyInAnyOrder("p", "p::sub::2", "p::sub::2::sub::2");
  }

  @Test
  @DisplayName("OR-060 an explicit id is used as given; ids like generated ones are refused")
  void explicitId() {
    run(
        (ctx, in) -> {
          String answer = ctx.call(CHILD, in, ChildOptions.instanceId("my-child")).await();
          try {
            ctx.call(CHILD, in, ChildOptions.instanceId("x::sub::1"));
          } catch (IllegalArgumentException e) {
            return answer + " refused";
          }
          return answer;
        },
        SHOUT);

    assertThat(world.output("p")).isEqualTo("X refused");
    assertThat(world.output("my-child")).isEqualTo("X");
    assertThat(kinds("p", 1))
        .contains(new EventKind.SubOrchestrationScheduled("Child", "my-child", "x"));
  }

  @Test
  @DisplayName("E2E-175 OR-060 a child by explicit version and by policy")
  void versions() {
    world.start(node ->
        node.orchestration(CHILD, "1.0.0", (ctx, in) -> "c1")
            .orchestration(CHILD, "2.0.0", (ctx, in) -> "c2")
            .orchestration(
                PARENT,
                (ctx, in) ->
                    ctx.call(CHILD, in, ChildOptions.version("1.0.0")).await()
                        + ","
                        + ctx.call(CHILD, in).await()));

    world.client().start(PARENT, "p", "x");

    assertThat(world.output("p")).isEqualTo("c1,c2");
  }

  @Test
  @DisplayName("OR-060 a version registered later is used by new calls of a running parent")
  void upgradedChild() {
    OrchestrationHandler<String, String> parent =
        (ctx, in) -> {
          String before = ctx.call(CHILD, in).await();
          ctx.waitForEvent("upgraded").await();
          return before + "," + ctx.call(CHILD, in).await();
        };
    world.start(node ->
        node.orchestration(PARENT, parent).orchestration(CHILD, "1.0.0", (ctx, in) -> "c1"));
    world.client().start(PARENT, "p", "x");
    world.awaitEvent("p", EventKind.ExternalSubscribed.class);
    world.restart();
    world.start(node ->
        node.orchestration(PARENT, parent)
            .orchestration(CHILD, "1.0.0", (ctx, in) -> "c1")
            .orchestration(CHILD, "2.0.0", (ctx, in) -> "c2"));

    world.client().raiseEvent("p", "upgraded", "");

    assertThat(world.output("p")).isEqualTo("c1,c2");
  }

  @Test
  @DisplayName("OR-061 a child's failure reaches the parent as an exception it can handle")
  void failureHandled() {
    run(
        (ctx, in) -> {
          try {
            return ctx.call(CHILD, in).await();
          } catch (SubOrchestrationFailedException e) {
            return "handled: " + e.getMessage() + " of " + e.task() + " " + e.isCancelled();
          }
        },
        (ctx, in) -> {
          throw new OrchestrationFailure("no stock");
        });

    assertThat(world.output("p")).isEqualTo("handled: no stock of Child false");
    assertThat(world.failure("p::sub::2")).isEqualTo("no stock");
  }

  @Test
  @DisplayName("OR-061 a child's failure that the parent does not handle fails the parent")
  void failureEscapes() {
    run(
        (ctx, in) -> ctx.call(CHILD, in).await(),
        (ctx, in) -> {
          throw new OrchestrationFailure("no stock");
        });

    assertThat(world.failure("p")).isEqualTo("no stock");
  }

  @Test
  @DisplayName("OR-061 a cancelled child shows as canceled to the parent")
  void cancelledChild() {
    run(
        (ctx, in) -> {
          try {
            return ctx.call(CHILD, in).await();
          } catch (SubOrchestrationFailedException e) {
            return e.getMessage() + " " + e.isCancelled();
          }
        },
        SLOW);
    world.awaitEvent("p::sub::2", EventKind.ExternalSubscribed.class);

    world.client().cancel("p::sub::2", "not needed");

    assertThat(world.output("p")).isEqualTo("canceled: not needed true");
  }

  @Test
  @DisplayName("OR-062 of two branches with children the faster wins, the other child is cancelled")
  void branchesRace() {
    run(
        (ctx, in) -> {
          DurableFuture<String> left =
              ctx.async(b -> "left " + b.call(CHILD, "l", ChildOptions.instanceId("left")).await());
          DurableFuture<String> right =
              ctx.async(
                  b -> "right " + b.call(CHILD, "r", ChildOptions.instanceId("right")).await());
          var won = ctx.select(List.of(left, right));
          return won.index() + " " + won.value();
        },
        SLOW);
    world.awaitEvent("left", EventKind.ExternalSubscribed.class);
    world.awaitEvent("right", EventKind.ExternalSubscribed.class);

    world.client().raiseEvent("right", "answer", "!");

    assertThat(world.output("p")).isEqualTo("1 right r!");
    assertThat(world.failure("left"))
        .isEqualTo("canceled: parent dropped sub-orchestration future");
    assertThat(world.events("p", EventKind.SubOrchestrationCancelRequested.class))
        .containsExactly(new EventKind.SubOrchestrationCancelRequested("dropped_future"));
  }

  @Test
  @DisplayName("OR-062 branches with children are joined")
  void branchesJoin() {
    run(
        (ctx, in) ->
            String.join(
                " ",
                ctx.all(
                    List.of(
                        ctx.async(b -> "one:" + b.call(CHILD, "a").await()),
                        ctx.async(
                            b -> "two:" + b.call(CHILD, b.call(CHILD, "b").await() + "c").await()),
                        ctx.call(CHILD, "d")))),
        SHOUT);

    assertThat(world.output("p")).isEqualTo("one:A two:BC D");
  }

  @Test
  @DisplayName("OR-062 a child against a time limit, in time and too late")
  void timeLimit() {
    world.start(node ->
        node.orchestration(CHILD, SLOW)
            .orchestration(
                PARENT,
                (ctx, in) ->
                    switch (ctx.call(CHILD, in, ChildOptions.instanceId("child-" + in))
                        .await(HOUR)) {
                      case Awaited.Got<String> got -> got.value();
                      case Awaited.TimedOut<String> ignored -> "too late";
                    }));
    world.client().start(PARENT, "quick", "1");
    world.client().start(PARENT, "slow", "2");
    world.awaitEvent("child-1", EventKind.ExternalSubscribed.class);
    world.awaitEvent("child-2", EventKind.ExternalSubscribed.class);

    world.client().raiseEvent("child-1", "answer", "!");
    assertThat(world.output("quick")).isEqualTo("1!");
    world.advance(HOUR);

    assertThat(world.output("slow")).isEqualTo("too late");
    assertThat(world.failure("child-2"))
        .isEqualTo("canceled: parent dropped sub-orchestration future");
    assertThat(world.output("child-1")).isEqualTo("1!");
  }

  @Test
  @DisplayName("OR-067 the descriptor of root and child: name, version, parent link")
  void descriptors() {
    DuroxideRuntime node =
        world.start(n ->
            n.orchestration(PARENT, "1.2.0", (ctx, in) -> ctx.call(CHILD, in).await())
                .orchestration(CHILD, "3.0.0", SHOUT));
    world.client().start(PARENT, "p", "x");
    world.output("p");

    assertThat(node.describe("p")).contains(new OrchestrationDescriptor("Parent", "1.2.0", null));
    assertThat(node.describe("p::sub::2"))
        .contains(new OrchestrationDescriptor("Child", "3.0.0", new ParentLink("p", 1, 2)));
    assertThat(node.describe("unknown")).isEmpty();
  }
}
