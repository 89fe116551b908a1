package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.api.SubOrchestrationFailedException;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.Reasons;
import io.duroxide.provider.TagFilter;
import io.duroxide.runtime.DuroxideRuntime;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;

/** Cancelling instances: by a client, by a parent that ends, by a parent that lost interest. */
@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class InstanceCancellationTest {
  private static final Orchestration<String, String> PARENT =
      Orchestration.of("Parent", String.class, String.class);
  private static final Orchestration<String, String> CHILD =
      Orchestration.of("Child", String.class, String.class);
  private static final Orchestration<String, String> GRANDCHILD =
      Orchestration.of("Grandchild", String.class, String.class);
  private static final Activity<String, String> ECHO =
      Activity.of("Echo", String.class, String.class);

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
  @DisplayName("E2E-310 OR-070 a cancel reaches child and grandchild, with the reasons recorded")
  void cascade() {
    world.start(node ->
        node.orchestration(PARENT, (ctx, in) -> ctx.call(CHILD, in, child("c")).await())
            .orchestration(CHILD, (ctx, in) -> ctx.call(GRANDCHILD, in, child("g")).await())
            .orchestration(GRANDCHILD, (ctx, in) -> ctx.waitForEvent("never").await()));
    world.client().start(PARENT, "p", "");
    world.awaitEvent("g", EventKind.ExternalSubscribed.class);

    world.client().cancel("p", "enough");

    assertCancelled("p", "enough");
    assertCancelled("c", "parent canceled");
    assertCancelled("g", "parent canceled");
    assertThat(world.events("p", EventKind.SubOrchestrationCancelRequested.class))
        .containsExactly(
            new EventKind.SubOrchestrationCancelRequested("orchestration_terminal_cancelled"));
  }

  @Test
  @DisplayName("E2E-316 OR-070 a cancel reaches all five children")
  void fiveChildren() {
    world.start(node ->
        node.orchestration(
                PARENT,
                (ctx, in) -> {
                  List<DurableFuture<String>> children = new ArrayList<>();
                  for (int i = 0; i < 5; i++) {
                    children.add(ctx.call(CHILD, "" + i));
                  }
                  return String.join(",", ctx.all(children));
                })
            .orchestration(CHILD, (ctx, in) -> ctx.waitForEvent("never").await()));
    world.client().start(PARENT, "p", "");
    world.until(() -> children("p").size() == 5);

    world.client().cancel("p", "enough");

    assertCancelled("p", "enough");
    assertThat(children("p")).hasSize(5).allSatisfy(id -> assertCancelled(id, "parent canceled"));
  }

  @Test
  @DisplayName("E2E-311 OR-071 a cancel after the end changes nothing")
  void afterCompletion() {
    world.start(node -> node.orchestration(CHILD, (ctx, in) -> "done"));
    world.client().start(CHILD, "c", "");
    assertThat(world.output("c")).isEqualTo("done");
    List<Event> before = world.history("c");

    world.blindClient().cancel("c", "too late");
    awaitEmptyQueues();

    assertThat(world.output("c")).isEqualTo("done");
    assertThat(world.history("c")).isEqualTo(before);
  }

  @Test
  @DisplayName("E2E-312 OR-070 the parent of a cancelled child gets its error")
  void childDirectly() {
    world.start(node ->
        node.orchestration(
                PARENT,
                (ctx, in) -> {
                  ctx.setCustomStatus("one event before the child");
                  try {
                    return ctx.call(CHILD, in, child("c")).await();
                  } catch (SubOrchestrationFailedException e) {
                    return e.isCancelled() + ": " + e.getMessage();
                  }
                })
            .orchestration(CHILD, (ctx, in) -> ctx.waitForEvent("never").await()));
    world.client().start(PARENT, "p", "");
    world.awaitEvent("c", EventKind.ExternalSubscribed.class);

    world.client().cancel("c", "by hand");

    assertThat(world.output("p")).isEqualTo("true: canceled: by hand");
    assertCancelled("c", "by hand");
    Event scheduled = only("p", EventKind.SubOrchestrationScheduled.class);
    Event failed = only("p", EventKind.SubOrchestrationFailed.class);
    assertThat(failed.source()).isEqualTo(scheduled.id());
    assertThat(((EventKind.SubOrchestrationFailed) failed.kind()).details().displayMessage())
        .isEqualTo("canceled: by hand");
  }

  @Test
  @DisplayName("E2E-313 OR-072 a cancel ends the second execution")
  void secondExecution() {
    world.start(node ->
        node.orchestration(
            CHILD,
            (ctx, in) ->
                ctx.executionId() == 1
                    ? ctx.continueAsNew("again")
                    : ctx.waitForEvent("never").await()));
    world.client().start(CHILD, "c", "first");
    world.awaitEvent("c", EventKind.ExternalSubscribed.class);

    world.client().cancel("c", "second thoughts");

    assertCancelled("c", "second thoughts");
    assertThat(world.history("c").getFirst().execution().executionId()).isEqualTo(2);
    assertThat(world.history("c", 1).getLast().kind())
        .isEqualTo(new EventKind.OrchestrationContinuedAsNew("again"));
  }

  @Test
  @DisplayName("E2E-322 OR-071 a cancel of an unknown instance harms nobody")
  void unknownInstance() {
    world.start(node -> node.orchestration(CHILD, (ctx, in) -> ctx.waitForEvent("go").await()));
    world.client().start(CHILD, "other", "");
    world.awaitEvent("other", EventKind.ExternalSubscribed.class);

    world.client().cancel("nobody", "for no reason");
    world.client().raiseEvent("other", "go", "fine");

    assertThat(world.output("other")).isEqualTo("fine");
    assertThat(world.client().status("nobody")).isEqualTo(new OrchestrationStatus.NotFound());
    assertThat(world.history("nobody")).isEmpty();
  }

  @Test
  @DisplayName("E2E-323 OR-071 of five cancels the first counts and is recorded")
  void repeated() {
    world.start(node -> node.orchestration(CHILD, (ctx, in) -> ctx.waitForEvent("never").await()));
    world.client().start(CHILD, "c", "");
    world.awaitEvent("c", EventKind.ExternalSubscribed.class);

    for (int i = 1; i <= 5; i++) {
      world.blindClient().cancel("c", "reason " + i);
    }

    assertCancelled("c", "reason 1");
    awaitEmptyQueues();
    assertCancelled("c", "reason 1");
  }

  @Test
  @DisplayName("E2E-324 OR-071 a cancel that waits beside the start wins over the code's result")
  void beforeStart() {
    world.client().start(CHILD, "c", "");
    world.client().cancel("c", "changed my mind");

    world.start(node -> node.orchestration(CHILD, (ctx, in) -> "done"));

    assertCancelled("c", "changed my mind");
    assertThat(world.events("c", EventKind.OrchestrationCompleted.class)).isEmpty();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"E2E-327 OR-075 generated id,''", "E2E-328 OR-075 explicit id,c"})
  @DisplayName("E2E-327 E2E-328 OR-075 the child that loses a race is cancelled")
  void raceLoser(String catalog, String id) {
    world.start(node ->
        node.orchestration(
                PARENT,
                (ctx, in) -> {
                  var options = id.isEmpty() ? ChildOptions.defaults() : child(id);
                  var slow = ctx.call(CHILD, in, options);
                  ctx.select(slow, ctx.waitForEvent("go"));
                  return ctx.call(ECHO, "went on").await();
                })
            .activity(ECHO, (ctx, in) -> in)
            .orchestration(CHILD, (ctx, in) -> ctx.waitForEvent("never").await()));
    world.client().start(PARENT, "p", "");
    world.until(() -> children("p").size() == 1);

    world.client().raiseEvent("p", "go", "");

    assertThat(world.output("p")).isEqualTo("went on");
    assertCancelled(children("p").getFirst(), Reasons.PARENT_DROPPED);
    assertThat(world.events("p", EventKind.SubOrchestrationCancelRequested.class))
        .containsExactly(new EventKind.SubOrchestrationCancelRequested(Reasons.DROPPED_FUTURE));
  }

  @Test
  @DisplayName("E2E-329 a child given up explicitly is cancelled, the parent goes on")
  void explicitlyGivenUp() {
    world.start(node ->
        node.orchestration(
                PARENT,
                (ctx, in) -> {
                  var slow = ctx.call(CHILD, in, child("c"));
                  ctx.waitForEvent("go").await();
                  slow.cancel();
                  return ctx.call(ECHO, "went on").await();
                })
            .activity(ECHO, (ctx, in) -> in)
            .orchestration(CHILD, (ctx, in) -> ctx.waitForEvent("never").await()));
    world.client().start(PARENT, "p", "");
    world.awaitEvent("c", EventKind.ExternalSubscribed.class);

    world.client().raiseEvent("p", "go", "");

    assertThat(world.output("p")).isEqualTo("went on");
    assertCancelled("c", Reasons.PARENT_DROPPED);
  }

  @Test
  @DisplayName("E2E-330 a child whose scope closes is cancelled, the parent goes on")
  void scopeClosed() {
    world.start(node ->
        node.orchestration(
                PARENT,
                (ctx, in) -> {
                  try (var scope = ctx.cancellationScope()) {
                    scope.own(ctx.call(CHILD, in, child("c")));
                    ctx.waitForEvent("go").await();
                  }
                  return ctx.call(ECHO, "went on").await();
                })
            .activity(ECHO, (ctx, in) -> in)
            .orchestration(CHILD, (ctx, in) -> ctx.waitForEvent("never").await()));
    world.client().start(PARENT, "p", "");
    world.awaitEvent("c", EventKind.ExternalSubscribed.class);

    world.client().raiseEvent("p", "go", "");

    assertThat(world.output("p")).isEqualTo("went on");
    assertCancelled("c", Reasons.PARENT_DROPPED);
  }

  @Test
  @DisplayName("E2E-331 OR-075 cancelled by a user and given up by its parent: one cancel event")
  void cancelledTwice() {
    world.start(this::droppingParent);
    world.client().start(PARENT, "p", "");
    world.awaitEvent("c", EventKind.ExternalSubscribed.class);
    world.restart();
    world.client().raiseEvent("p", "go", "");
    world.client().cancel("c", "by hand");

    world.start(this::droppingParent);

    assertThat(world.output("p")).isEqualTo("went on");
    assertThat(world.end("c"))
        .matches(status -> ((OrchestrationStatus.Failed) status).isCancelled());
    awaitEmptyQueues();
    assertThat(world.events("c", EventKind.OrchestrationCancelRequested.class)).hasSize(1);
    assertThat(world.events("c", EventKind.OrchestrationFailed.class)).hasSize(1);
    assertThat(world.output("p")).isEqualTo("went on");
  }

  private void droppingParent(DuroxideRuntime.Builder node) {
    node.orchestration(
            PARENT,
            (ctx, in) -> {
              ctx.select(ctx.call(CHILD, in, child("c")), ctx.waitForEvent("go"));
              return ctx.call(ECHO, "went on").await();
            })
        .activity(ECHO, (ctx, in) -> in)
        .orchestration(CHILD, (ctx, in) -> ctx.waitForEvent("never").await());
  }

  @Test
  @DisplayName("OR-076 a cancel ends an instance that waits for a system activity")
  void pendingSystemActivity() {
    world.start(
        world.options().tags(TagFilter.NONE),
        node ->
            node.orchestration(
                CHILD, (ctx, in) -> ctx.readKv("other", "key").await().orElse("nothing")));
    world.client().start(CHILD, "c", "");
    world.awaitEvent("c", EventKind.ActivityScheduled.class);

    world.client().cancel("c", "enough");

    assertCancelled("c", "enough");
    assertThat(world.events("c", EventKind.ActivityCancelRequested.class))
        .containsExactly(new EventKind.ActivityCancelRequested("orchestration_terminal_cancelled"));
    awaitEmptyQueues();
  }

  /** How a parent ends while its child runs. */
  enum ParentEnd {
    COMPLETES("parent completed"),
    FAILS("parent failed"),
    PANICS("parent failed"),
    CONTINUES("parent continued as new");

    private final String childReason;

    ParentEnd(String childReason) {
      this.childReason = childReason;
    }
  }

  @ParameterizedTest(name = "parent {0}")
  @EnumSource(ParentEnd.class)
  @DisplayName("OR-078 however a parent ends, its outstanding child is cancelled")
  void parentEnds(ParentEnd end) {
    world.start(node ->
        node.orchestration(
                PARENT,
                (ctx, in) -> {
                  if (ctx.executionId() == 2) {
                    return "second";
                  }
                  ctx.call(CHILD, in, child("c"));
                  ctx.waitForEvent("go").await();
                  return switch (end) {
                    case COMPLETES -> "done";
                    case FAILS -> throw new OrchestrationFailure("no");
                    case PANICS -> throw new IllegalStateException("bug");
                    case CONTINUES -> ctx.continueAsNew("");
                  };
                })
            .orchestration(CHILD, (ctx, in) -> ctx.waitForEvent("never").await()));
    world.client().start(PARENT, "p", "");
    world.awaitEvent("c", EventKind.ExternalSubscribed.class);

    world.client().raiseEvent("p", "go", "");

    assertCancelled("c", end.childReason);
    String parent =
        switch (end) {
          case COMPLETES, CONTINUES -> world.output("p");
          case FAILS, PANICS -> world.failure("p");
        };
    assertThat(parent)
        .isEqualTo(
            switch (end) {
              case COMPLETES -> "done";
              case CONTINUES -> "second";
              case FAILS -> "no";
              case PANICS -> "orchestration panicked: java.lang.IllegalStateException: bug";
            });
    awaitEmptyQueues();
  }

  @Test
  @DisplayName("OR-075 a child asked for and given up in one turn never runs")
  void givenUpAtOnce() {
    AtomicInteger runs = new AtomicInteger();
    world.start(node ->
        node.orchestration(
                PARENT,
                (ctx, in) -> {
                  ctx.call(CHILD, in, child("c")).cancel();
                  return ctx.call(ECHO, "went on").await();
                })
            .activity(ECHO, (ctx, in) -> in)
            .orchestration(
                CHILD,
                (ctx, in) -> {
                  runs.incrementAndGet();
                  return "";
                }));

    world.client().start(PARENT, "p", "");

    assertThat(world.output("p")).isEqualTo("went on");
    awaitEmptyQueues();
    assertThat(runs).hasValue(0);
    assertThat(world.history("c")).isEmpty();
  }

  private void assertCancelled(String instance, String reason) {
    assertThat(world.failure(instance)).isEqualTo("canceled: " + reason);
    assertThat(world.events(instance, EventKind.OrchestrationCancelRequested.class))
        .containsExactly(new EventKind.OrchestrationCancelRequested(reason));
    assertThat(world.history(instance).getLast().kind())
        .isEqualTo(
            new EventKind.OrchestrationFailed(
                new ErrorDetails.Application(new ApplicationErrorKind.Cancelled(reason), "")));
  }

  private Event only(String instance, Class<? extends EventKind> kind) {
    List<Event> found =
        world.history(instance).stream().filter(event -> kind.isInstance(event.kind())).toList();
    assertThat(found).hasSize(1);
    return found.getFirst();
  }

  private List<String> children(String instance) {
    return world.store().management().orElseThrow().listChildren(instance);
  }

  private void awaitEmptyQueues() {
    Quiet.await(world);
  }

  private static ChildOptions child(String id) {
    return ChildOptions.instanceId(id);
  }
}
