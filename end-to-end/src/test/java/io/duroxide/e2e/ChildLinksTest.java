package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.api.SubOrchestrationFailedException;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.ParentLink;
import io.duroxide.model.PoisonSubject;
import io.duroxide.model.Semver;
import io.duroxide.model.SemverRange;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.runtime.FrameworkVersion;
import io.duroxide.runtime.RuntimeOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What holds between a parent and its children over executions, nodes and ends. */
class ChildLinksTest extends Scenario {
  private static final Orchestration<String, String> PARENT = texts("Parent");
  private static final Orchestration<String, String> CHILD = texts("Child");
  private static final Orchestration<String, String> LEAF = texts("Leaf");
  private static final Duration PAUSE = Duration.ofMillis(1);
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);

  /** A child that answers at an event. */
  private static final OrchestrationHandler<String, String> SLOW =
      (ctx, in) -> in + ctx.waitForEvent("answer").await();

  @Test
  @DisplayName("E2E-900 OR-063 a parent with one child per execution gets a fresh child each time")
  void childPerExecution() {
    AtomicInteger runs = new AtomicInteger();
    world.start(node ->
        node.activity(WORK, (ctx, in) -> in + runs.incrementAndGet())
            .orchestration(CHILD, (ctx, in) -> ctx.call(WORK, in).await())
            .orchestration(
                PARENT,
                (ctx, in) -> {
                  String so = in + ctx.call(CHILD, "c").await() + " ";
                  return ctx.executionId() < 4 ? ctx.continueAsNew(so) : so;
                }));

    world.client().start(PARENT, "p", "");

    assertThat(world.output("p")).isEqualTo("c1 c2 c3 c4 ");
    assertThat(admin().listChildren("p"))
        .containsExactlyInAnyOrder("p::sub::2", "p::sub::2_2", "p::sub::3_2", "p::sub::4_2");
  }

  @Test
  @DisplayName(
      "E2E-901 OR-063 a parent in execution 2 gets the answer of a child on another node, after a"
          + " restart")
  void otherNode() {
    OrchestrationHandler<String, String> parent =
        (ctx, in) ->
            ctx.executionId() == 1
                ? ctx.continueAsNew("two:")
                : in + ctx.call(CHILD, "child ").await();
    world.start(node -> node.orchestration(PARENT, parent));
    world.start(node -> node.orchestration(CHILD, SLOW));
    world.client().start(PARENT, "p", "one:");
    world.awaitEvent("p::sub::2_2", EventKind.ExternalSubscribed.class);
    world.restart();
    world.start(node -> node.orchestration(CHILD, SLOW));
    world.start(node -> node.orchestration(PARENT, parent));

    world.client().raiseEvent("p::sub::2_2", "answer", "answers");

    assertThat(world.output("p")).isEqualTo("two:child answers");
    assertThat(admin().latestExecutionId("p")).isEqualTo(2);
  }

  @Test
  @DisplayName("E2E-902 OR-063 a child that continues as new twice answers with its final result")
  void childContinues() {
    world.start(node ->
        node.orchestration(
                CHILD,
                (ctx, in) -> ctx.executionId() < 3 ? ctx.continueAsNew(in + "+") : in + " final")
            .orchestration(PARENT, (ctx, in) -> "got " + ctx.call(CHILD, in).await()));

    world.client().start(PARENT, "p", "x");

    assertThat(world.output("p")).isEqualTo("got x++ final");
    assertThat(admin().listExecutions("p::sub::2")).containsExactly(1L, 2L, 3L);
    for (long execution = 1; execution <= 3; execution++) {
      var started = (EventKind.OrchestrationStarted) kinds("p::sub::2", execution).getFirst();
      assertThat(started.parent()).isEqualTo(new ParentLink("p", 1, 2));
    }
    assertThat(world.events("p", EventKind.SubOrchestrationCompleted.class)).hasSize(1);
  }

  private void twoParents() {
    world.start(node ->
        node.orchestration(CHILD, SLOW)
            .orchestration(
                PARENT,
                (ctx, in) -> {
                  try {
                    return ctx.call(CHILD, in, ChildOptions.instanceId("shared")).await();
                  } catch (SubOrchestrationFailedException e) {
                    return "failed: " + e.getMessage();
                  }
                }));
    world.client().start(PARENT, "first", "1");
    world.awaitEvent("shared", EventKind.ExternalSubscribed.class);
  }

  @Test
  @DisplayName(
      "E2E-903 OR-064 a second parent with the id of a running or ended child gets a clear error")
  void idInUse() {
    twoParents();

    world.client().start(PARENT, "second", "2");
    assertThat(world.output("second"))
        .startsWith("failed: ")
        .contains("'shared'", "already exists");
    world.client().raiseEvent("shared", "answer", "!");
    assertThat(world.output("first")).isEqualTo("1!");
    world.client().start(PARENT, "third", "3");

    assertThat(world.output("third")).startsWith("failed: ").contains("'shared'", "already exists");
    assertThat(world.output("shared")).isEqualTo("1!");
  }

  @Test
  @DisplayName("E2E-903 OR-064 cancelling a parent leaves an instance alone that is not its child")
  void foreignInstance() {
    world.start(node ->
        node.orchestration(CHILD, SLOW)
            .orchestration(
                PARENT,
                (ctx, in) -> {
                  ctx.call(CHILD, in, ChildOptions.instanceId("shared"));
                  return ctx.waitForEvent("never").await();
                }));
    world.client().start(CHILD, "shared", "root");
    world.awaitEvent("shared", EventKind.ExternalSubscribed.class);
    world.client().start(PARENT, "p", "");
    world.awaitEvent("p", EventKind.ExternalSubscribed.class);

    world.client().cancel("p", "enough");
    assertThat(world.failure("p")).isEqualTo("canceled: enough");
    // What the parent sends if the refusal of the child has not reached it by then.
    batch(new WorkItem.CancelInstance("shared", "parent canceled", new ParentLink("p", 1, 2)));
    awaitDrained();
    assertThat(world.client().status("shared")).isInstanceOf(OrchestrationStatus.Running.class);
    world.client().raiseEvent("shared", "answer", "!");

    assertThat(world.output("shared")).isEqualTo("root!");
  }

  @Test
  @DisplayName(
      "E2E-904 however a parent ends, its open child is cancelled with the matching reason")
  void childOfEndedParent() {
    world.start(node ->
        node.orchestration(CHILD, SLOW)
            .orchestration(
                PARENT,
                (ctx, in) -> {
                  if (ctx.executionId() == 2) {
                    return "continued";
                  }
                  ctx.call(CHILD, in, ChildOptions.instanceId("child-" + in));
                  ctx.waitForEvent("end").await();
                  return switch (in) {
                    case "complete" -> "done";
                    case "continue" -> ctx.continueAsNew("");
                    default -> throw new OrchestrationFailure("failed");
                  };
                }));
    List<String> ends = List.of("complete", "fail", "cancel", "continue");
    for (String end : ends) {
      world.client().start(PARENT, end, end);
      world.awaitEvent("child-" + end, EventKind.ExternalSubscribed.class);
    }

    world.client().raiseEvent("complete", "end", "");
    world.client().raiseEvent("fail", "end", "");
    world.client().cancel("cancel", "stop");
    world.client().raiseEvent("continue", "end", "");

    assertThat(world.output("complete")).isEqualTo("done");
    assertThat(world.failure("fail")).isEqualTo("failed");
    assertThat(world.failure("cancel")).isEqualTo("canceled: stop");
    assertThat(world.output("continue")).isEqualTo("continued");
    assertThat(world.failure("child-complete")).isEqualTo("canceled: parent completed");
    assertThat(world.failure("child-fail")).isEqualTo("canceled: parent failed");
    assertThat(world.failure("child-cancel")).isEqualTo("canceled: parent canceled");
    assertThat(world.failure("child-continue")).isEqualTo("canceled: parent continued as new");
    List<String> recorded = new ArrayList<>();
    for (String end : ends) {
      kinds(end, 1).stream()
          .filter(EventKind.SubOrchestrationCancelRequested.class::isInstance)
          .map(kind -> ((EventKind.SubOrchestrationCancelRequested) kind).reason())
          .forEach(recorded::add);
    }
    assertThat(recorded)
        .containsExactly(
            "orchestration_terminal_completed",
            "orchestration_terminal_failed",
            "orchestration_terminal_cancelled",
            "orchestration_terminal_continued_as_new");
  }

  // Poison

  /** Meets work without a handler and gives it up at the third attempt. */
  private RuntimeOptions.Builder impatient() {
    return world
        .options()
        .fetchOnlyRegistered(false)
        .maxAttempts(2)
        .orchestratorLockTimeout(Duration.ofHours(1))
        .unregisteredBackoff(PAUSE, PAUSE);
  }

  private ErrorDetails.Poison poisonOf(String instance) {
    world.until(() -> {
      world.advance(PAUSE);
      return world.client().status(instance).isTerminal();
    });
    var failed = (OrchestrationStatus.Failed) world.client().status(instance);
    return (ErrorDetails.Poison) failed.details();
  }

  @Test
  @DisplayName("OR-065 a poisoned child fails its parent with the poison, uncaught")
  void poisonedChild() {
    world.start(
        impatient(),
        node ->
            node.orchestration(
                PARENT,
                (ctx, in) -> {
                  try {
                    return ctx.callOrchestration("Unknown", in, ChildOptions.defaults()).await();
                  } catch (RuntimeException e) {
                    return "code must not see this";
                  }
                }));

    world.client().start(PARENT, "p", "x");

    assertThat(poisonOf("p").subject()).isEqualTo(new PoisonSubject.Orchestration("p::sub::2", 1));
    assertThat(poisonOf("p::sub::2").maxAttempts()).isEqualTo(2);
  }

  @Test
  @DisplayName("OR-065 a grandchild's poisoned activity, one among many, fails the whole chain")
  void poisonedGrandchildActivity() {
    AtomicInteger done = new AtomicInteger();
    world.start(
        impatient(),
        node ->
            node.activity(WORK, (ctx, in) -> in + done.incrementAndGet())
                .orchestration(PARENT, (ctx, in) -> ctx.call(CHILD, in).await())
                .orchestration(CHILD, (ctx, in) -> ctx.call(LEAF, in).await())
                .orchestration(
                    LEAF,
                    (ctx, in) ->
                        ctx.all(
                                List.of(
                                    ctx.call(WORK, "a"),
                                    ctx.callActivity("Unknown", "b"),
                                    ctx.call(WORK, "c")))
                            .toString()));

    world.client().start(PARENT, "p", "x");
    world.until(() -> done.get() == 2);

    ErrorDetails.Poison poison = poisonOf("p");
    assertThat(poison.subject()).isInstanceOf(PoisonSubject.Activity.class);
    assertThat(poison.displayMessage()).contains("Unknown").contains("(max 2)");
    assertThat(poisonOf("p::sub::2")).isEqualTo(poison);
    assertThat(poisonOf("p::sub::2::sub::2")).isEqualTo(poison);
    assertThat(done).hasValue(2);
  }

  @Test
  @DisplayName("E2E-177 a child of a parent of an older framework is pinned to this one")
  void pinnedVersion() throws InterruptedException {
    Semver older = Semver.of(0, 0, 1);
    world.client().start(PARENT, "p", "x");
    beginWith(older);
    world.start(
        world
            .options()
            .supportedReplayVersions(List.of(new SemverRange(older, FrameworkVersion.CURRENT))),
        node ->
            node.orchestration(CHILD, (ctx, in) -> "child " + in)
                .orchestration(
                    PARENT,
                    (ctx, in) -> {
                      ctx.waitForEvent("go").await();
                      return ctx.call(CHILD, in).await();
                    }));

    world.client().raiseEvent("p", "go", "");

    assertThat(world.output("p")).isEqualTo("child x");
    assertThat(world.history("p").getFirst().stamp().frameworkVersion()).isEqualTo("0.0.1");
    assertThat(world.history("p::sub::4").getFirst().stamp().frameworkVersion())
        .isEqualTo(FrameworkVersion.CURRENT.toString());
  }

  /** The parent's first turn, as an older node would have made it. */
  private void beginWith(Semver framework) throws InterruptedException {
    var fetch = OrchestrationFetch.of(Duration.ofSeconds(5), Duration.ZERO);
    var locked = world.store().fetchOrchestrationItem(fetch).orElseThrow();
    ExecutionKey key = new ExecutionKey("p", 1);
    EventStamp stamp = new EventStamp(world.clock().instant(), framework.toString());
    var started =
        new EventKind.OrchestrationStarted("Parent", "1.0.0", "x", null, Inheritance.NOTHING);
    world
        .store()
        .commitTurn(
            new TurnSource.Fetched(locked.lockToken()),
            TurnCommit.events(
                1,
                List.of(
                    new Event(key, 1, null, stamp, started),
                    new Event(key, 2, null, stamp, new EventKind.ExternalSubscribed("go"))),
                ExecutionMetadata.started("Parent", "1.0.0").withPinnedVersion(framework)),
            WorkClaim.NONE);
  }
}
