package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.client.StartOptions;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.ProviderException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
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
class CrashRecoveryTest {
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

  private static final ProviderException.Kind UNAVAILABLE = ProviderException.Kind.UNAVAILABLE;

  private final Map<String, AtomicInteger> runs = new ConcurrentHashMap<>();

  private String work(String input) {
    runs.computeIfAbsent(input, key -> new AtomicInteger()).incrementAndGet();
    return input;
  }

  private int runs(String input) {
    return runs.getOrDefault(input, new AtomicInteger()).get();
  }

  @Test
  @DisplayName("E2E-580 after a restart nothing that was done is repeated")
  void restartInTheMiddle() {
    Runnable node =
        () ->
            world.start(n ->
                n.activity(WORK, (ctx, in) -> work(in))
                    .orchestration(
                        FLOW,
                        (ctx, in) -> {
                          String done = ctx.call(WORK, "1").await() + ctx.call(WORK, "2").await();
                          ctx.waitForEvent("go").await();
                          return done + ctx.call(WORK, "3").await() + ctx.call(WORK, "4").await();
                        }));
    node.run();
    world.client().start(FLOW, "r", "");
    world.awaitEvent("r", EventKind.ExternalSubscribed.class);

    world.restart();
    node.run();
    world.client().raiseEvent("r", "go", "");

    assertThat(world.output("r")).isEqualTo("1234");
    for (String step : List.of("1", "2", "3", "4")) {
      assertThat(runs(step)).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("E2E-581 orchestrations of five shapes are interrupted and go on")
  void fiveShapes() {
    Map<String, OrchestrationHandler<String, String>> shapes =
        Map.of(
            "Chain", (ctx, in) -> ctx.call(WORK, "a").await() + ctx.waitForEvent("go").await(),
            "Fan",
                (ctx, in) -> {
                  DurableFuture<String> go = ctx.waitForEvent("go");
                  List<DurableFuture<String>> all =
                      List.of(ctx.call(WORK, "b"), ctx.call(WORK, "c"));
                  return String.join("", ctx.<String>all(all)) + go.await();
                },
            "Timer",
                (ctx, in) -> {
                  ctx.timer(Duration.ofHours(1)).await();
                  return "t" + ctx.waitForEvent("go").await();
                },
            "Parent", (ctx, in) -> ctx.call(CHILD, "x").await() + "!",
            "Loop",
                (ctx, in) ->
                    in.isEmpty()
                        ? ctx.continueAsNew("again")
                        : in + ctx.waitForEvent("go").await());
    Runnable node =
        () ->
            world.start(n -> {
              n.activity(WORK, (ctx, in) -> work(in))
                  .orchestration(CHILD, (ctx, in) -> in + ctx.waitForEvent("go").await());
              shapes.forEach((name, code) ->
                  n.orchestration(Orchestration.of(name, String.class, String.class), code));
            });
    node.run();
    shapes.keySet().forEach(name -> world.client().start(name, name, "", StartOptions.defaults()));
    for (String waiting : List.of("Chain", "Fan", "Loop", "Parent::sub::2")) {
      world.awaitEvent(waiting, EventKind.ExternalSubscribed.class);
    }
    world.awaitEvent("Timer", EventKind.TimerCreated.class);

    world.restart();
    world.advance(Duration.ofHours(1));
    node.run();
    for (String waiting : List.of("Chain", "Fan", "Loop", "Timer", "Parent::sub::2")) {
      world.awaitEvent(waiting, EventKind.ExternalSubscribed.class);
      world.client().raiseEvent(waiting, "go", "+");
    }

    assertThat(shapes.keySet().stream().sorted().map(world::output))
        .containsExactly("a+", "bc+", "again+", "x+!", "t+");
    assertThat(runs("a") + runs("b") + runs("c")).isEqualTo(3);
  }

  @Test
  @DisplayName("E2E-582 the in-memory store starts afresh")
  void memory() {
    try (World memory = World.memory(mode)) {
      memory.start(n ->
          n.activity(WORK, (ctx, in) -> work(in))
              .orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await()));
      memory.client().start(FLOW, "m", "in");
      assertThat(memory.output("m")).isEqualTo("in");
    }
  }

  /** An activity whose outcome goes through the queue. */
  private void oneActivity() {
    world.start(
        world.options().localSteps(0),
        n ->
            n.activity(WORK, (ctx, in) -> work(in))
                .orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await()));
  }

  @Test
  @DisplayName("E2E-583 a crash between an activity and its report: run again, recorded once")
  void crashBeforeReport() {
    faults.failNext("ackWorkItem", Integer.MAX_VALUE, UNAVAILABLE);
    oneActivity();
    world.client().start(FLOW, "c", "x");
    world.until(() -> faults.count("ackWorkItem") > 0);

    faults.failNext("abandonWorkItem", Integer.MAX_VALUE, UNAVAILABLE);
    world.restart();
    faults.failNext("ackWorkItem", 0, UNAVAILABLE);
    world.advance(Duration.ofSeconds(30));
    oneActivity();

    assertThat(world.output("c")).isEqualTo("x");
    assertThat(runs("x")).isEqualTo(2);
    assertThat(world.events("c", EventKind.ActivityScheduled.class)).hasSize(1);
    assertThat(world.events("c", EventKind.ActivityCompleted.class)).hasSize(1);
  }

  @Test
  @DisplayName("E2E-584 three activities, a crash after scheduling: three completions")
  void crashAfterScheduling() {
    OrchestrationHandler<String, String> code =
        (ctx, in) ->
            String.join(
                ",",
                ctx.<String>all(
                    List.of(ctx.call(WORK, "1"), ctx.call(WORK, "2"), ctx.call(WORK, "3"))));
    world.start(world.options().workerConcurrency(0), n -> n.orchestration(FLOW, code));
    world.client().start(FLOW, "p", "");
    world.until(() -> world.events("p", EventKind.ActivityScheduled.class).size() == 3);

    world.restart();
    world.start(n -> n.activity(WORK, (ctx, in) -> work(in)).orchestration(FLOW, code));

    assertThat(world.output("p")).isEqualTo("1,2,3");
    assertThat(world.events("p", EventKind.ActivityCompleted.class)).hasSize(3);
  }

  @Test
  @DisplayName("E2E-585 a report that fails once is tried again, the activity is not")
  void reportFailsOnce() {
    faults.failNext("ackWorkItem", 1, UNAVAILABLE);
    oneActivity();
    world.client().start(FLOW, "f", "x");

    assertThat(world.output("f")).isEqualTo("x");
    assertThat(runs("x")).isEqualTo(1);
  }

  @Test
  @DisplayName("E2E-585 an activity whose report is refused is run again long before its lock ends")
  void reportRefusedOnce() {
    faults.failNext("ackWorkItem", 1, ProviderException.Kind.UNKNOWN_PERMANENT);
    oneActivity();
    world.client().start(FLOW, "f", "x");
    world.until(() -> faults.done("abandonWorkItem") == 1);
    world.advance(Duration.ofMillis(100));

    assertThat(world.output("f")).isEqualTo("x");
    assertThat(runs("x")).isEqualTo(2);
  }

  @Test
  @DisplayName("E2E-586 E2E-587 duplicate completions and timers are recorded once")
  void duplicates() {
    faults.failNextAfterCommit("ackWorkItem", 1, UNAVAILABLE);
    world.start(n ->
        n.activity(WORK, (ctx, in) -> work(in))
            .orchestration(
                FLOW,
                (ctx, in) -> {
                  ctx.call(WORK, "x").await();
                  ctx.timer(Duration.ZERO).await();
                  return ctx.waitForEvent("go").await();
                }));
    world.client().start(FLOW, "d", "");
    world.awaitEvent("d", EventKind.ExternalSubscribed.class);
    Event fired =
        world.history("d").stream()
            .filter(e -> e.kind() instanceof EventKind.TimerFired)
            .findFirst()
            .orElseThrow();
    long timer = Optional.ofNullable(fired.source()).orElseThrow();
    world
        .store()
        .enqueueForOrchestrator(
            List.of(
                new WorkItem.ActivityCompleted("d", 1, 2, "other"),
                new WorkItem.ActivityCompleted("d", 1, 2, "x"),
                new WorkItem.TimerFired("d", 1, timer, world.clock().instant()),
                new WorkItem.ExternalRaised("d", "go", "end")));

    assertThat(world.output("d")).isEqualTo("end");
    assertThat(world.events("d", EventKind.ActivityCompleted.class))
        .extracting(EventKind.ActivityCompleted::result)
        .containsExactly("x");
    assertThat(world.events("d", EventKind.TimerFired.class)).hasSize(1);
    assertThat(runs("x")).isEqualTo(1);
  }

  @Test
  @DisplayName("E2E-588 of two equal events a wait takes the first; both are recorded")
  void duplicateEvents() {
    world.start(n ->
        n.orchestration(
            FLOW, (ctx, in) -> ctx.waitForEvent("go").await() + ctx.waitForEvent("end").await()));
    world.client().start(FLOW, "e", "");
    world.awaitEvent("e", EventKind.ExternalSubscribed.class);
    world.client().raiseEvent("e", "go", "1");
    world.client().raiseEvent("e", "go", "1");
    world.until(() -> world.events("e", EventKind.ExternalEvent.class).size() == 2);
    world.client().raiseEvent("e", "end", "!");

    assertThat(world.output("e")).isEqualTo("1!");
    assertThat(world.events("e", EventKind.ExternalEvent.class)).hasSize(3);
  }

  @Test
  @DisplayName("E2E-905 an outage exactly when a turn is committed does not fail the orchestration")
  void outageAtTurn() {
    faults.failNext(Faults.COMMIT, 8, UNAVAILABLE);
    oneActivity();
    world.client().start(FLOW, "o", "x");
    world.until(() -> faults.done("abandonOrchestrationItem") == 1);
    assertThat(world.history("o")).isEmpty();
    world.advance(Duration.ofMillis(50));

    assertThat(world.output("o")).isEqualTo("x");
    assertThat(world.events("o", EventKind.OrchestrationFailed.class)).isEmpty();
    assertThat(runs("x")).isEqualTo(1);
  }

  @Test
  @DisplayName("E2E-905 an outage of 2 s when an activity is reported does not run it again")
  void outageAtReport() {
    faults.failNext("ackWorkItem", 8, UNAVAILABLE);
    oneActivity();
    world.client().start(FLOW, "o", "x");

    assertThat(world.output("o")).isEqualTo("x");
    assertThat(faults.count("ackWorkItem")).isEqualTo(9);
    assertThat(faults.count("abandonWorkItem")).isZero();
    assertThat(runs("x")).isEqualTo(1);
  }

  /** What no provider may return. */
  private static OrchestrationItem withoutMessages(OrchestrationItem item) {
    return new OrchestrationItem(
        item.execution(), item.orchestrationName(), item.version(), item.history(), null);
  }

  @Test
  @DisplayName("E2E-918 a throwing provider and an impossible item do not cost a slot")
  void slotsSurvive() {
    AtomicInteger impossible = new AtomicInteger(2);
    faults.onFetchedTurn(locked ->
        impossible.getAndDecrement() > 0
            ? new LockedOrchestration(withoutMessages(locked.item()), locked.lockToken(), 1)
            : locked);
    faults.throwNext("fetchOrchestrationItems", 1, new IllegalStateException("injected"));
    faults.throwNext("fetchWorkItems", 1, new IllegalStateException("injected"));
    faults.throwNext("ackWorkItem", 1, new IllegalStateException("injected"));
    world.start(
        world.options().orchestrationConcurrency(1).workerConcurrency(1).localSteps(0),
        n ->
            n.activity(WORK, (ctx, in) -> work(in))
                .orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await()));
    world.client().start(FLOW, "lost-1", "1");
    world.client().start(FLOW, "lost-2", "2");
    world.until(() -> faults.done("abandonOrchestrationItem") == 2);
    world.client().start(FLOW, "s", "x");
    world.until(() -> faults.done("abandonWorkItem") == 1);
    world.advance(Duration.ofSeconds(5));

    assertThat(world.output("s")).isEqualTo("x");
    assertThat(world.output("lost-1")).isEqualTo("1");
    assertThat(world.output("lost-2")).isEqualTo("2");
  }

  @Test
  @DisplayName("E2E-919 dispatchers recover from an outage of the provider")
  void outage() {
    faults.down(true);
    oneActivity();
    world.until(
        () -> faults.count("fetchOrchestrationItems") > 2 && faults.count("fetchWorkItems") > 2);
    faults.down(false);
    world.client().start(FLOW, "after", "x");

    assertThat(world.output("after")).isEqualTo("x");
  }
}
