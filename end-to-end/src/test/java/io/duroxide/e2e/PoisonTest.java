package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.PoisonSubject;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.WorkFetch;
import io.duroxide.runtime.RuntimeOptions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}, {1}")
@MethodSource("io.duroxide.e2e.Way#withModes")
class PoisonTest {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Orchestration<String, String> CHILD =
      Orchestration.of("Child", String.class, String.class);

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

  private final AtomicInteger runs = new AtomicInteger();

  private ErrorDetails failureOf(String instance) {
    return ((OrchestrationStatus.Failed) world.end(instance)).details();
  }

  @Test
  @DisplayName("E2E-600 attempts start at 1 and grow when a turn is abandoned, when a lock expires")
  void attemptsGrow() throws InterruptedException {
    Provider store = world.store();
    world.client().start(FLOW, "i", "");
    OrchestrationFetch fetch = OrchestrationFetch.of(Duration.ofSeconds(5), Duration.ZERO);
    LockedOrchestration first = store.fetchOrchestrationItem(fetch).orElseThrow();
    store.abandonOrchestrationItem(first.lockToken(), Duration.ZERO, false);
    LockedOrchestration second = store.fetchOrchestrationItem(fetch).orElseThrow();
    assertThat(first.attemptCount()).isEqualTo(1);
    assertThat(second.attemptCount()).isEqualTo(2);

    store.enqueueForWorker(
        new WorkItem.ActivityExecute(
            new ActivityKey("i", 1, 2),
            "Work",
            "",
            ActivityRouting.ANYWHERE,
            ActivityOrigin.UNKNOWN));
    WorkFetch work = WorkFetch.of(Duration.ofSeconds(30), Duration.ZERO);
    assertThat(store.fetchWorkItem(work).orElseThrow().attemptCount()).isEqualTo(1);
    world.advance(Duration.ofSeconds(30));
    assertThat(store.fetchWorkItem(work).orElseThrow().attemptCount()).isEqualTo(2);
  }

  @Test
  @DisplayName("E2E-601 poison names what it is about; ten attempts by default, configurable")
  void details() {
    assertThat(RuntimeOptions.defaults().maxAttempts()).isEqualTo(10);
    assertThat(RuntimeOptions.builder().maxAttempts(3).build().maxAttempts()).isEqualTo(3);
    assertThat(
            new ErrorDetails.Poison(11, 10, new PoisonSubject.Orchestration("i", 1), "m")
                .displayMessage())
        .isEqualTo("poison: orchestration i exceeded 11 attempts (max 10)");
    assertThat(
            new ErrorDetails.Poison(11, 10, new PoisonSubject.Activity("i", 1, "Work", 2), "m")
                .displayMessage())
        .isEqualTo("poison: activity Work#2 exceeded 11 attempts (max 10)");
    assertThat(
            new ErrorDetails.Poison(
                    11, 10, new PoisonSubject.FailedDeserialization("i", 1, "bad"), "m")
                .displayMessage())
        .isEqualTo(
            "poison: orchestration i history deserialization failed after 11 attempts (max 10):"
                + " bad");
  }

  @Test
  @DisplayName("E2E-602 the eleventh attempt of a turn fails the instance, its code never runs")
  void orchestration() {
    faults.turnAttempts(locked -> 11);
    world.client().start(FLOW, "o", "");
    world.start(n -> n.orchestration(FLOW, (ctx, in) -> Integer.toString(runs.incrementAndGet())));

    ErrorDetails.Poison poison = (ErrorDetails.Poison) failureOf("o");

    assertThat(poison.attemptCount()).isEqualTo(11);
    assertThat(poison.maxAttempts()).isEqualTo(10);
    assertThat(poison.subject()).isEqualTo(new PoisonSubject.Orchestration("o", 1));
    assertThat(poison.message()).isNotEmpty();
    assertThat(runs).hasValue(0);
  }

  @Test
  @DisplayName("E2E-606 the number of attempts can be chosen: 3, failed on the fourth")
  void customMaximum() {
    faults.turnAttempts(locked -> 4);
    world.client().start(FLOW, "o", "");
    world.start(world.options().maxAttempts(3), n -> n.orchestration(FLOW, (ctx, in) -> in));

    assertThat(failureOf("o"))
        .isInstanceOfSatisfying(
            ErrorDetails.Poison.class,
            poison -> {
              assertThat(poison.attemptCount()).isEqualTo(4);
              assertThat(poison.maxAttempts()).isEqualTo(3);
            });
  }

  @Test
  @DisplayName("E2E-603 E2E-605 a poisoned activity fails its orchestration; later ones do not run")
  void activity() {
    faults.workAttempts(locked -> 11);
    world.start(n ->
        n.activity(WORK, (ctx, in) -> Integer.toString(runs.incrementAndGet()))
            .orchestration(
                FLOW,
                (ctx, in) -> {
                  try {
                    ctx.call(WORK, "1").await();
                  } catch (RuntimeException e) {
                    return "caught";
                  }
                  return ctx.call(WORK, "2").await();
                }));
    world.client().start(FLOW, "a", "");

    ErrorDetails.Poison poison = (ErrorDetails.Poison) failureOf("a");

    assertThat(poison.subject()).isEqualTo(new PoisonSubject.Activity("a", 1, "Work", 2));
    assertThat(runs).hasValue(0);
    assertThat(world.events("a", EventKind.ActivityScheduled.class)).hasSize(1);
  }

  @Test
  @DisplayName("E2E-604 a poisoned child fails its parent with the child's details")
  void child() {
    faults.turnAttempts(
        locked -> locked.item().instance().equals("c") ? 11 : locked.attemptCount());
    world.start(n ->
        n.orchestration(CHILD, (ctx, in) -> in)
            .orchestration(
                FLOW, (ctx, in) -> ctx.call(CHILD, in, ChildOptions.instanceId("c")).await()));
    world.client().start(FLOW, "p", "");

    ErrorDetails parent = failureOf("p");

    assertThat(parent).isEqualTo(failureOf("c"));
    assertThat(((ErrorDetails.Poison) parent).subject())
        .isEqualTo(new PoisonSubject.Orchestration("c", 1));
  }

  @Test
  @DisplayName("E2E-607 a poisoned activity of a child fails the child and its parent")
  void activityInChild() {
    faults.workAttempts(locked -> 11);
    world.start(n ->
        n.activity(WORK, (ctx, in) -> in)
            .orchestration(CHILD, (ctx, in) -> ctx.call(WORK, in).await())
            .orchestration(
                FLOW, (ctx, in) -> ctx.call(CHILD, in, ChildOptions.instanceId("c")).await()));
    world.client().start(FLOW, "p", "");

    ErrorDetails.Poison parent = (ErrorDetails.Poison) failureOf("p");

    assertThat(parent.subject()).isEqualTo(new PoisonSubject.Activity("c", 1, "Work", 2));
    assertThat(failureOf("c")).isEqualTo(parent);
  }

  @Test
  @DisplayName("E2E-608 a poisoned start of an unknown instance leaves a whole, failed history")
  void unknownInstance() {
    faults.turnAttempts(locked -> 11);
    world.start(world.options().fetchOnlyRegistered(false), n -> {});
    world.client().start(FLOW, "u", "the input");

    assertThat(failureOf("u")).isInstanceOf(ErrorDetails.Poison.class);

    List<Event> history = world.history("u");
    assertThat(history).hasSize(2);
    assertThat(history.getFirst().kind())
        .isInstanceOfSatisfying(
            EventKind.OrchestrationStarted.class,
            started -> {
              assertThat(started.name()).isEqualTo("Flow");
              assertThat(started.input()).isEqualTo("the input");
            });
    assertThat(history.getLast().kind()).isInstanceOf(EventKind.OrchestrationFailed.class);
    assertThat(world.store().management().orElseThrow().instanceInfo("u").orchestration().name())
        .isEqualTo("Flow");
  }

  @Test
  @DisplayName(
      "E2E-916 E2E-915 poison cancels running activities and children, and ends the history")
  void poisonCleansUp() {
    CountDownLatch started = new CountDownLatch(1);
    CountDownLatch cancelled = new CountDownLatch(1);
    AtomicBoolean poisoned = new AtomicBoolean();
    faults.turnAttempts(locked ->
        poisoned.get() && locked.item().instance().equals("p") ? 11 : locked.attemptCount());
    world.start(n ->
        n.activity(
                WORK,
                (ctx, in) -> {
                  started.countDown();
                  ctx.awaitCancelled(World.PATIENCE);
                  cancelled.countDown();
                  return "";
                })
            .orchestration(CHILD, (ctx, in) -> ctx.waitForEvent("never").await())
            .orchestration(
                FLOW,
                (ctx, in) -> {
                  ctx.call(CHILD, in, ChildOptions.instanceId("c"));
                  ctx.call(WORK, in);
                  return ctx.waitForEvent("go").await();
                }));
    world.client().start(FLOW, "p", "");
    world.until(() -> started.getCount() == 0);
    world.awaitEvent("c", EventKind.ExternalSubscribed.class);

    poisoned.set(true);
    world.client().raiseEvent("p", "go", "");

    assertThat(failureOf("p")).isInstanceOf(ErrorDetails.Poison.class);
    assertThat(world.failure("c")).isEqualTo("canceled: parent failed");
    world.until(() -> cancelled.getCount() == 0);
    assertThat(world.events("p", EventKind.ActivityCancelRequested.class)).hasSize(1);
    assertThat(world.events("p", EventKind.SubOrchestrationCancelRequested.class)).hasSize(1);
    assertThat(world.history("p").getLast().kind())
        .isInstanceOf(EventKind.OrchestrationFailed.class);
  }

  @Test
  @DisplayName("E2E-916 an unreadable child fails its parent, and its own child is cancelled")
  void unreadableChild() {
    Orchestration<String, String> grandchild =
        Orchestration.of("Grandchild", String.class, String.class);
    world.start(
        world.options().maxAttempts(1),
        n ->
            n.orchestration(grandchild, (ctx, in) -> ctx.waitForEvent("never").await())
                .orchestration(
                    CHILD,
                    (ctx, in) -> {
                      ctx.call(grandchild, in, ChildOptions.instanceId("g"));
                      return ctx.waitForEvent("go").await();
                    })
                .orchestration(
                    FLOW, (ctx, in) -> ctx.call(CHILD, in, ChildOptions.instanceId("c")).await()));
    world.client().start(FLOW, "p", "");
    world.awaitEvent("c", EventKind.ExternalSubscribed.class);
    world.awaitEvent("g", EventKind.ExternalSubscribed.class);

    faults.unreadable("c");
    world.client().raiseEvent("c", "go", "");
    world.until(() -> faults.done("abandonOrchestrationItem") == 1);
    world.advance(Duration.ofSeconds(1));

    assertThat(failureOf("p"))
        .isInstanceOfSatisfying(
            ErrorDetails.Poison.class,
            poison ->
                assertThat(poison.subject())
                    .isEqualTo(
                        new PoisonSubject.FailedDeserialization("c", 1, "an unknown event")));
    assertThat(world.failure("g")).isEqualTo("canceled: parent failed");
  }
}
