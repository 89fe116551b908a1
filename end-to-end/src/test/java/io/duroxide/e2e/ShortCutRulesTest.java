package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.duroxide.api.Activity;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.ContinueOptions;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.client.StartOptions;
import io.duroxide.model.EventKind;
import io.duroxide.model.Semver;
import io.duroxide.model.SemverRange;
import io.duroxide.provider.Provider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import io.duroxide.telemetry.NodeEvent;
import io.duroxide.telemetry.NodeVitals;
import io.duroxide.telemetry.TelemetryEvent;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@DisplayName("Short cuts keep every rule of the long way")
class ShortCutRulesTest {
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Orchestration<String, String> CHILD =
      Orchestration.of("Child", String.class, String.class);
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final ExternalEvent<String> EVENT = ExternalEvent.of("E", String.class);
  private static final Duration SHORT = Duration.ofMillis(100);
  private static final Duration LONG = Duration.ofMinutes(10);

  private final Faults faults = new Faults();
  private final CountDownLatch computing = new CountDownLatch(1);
  private final CountDownLatch stopped = new CountDownLatch(1);
  private final AtomicInteger runs = new AtomicInteger();
  private final List<DuroxideRuntime> nodes = new ArrayList<>();
  private volatile boolean released;
  private World world;

  @BeforeEach
  void open() {
    faults.beginStarts();
    world = World.sqlite(Mode.KEPT);
    world.decorate(faults::on);
  }

  @AfterEach
  void close() {
    released = true;
    nodes.forEach(node -> node.shutdown(Duration.ZERO));
    world.close();
  }

  /** The first time it runs it computes until it is released; otherwise it waits for an event. */
  private void computesOnce(DuroxideRuntime.Builder node) {
    node.orchestration(
        FLOW,
        (ctx, in) -> {
          if (runs.incrementAndGet() > 1) {
            return in + ctx.waitFor(EVENT).await();
          }
          try {
            computing.countDown();
            while (!released) {
              Thread.onSpinWait();
            }
            ctx.setCustomStatus("thrown away");
            return "thrown away";
          } finally {
            stopped.countDown();
          }
        });
  }

  /** A node whose turns come from starts alone. */
  private DuroxideRuntime nodeWithoutFetches(RuntimeOptions.Builder options) {
    DuroxideRuntime.Builder node =
        DuroxideRuntime.builder(new GatedStore(world.store(), false).provider())
            .options(options.build());
    computesOnce(node);
    DuroxideRuntime runtime = node.start();
    nodes.add(runtime);
    return runtime;
  }

  @Test
  @DisplayName("RL-053 a first turn that computes on: start returns, the instance can be cancelled")
  void endlessFirstTurn() throws InterruptedException {
    DuroxideRuntime slow = nodeWithoutFetches(world.options().blockingLimit(SHORT));
    world.client().start(FLOW, "x", "in-");
    assertThat(computing.await(30, TimeUnit.SECONDS)).isTrue();

    assertThat(slow.metrics().turnsInVain()).isEqualTo(1);
    assertThat(slow.health().facts()).containsEntry("turns in progress", "1 of 500");
    assertThat(world.store().management().orElseThrow().queueDepths().orchestrator().ready())
        .isEqualTo(1);
    world.start(this::computesOnce);
    world.awaitEvent("x", EventKind.ExternalSubscribed.class);
    world.client().cancel("x", "no longer needed");

    assertThat(world.end("x")).isInstanceOf(OrchestrationStatus.Failed.class);
    assertThat(stopped.getCount()).isEqualTo(1);
    List<?> history = world.history("x");
    released = true;
    assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
    world.until(() -> "0 of 500".equals(slow.health().facts().get("turns in progress")));
    assertThat(world.history("x")).isEqualTo(history);
    assertThat(faults.count(Faults.START)).isZero();
  }

  @Test
  @DisplayName("RL-053 the node that left a first turn begins no other of that instance meanwhile")
  void oneAtATime() throws InterruptedException {
    world.start(world.options().blockingLimit(SHORT), this::computesOnce);
    world.client().start(FLOW, "x", "in-");
    assertThat(computing.await(30, TimeUnit.SECONDS)).isTrue();
    world.until(() -> faults.done("fetchOrchestrationItems") > 0);

    assertThat(runs).hasValue(1);
    released = true;
    assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
    world.awaitEvent("x", EventKind.ExternalSubscribed.class);
    world.client().raiseEvent("x", EVENT, "event");
    assertThat(world.output("x")).isEqualTo("in-event");
    assertThat(runs).hasValue(2);
  }

  @Test
  @DisplayName("RL-054 closed during such a turn: close returns, nothing is stored, others run it")
  void closedMeanwhile() throws Exception {
    DuroxideRuntime closing = nodeWithoutFetches(world.options().blockingLimit(LONG));
    CompletableFuture<@Nullable Void> start =
        world.client().runAsync(client -> client.start(FLOW, "x", "in-"));
    assertThat(computing.await(30, TimeUnit.SECONDS)).isTrue();
    CompletableFuture<Boolean> closed =
        CompletableFuture.supplyAsync(() -> closing.shutdown(Duration.ZERO));

    start.get(30, TimeUnit.SECONDS);
    assertThat(closed.get(12, TimeUnit.SECONDS)).isFalse();
    world.start(this::computesOnce);
    world.awaitEvent("x", EventKind.ExternalSubscribed.class);
    List<?> history = world.history("x");
    released = true;
    assertThat(stopped.await(30, TimeUnit.SECONDS)).isTrue();
    world.client().raiseEvent("x", EVENT, "event");

    assertThat(world.output("x")).isEqualTo("in-event");
    assertThat(world.history("x").subList(0, history.size())).isEqualTo(history);
    assertThat(faults.count(Faults.START)).isZero();
  }

  private static RuntimeOptions.Builder ranges(RuntimeOptions.Builder options, String ranges) {
    SemverRange foreign = new SemverRange(Semver.of(50, 0, 0), Semver.of(60, 0, 0));
    return options.supportedReplayVersions(ranges.equals("none") ? List.of() : List.of(foreign));
  }

  private DuroxideRuntime recording(RuntimeOptions.Builder options, String node, List<String> ran) {
    return world.start(
        options,
        n ->
            n.orchestration(
                FLOW,
                (ctx, in) -> {
                  ran.add(node);
                  return in;
                }));
  }

  @ParameterizedTest(name = "RL-055 {0} of its versions, localSteps {1}: begins nothing")
  @CsvSource({"none, 64", "none, 0", "a foreign band, 64", "a foreign band, 0"})
  @DisplayName("RL-055 a node without a range for its own version begins nothing")
  void begunElsewhere(String ranges, int localSteps) {
    List<String> ran = new CopyOnWriteArrayList<>();
    RuntimeOptions.Builder options = world.options().localSteps(localSteps).maxAttempts(1);
    recording(ranges(options, ranges), "foreign", ran);
    world.client().start(FLOW, "x", "done");
    int bounces = ranges.equals("none") ? 0 : 3;
    for (int bounce = 1; bounce <= bounces; bounce++) {
      int expected = bounce;
      world.until(() -> faults.done("abandonOrchestrationItem") == expected);
      world.advance(Duration.ofSeconds(1));
    }
    world.stopRuntimes();
    assertThat(world.client().status("x")).isInstanceOf(OrchestrationStatus.NotFound.class);
    world.advance(Duration.ofSeconds(1));
    recording(world.options().maxAttempts(1), "own", ran);

    assertThat(world.output("x")).isEqualTo("done");
    assertThat(ran).containsExactly("own");
  }

  @Test
  @DisplayName("RL-055 build() warns of ranges without the version of the build")
  void warned() {
    try (Logs logs = Logs.of("io.duroxide.runtime", Level.WARN)) {
      world.options().build();
      assertThat(logs.lines()).isEmpty();
      ranges(world.options(), "a foreign band").build();
      assertThat(logs.lines()).hasSize(1).first().asString().contains("begins no instances");
    }
  }

  @Test
  @DisplayName("RL-056 orchestrationConcurrency(1) with 8 workers: never two turns at a time")
  void concurrency() {
    AtomicInteger inTurn = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CyclicBarrier together = new CyclicBarrier(8);
    world.start(
        world.options().orchestrationConcurrency(1).workerConcurrency(8),
        n ->
            n.activity(
                    WORK,
                    (ctx, in) -> {
                      together.await(30, TimeUnit.SECONDS);
                      return in;
                    })
                .orchestration(
                    FLOW,
                    (ctx, in) -> {
                      ctx.call(WORK, in).await();
                      most.accumulateAndGet(inTurn.incrementAndGet(), Math::max);
                      compute();
                      inTurn.decrementAndGet();
                      return in;
                    }));
    for (int i = 0; i < 8; i++) {
      world.client().start(FLOW, "i" + i, "in");
    }
    for (int i = 0; i < 8; i++) {
      assertThat(world.output("i" + i)).isEqualTo("in");
    }
    assertThat(most).hasValue(1);
  }

  /** Long enough for another turn to come in between. */
  private static void compute() {
    long end = System.nanoTime() + Duration.ofMillis(20).toNanos();
    while (System.nanoTime() < end) {
      Thread.onSpinWait();
    }
  }

  @Test
  @DisplayName("RL-056 turns of starts and steps count in the gauge and in health")
  void counted() {
    AtomicReference<NodeVitals> vitals = new AtomicReference<>();
    AtomicReference<DuroxideRuntime> node = new AtomicReference<>();
    List<String> seen = new CopyOnWriteArrayList<>();
    Runnable look =
        () ->
            seen.add(
                vitals.get().turnsInProgress()
                    + ", "
                    + node.get().health().facts().get("turns in progress"));
    node.set(
        world.start(
            world.options().telemetry(event -> keepVitals(event, vitals)),
            n ->
                n.activity(WORK, (ctx, in) -> in)
                    .orchestration(
                        FLOW,
                        (ctx, in) -> {
                          look.run();
                          ctx.call(WORK, in).await();
                          look.run();
                          return in;
                        })));
    world.client().start(FLOW, "x", "in");
    world.output("x");

    assertThat(faults.count(Faults.START)).isEqualTo(1);
    assertThat(faults.count(Faults.STEP)).isEqualTo(1);
    assertThat(seen).containsExactly("1, 1 of 500", "1, 1 of 500");
    world.until(() -> vitals.get().turnsInProgress() == 0);
  }

  private static void keepVitals(TelemetryEvent event, AtomicReference<NodeVitals> vitals) {
    if (event instanceof NodeEvent.Started started) {
      vitals.set(started.vitals());
    }
  }

  @Test
  @DisplayName("RL-059 a message that meets a step: one turn at a time, the one in vain is counted")
  void messageMeetsStep() {
    AtomicInteger inTurn = new AtomicInteger();
    AtomicInteger most = new AtomicInteger();
    CountDownLatch inStep = new CountDownLatch(1);
    CountDownLatch fetched = new CountDownLatch(1);
    List<NodeEvent.VainReason> inVain = new CopyOnWriteArrayList<>();
    faults.onFetchedTurn(locked -> {
      fetched.countDown();
      return locked;
    });
    DuroxideRuntime node =
        world.start(
            world
                .options()
                .telemetry(event -> {
                  if (event instanceof NodeEvent.TurnInVain vain) {
                    inVain.add(vain.reason());
                  }
                }),
            n ->
                n.activity(WORK, (ctx, in) -> in)
                    .orchestration(
                        FLOW,
                        (ctx, in) -> {
                          most.accumulateAndGet(1 + inTurn.get(), Math::max);
                          var event = ctx.waitFor(EVENT);
                          ctx.call(WORK, in).await();
                          inStep.countDown();
                          inTurn.incrementAndGet();
                          while (fetched.getCount() > 0) {
                            Thread.onSpinWait();
                          }
                          compute();
                          inTurn.decrementAndGet();
                          return in + event.await();
                        }));
    world.client().start(FLOW, "x", "in-");
    world.until(() -> inStep.getCount() == 0);
    world.client().raiseEvent("x", EVENT, "event");

    assertThat(world.output("x")).isEqualTo("in-event");
    assertThat(most).hasValue(1);
    assertThat(inVain).containsExactly(NodeEvent.VainReason.RACE);
    assertThat(node.metrics().turnsInVain()).isEqualTo(1);
  }

  @ParameterizedTest(name = "RL-060 localSteps {0}")
  @ValueSource(ints = {64, 0})
  @DisplayName("RL-060 a build label is dropped at start, child, continuation and registration")
  void buildLabels(int localSteps) {
    world.start(
        world.options().localSteps(localSteps),
        n ->
            n.orchestration(
                    FLOW,
                    "1.2.0+build7",
                    (ctx, in) ->
                        in.isEmpty()
                            ? ctx.continueAsNew("2", ContinueOptions.version("1.2.0+build6"))
                            : ctx.call(CHILD, in, ChildOptions.version("2.0.0+build5")).await())
                .orchestration(CHILD, "2.0.0+build1", (ctx, in) -> ctx.orchestrationVersion()));
    world.client().start(FLOW, "x", "", StartOptions.version("1.2.0+build5"));

    assertThat(world.output("x")).isEqualTo("2.0.0");
    assertThat(world.events("x", EventKind.OrchestrationStarted.class))
        .extracting(EventKind.OrchestrationStarted::version)
        .containsExactly("1.2.0");
  }

  @Test
  @DisplayName("RL-059 a store that takes no short cut has no turn computed in vain")
  void withoutShortCuts() {
    world.decorate(ShortCutRulesTest::withoutShortCuts);
    DuroxideRuntime node =
        world.start(n ->
            n.activity(WORK, (ctx, in) -> in)
                .orchestration(
                    FLOW,
                    (ctx, in) -> {
                      runs.incrementAndGet();
                      return ctx.call(WORK, in).await();
                    }));
    world.client().start(FLOW, "x", "in");

    assertThat(world.output("x")).isEqualTo("in");
    assertThat(runs).hasValue(1);
    assertThat(faults.count(Faults.START) + faults.count(Faults.STEP)).isZero();
    assertThat(node.metrics().turnsInVain()).isZero();
  }

  private static Provider withoutShortCuts(Provider store) {
    return (Provider)
        Proxy.newProxyInstance(
            Provider.class.getClassLoader(),
            new Class<?>[] {Provider.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("shortCuts")) {
                return Set.of();
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
