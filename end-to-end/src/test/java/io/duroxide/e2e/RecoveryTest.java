package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.WorkFetch;
import io.duroxide.runtime.RuntimeOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
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
class RecoveryTest {
  private static final Duration LOCK = Duration.ofSeconds(5);
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);

  /** One of each: an activity, a timer, an event. */
  private static final OrchestrationHandler<String, String> ONE_OF_EACH =
      (ctx, input) -> {
        String work = ctx.call(WORK, input).await();
        ctx.timer(Duration.ofSeconds(1)).await();
        return work + ", " + ctx.waitForEvent("E").await();
      };

  private static final List<String> ONE_OF_EACH_HISTORY =
      List.of(
          "OrchestrationStarted",
          "ActivityScheduled",
          "ActivityCompleted",
          "TimerCreated",
          "TimerFired",
          "ExternalSubscribed",
          "ExternalEvent",
          "OrchestrationCompleted");

  private final Queue<String> done = new ConcurrentLinkedQueue<>();

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

  private void node(OrchestrationHandler<String, String> code) {
    node(world.options(), code);
  }

  private void node(RuntimeOptions.Builder options, OrchestrationHandler<String, String> code) {
    world.start(
        options,
        node ->
            node.activity(
                    WORK,
                    (ctx, input) -> {
                      done.add(input);
                      return "did " + input;
                    })
                .orchestration(FLOW, code));
  }

  private List<String> kinds(String instance) {
    return world.history(instance).stream()
        .map(event -> event.kind().getClass().getSimpleName())
        .toList();
  }

  /** A node takes the next turn of an instance and dies. */
  private void takeTurnAndDie(Class<? extends WorkItem> message) throws InterruptedException {
    assertThat(world.store().fetchOrchestrationItem(OrchestrationFetch.of(LOCK, Duration.ZERO)))
        .hasValueSatisfying(locked ->
            assertThat(locked.item().messages().items()).singleElement().isInstanceOf(message));
    world.restart();
  }

  @Test
  @DisplayName("OR-024 equal activities in flight at a restart keep their own results")
  void equalActivitiesInFlight() throws InterruptedException {
    OrchestrationHandler<String, String> code =
        (ctx, input) -> {
          DurableFuture<String> first = ctx.call(WORK, "same");
          DurableFuture<String> second = ctx.call(WORK, "same");
          return String.join(" | ", ctx.all(List.of(first, second)));
        };
    world.start(world.options().workerConcurrency(0), node -> node.orchestration(FLOW, code));
    world.client().start(FLOW, "flow", "");
    world.awaitEvent("flow", EventKind.ActivityScheduled.class);
    world.restart();
    // The first of the two is being run by a node that dies.
    assertThat(world.store().fetchWorkItem(WorkFetch.of(LOCK, Duration.ZERO))).isPresent();
    world.restart();

    world.start(node ->
        node.activity(WORK, (ctx, input) -> input + " as " + ctx.key().activityId())
            .orchestration(FLOW, code));
    world.until(() -> world.events("flow", EventKind.ActivityCompleted.class).size() == 1);
    world.advance(LOCK);

    assertThat(world.output("flow")).isEqualTo("same as 2 | same as 3");
    assertThat(
            world.history("flow").stream()
                .filter(event -> event.kind() instanceof EventKind.ActivityCompleted)
                .map(Event::source))
        .containsExactly(3L, 2L);
  }

  @Test
  @DisplayName("OR-024 many orchestrations recover from a restart in the middle")
  void manyRecover() {
    OrchestrationHandler<String, String> code =
        (ctx, input) -> {
          String before = ctx.call(WORK, input + " before").await();
          ctx.timer(Duration.ofSeconds(1)).await();
          return before + ", " + ctx.call(WORK, input + " after").await();
        };
    node(code);
    for (int i = 0; i < 25; i++) {
      world.client().start(FLOW, "flow-" + i, "i" + i);
    }
    for (int i = 0; i < 25; i++) {
      world.awaitEvent("flow-" + i, EventKind.TimerCreated.class);
    }

    world.restart();
    node(code);
    world.advance(Duration.ofSeconds(1));

    for (int i = 0; i < 25; i++) {
      assertThat(world.output("flow-" + i))
          .isEqualTo("did i%d before, did i%d after".formatted(i, i));
    }
    assertThat(done).hasSize(50).doesNotHaveDuplicates();
  }

  @Test
  @DisplayName(
      "OR-025 nodes that die between taking a message and committing lose and repeat nothing")
  void deathBeforeCommit() throws InterruptedException {
    world.client().start(FLOW, "flow", "x");
    takeTurnAndDie(WorkItem.StartOrchestration.class);

    world.advance(LOCK);
    world.start(
        world.options().workerConcurrency(0), node -> node.orchestration(FLOW, ONE_OF_EACH));
    world.awaitEvent("flow", EventKind.ActivityScheduled.class);
    world.restart();
    runTheActivityOnly();
    takeTurnAndDie(WorkItem.ActivityCompleted.class);

    world.advance(LOCK);
    node(ONE_OF_EACH);
    world.awaitEvent("flow", EventKind.TimerCreated.class);
    world.restart();
    world.advance(Duration.ofSeconds(1));
    takeTurnAndDie(WorkItem.TimerFired.class);

    world.advance(LOCK);
    node(ONE_OF_EACH);
    world.awaitEvent("flow", EventKind.ExternalSubscribed.class);
    world.restart();
    world.client().raiseEvent("flow", "E", "event");
    takeTurnAndDie(WorkItem.ExternalRaised.class);

    world.advance(LOCK);
    node(ONE_OF_EACH);

    assertThat(world.output("flow")).isEqualTo("did x, event");
    assertThat(kinds("flow")).isEqualTo(ONE_OF_EACH_HISTORY);
    assertThat(done).containsExactly("x");
  }

  private void runTheActivityOnly() {
    world.start(
        world.options().orchestrationConcurrency(0),
        node ->
            node.activity(
                WORK,
                (ctx, input) -> {
                  done.add(input);
                  return "did " + input;
                }));
    world.until(
        () -> world.store().management().orElseThrow().queueDepths().orchestrator().ready() == 1);
    world.restart();
  }

  @Test
  @DisplayName("OR-025 commits whose answer got lost are not repeated")
  void lostAnswers() {
    AtomicInteger lost = new AtomicInteger();
    world.decorate(store ->
        ObservedStore.of(
            store,
            (operation, arguments) -> {
              if (Set.of("commitTurn", "ackWorkItem").contains(operation)) {
                lost.incrementAndGet();
                throw new ProviderException(
                    ProviderException.Kind.UNAVAILABLE, operation, "connection lost");
              }
            }));
    node(world.options().localSteps(0), ONE_OF_EACH);
    world.client().start(FLOW, "flow", "x");
    world.awaitEvent("flow", EventKind.TimerCreated.class);
    world.advance(Duration.ofSeconds(1));
    world.awaitEvent("flow", EventKind.ExternalSubscribed.class);
    world.client().raiseEvent("flow", "E", "event");

    assertThat(world.output("flow")).isEqualTo("did x, event");
    assertThat(kinds("flow")).isEqualTo(ONE_OF_EACH_HISTORY);
    assertThat(done).containsExactly("x");
    world.until(() -> lost.get() >= 5);
    assertThat(lost).hasValue(5);
  }

  @Test
  @DisplayName("OR-026 duplicate outcomes of an activity are absorbed, together and later")
  void duplicateOutcomes() {
    node((ctx, input) -> ctx.call(WORK, input).await() + ", " + ctx.waitForEvent("E").await());
    world.client().start(FLOW, "flow", "x");
    world.awaitEvent("flow", EventKind.ExternalSubscribed.class);

    WorkItem again = new WorkItem.ActivityCompleted("flow", 1, 2, "did something else");
    world.store().enqueueForOrchestrator(List.of(again, again));
    world.client().raiseEvent("flow", "E", "event");

    assertThat(world.output("flow")).isEqualTo("did x, event");
    assertThat(world.events("flow", EventKind.ActivityCompleted.class))
        .extracting(EventKind.ActivityCompleted::result)
        .containsExactly("did x");
  }

  @Test
  @DisplayName("OR-026 of two outcomes of an activity in one batch the first counts")
  void twoOutcomesInOneBatch() {
    OrchestrationHandler<String, String> code =
        (ctx, input) ->
            ctx.call(WORK, input).await() + ctx.timer(Duration.ZERO).map(t -> "").await();
    world.start(world.options().workerConcurrency(0), node -> node.orchestration(FLOW, code));
    world.client().start(FLOW, "flow", "x");
    world.awaitEvent("flow", EventKind.ActivityScheduled.class);

    world
        .store()
        .enqueueForOrchestrator(
            List.of(
                new WorkItem.ActivityCompleted("flow", 1, 2, "first"),
                new WorkItem.ActivityCompleted("flow", 1, 2, "second")));

    assertThat(world.output("flow")).isEqualTo("first");
    assertThat(world.events("flow", EventKind.ActivityCompleted.class))
        .containsExactly(new EventKind.ActivityCompleted("first"));
  }

  @Test
  @DisplayName("OR-026 an activity that is queued twice may run twice but is recorded once")
  void activityQueuedTwice() {
    OrchestrationHandler<String, String> code =
        (ctx, input) -> ctx.call(WORK, input).await() + ", " + ctx.waitForEvent("E").await();
    world.start(world.options().workerConcurrency(0), node -> node.orchestration(FLOW, code));
    world.client().start(FLOW, "flow", "x");
    world.awaitEvent("flow", EventKind.ActivityScheduled.class);
    world.restart();
    world
        .store()
        .enqueueForWorker(
            new WorkItem.ActivityExecute(
                new ActivityKey("flow", 1, 2),
                "Work",
                "x",
                ActivityRouting.ANYWHERE,
                new ActivityOrigin("Flow", "1.0.0")));

    node(code);
    world.until(() -> done.size() == 2);
    world.until(
        () -> world.store().management().orElseThrow().queueDepths().worker().locked() == 0);
    world.awaitEvent("flow", EventKind.ExternalSubscribed.class);
    world.client().raiseEvent("flow", "E", "event");

    assertThat(world.output("flow")).isEqualTo("did x, event");
    assertThat(world.events("flow", EventKind.ActivityCompleted.class)).hasSize(1);
  }

  @Test
  @DisplayName("OR-026 duplicate fire messages in one batch are one")
  void duplicateTimers() {
    node(ONE_OF_EACH);
    world.client().start(FLOW, "flow", "x");
    world.awaitEvent("flow", EventKind.TimerCreated.class);
    world.restart();
    Instant due = world.clock().instant().plusSeconds(1);
    WorkItem again = new WorkItem.TimerFired("flow", 1, 4, due);
    world.store().enqueueForOrchestrator(List.of(again, again));
    world.advance(Duration.ofSeconds(1));

    node(ONE_OF_EACH);
    world.awaitEvent("flow", EventKind.ExternalSubscribed.class);
    world.client().raiseEvent("flow", "E", "event");

    assertThat(world.output("flow")).isEqualTo("did x, event");
    assertThat(kinds("flow")).isEqualTo(ONE_OF_EACH_HISTORY);
  }
}
