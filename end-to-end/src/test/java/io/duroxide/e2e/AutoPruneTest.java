package io.duroxide.e2e;

import static io.duroxide.api.ContinueOptions.prune;
import static io.duroxide.model.Retention.keepLast;
import static io.duroxide.model.Retention.maxAge;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.PrunedHistory;
import io.duroxide.model.AutoPrunePolicy;
import io.duroxide.model.EventKind;
import io.duroxide.model.Retention;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.TurnSource;
import io.duroxide.runtime.AutoPruneConfig;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BiFunction;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class AutoPruneTest extends Scenario {
  /** Some tests tamper with the file. */
  @Override
  @BeforeEach
  void open() {
    world = World.sqlite(mode);
  }

  private static final Orchestration<Integer, String> LOOP =
      Orchestration.of("Loop", Integer.class, String.class);
  private static final Orchestration<String, String> CHILD = texts("Child");
  private static final ExternalEvent<String> GO = ExternalEvent.of("Go", String.class);
  private static final String PRUNING = "io.duroxide.runtime.pruning";

  /** Executions seen after each commit. */
  private final List<Integer> sizes = new CopyOnWriteArrayList<>();

  private List<Long> executions(String instance) {
    return admin().listExecutions(instance);
  }

  private void watchSizes() {
    Provider store = world.store();
    world.decorate(any ->
        ObservedStore.of(
            store,
            (operation, arguments) -> {
              if (operation.equals("commitTurn")
                  && !(arguments.getFirst() instanceof TurnSource.AfterActivity)) {
                sizes.add(store.management().orElseThrow().listExecutions("loop").size());
              }
            }));
  }

  private static String last(OrchestrationContext ctx, int n) {
    return n > 0 ? ctx.continueAsNew(n - 1) : "end";
  }

  /** One execution for each event. */
  private static String step(OrchestrationContext ctx, int n) {
    ctx.waitFor(GO).await();
    return ctx.continueAsNew(n + 1);
  }

  // A: the code asks

  @Test
  @DisplayName("E2E-940 the code prunes in each execution, and a replay does not prune again")
  void byCode() {
    world.start(node ->
        node.orchestration(
            LOOP,
            (ctx, n) -> {
              PrunedHistory pruned = ctx.pruneHistory(keepLast(2));
              ctx.waitFor(GO).await();
              return n > 0 ? ctx.continueAsNew(n - 1) : pruned.toString();
            }));
    world.client().start(LOOP, "loop", 5);
    for (long execution = 1; execution <= 6; execution++) {
      awaitEvent("loop", execution, EventKind.ExternalSubscribed.class);
      assertThat(executions("loop")).hasSizeLessThanOrEqualTo(2);
      world.client().raiseEvent("loop", GO, "");
    }
    assertThat(world.output("loop")).isEqualTo(new PrunedHistory(1, 6, null).toString());
    assertThat(executions("loop")).containsExactly(5L, 6L);
    assertThat(kinds("loop", 6).subList(1, 3))
        .containsExactly(
            new EventKind.HistoryPruneRequested(keepLast(2)),
            new EventKind.HistoryPruned(1, 6, 2, null, null));
  }

  @Test
  @DisplayName(
      "E2E-940 after a crash between prune and commit the second run has nothing to delete")
  void crashAfterPrune() {
    Faults faults = new Faults();
    world.decorate(faults::on);
    AtomicBoolean crashed = new AtomicBoolean();
    world.start(node ->
        node.orchestration(
            LOOP,
            (ctx, n) -> {
              if (n > 0) {
                return ctx.continueAsNew(n - 1);
              }
              PrunedHistory pruned = ctx.pruneHistory(keepLast(1));
              if (crashed.compareAndSet(false, true)) {
                faults.failNext(Faults.COMMIT, 1, ProviderException.Kind.LOCK_LOST);
              }
              return pruned.toString();
            }));
    world.client().start(LOOP, "loop", 3);
    world.until(crashed::get);
    world.until(() -> executions("loop").equals(List.of(3L)));
    world.advance(Duration.ofMinutes(1));
    assertThat(world.output("loop")).isEqualTo(new PrunedHistory(0, 0, null).toString());
    assertThat(executions("loop")).containsExactly(3L, 4L);
  }

  @Test
  @DisplayName("E2E-940 an error is recorded and told, and the orchestration goes on")
  void failingByCode() {
    try (StoreFile file = new StoreFile(world);
        Logs logs = Logs.of(PRUNING, Level.WARN)) {
      file.forbidPruning();
      world.start(node ->
          node.orchestration(
              LOOP,
              (ctx, n) ->
                  n > 0
                      ? ctx.continueAsNew(n - 1)
                      : String.valueOf(ctx.pruneHistory(keepLast(1)).error())));
      world.client().start(LOOP, "loop", 2);
      assertThat(world.output("loop")).contains("injected");
      assertThat(world.events("loop", EventKind.HistoryPruned.class))
          .singleElement()
          .satisfies(pruned -> assertThat(pruned.error()).contains("injected"));
      assertThat(executions("loop")).containsExactly(1L, 2L, 3L);
      assertThat(Logs.fields(logs.written().getFirst()))
          .containsEntry("source", "operation")
          .containsEntry("instance_id", "loop");
    }
  }

  // B: a parameter of continue-as-new

  @Test
  @DisplayName("E2E-941 continue-as-new prunes in the step that makes the next execution current")
  void byContinueAsNew() {
    watchSizes();
    world.start(node ->
        node.orchestration(
            LOOP, (ctx, n) -> n > 0 ? ctx.continueAsNew(n - 1, prune(keepLast(1))) : "end"));
    world.client().start(LOOP, "loop", 6);
    assertThat(world.output("loop")).isEqualTo("end");
    assertThat(executions("loop")).containsExactly(7L);
    world.until(() -> sizes.size() == 7);
    assertThat(sizes).allMatch(size -> size == 1);
  }

  @Test
  @DisplayName("E2E-941 three are kept; with an age, what is younger stays too")
  void byContinueAsNewWithAge() {
    world.start(node ->
        node.orchestration(
            LOOP,
            (ctx, n) -> {
              ctx.waitFor(GO).await();
              Retention retention = keepLast(3);
              return n > 0
                  ? ctx.continueAsNew(
                      n - 1,
                      prune(
                          ctx.instanceId().equals("aged")
                              ? retention.andMaxAge(Duration.ofHours(1))
                              : retention))
                  : "end";
            }));
    for (String instance : List.of("counted", "aged")) {
      world.client().start(LOOP, instance, 5);
      for (long execution = 1; execution <= 5; execution++) {
        awaitEvent(instance, execution, EventKind.ExternalSubscribed.class);
        world.advance(Duration.ofMinutes(25));
        world.client().raiseEvent(instance, GO, "");
      }
      awaitEvent(instance, 6, EventKind.ExternalSubscribed.class);
    }
    assertThat(executions("counted")).containsExactly(4L, 5L, 6L);
    assertThat(executions("aged")).containsExactly(3L, 4L, 5L, 6L);
  }

  @Test
  @DisplayName("E2E-941 a crash before the commit loses nothing, and the next run does it all")
  void crashBeforeCommit() {
    Faults faults = new Faults();
    world.decorate(faults::on);
    AtomicBoolean crashed = new AtomicBoolean();
    world.start(node ->
        node.orchestration(
            LOOP,
            (ctx, n) -> {
              if (n == 2) {
                return ctx.continueAsNew(1);
              }
              if (n == 1) {
                return ctx.continueAsNew(0, prune(keepLast(1)));
              }
              if (crashed.compareAndSet(false, true)) {
                faults.failNext(Faults.COMMIT, 1, ProviderException.Kind.LOCK_LOST);
              }
              return "end";
            }));
    world.client().start(LOOP, "loop", 2);
    world.until(crashed::get);
    world.until(() -> faults.done(Faults.COMMIT) == 3);
    assertThat(executions("loop")).containsExactly(1L, 2L);
    world.advance(Duration.ofMinutes(1));
    assertThat(world.output("loop")).isEqualTo("end");
    assertThat(executions("loop")).containsExactly(3L);
  }

  // C: registered

  @Test
  @DisplayName("E2E-942 registered with keepLast 2, never more than two executions are seen")
  void byRegistration() {
    watchSizes();
    world.start(node ->
        node.orchestration(LOOP, AutoPruneTest::last)
            .autoPrune(LOOP, AutoPrunePolicy.of(keepLast(2))));
    world.client().start(LOOP, "loop", 9);
    assertThat(world.output("loop")).isEqualTo("end");
    assertThat(executions("loop")).containsExactly(9L, 10L);
    assertThat(sizes).allMatch(size -> size <= 2);
  }

  @Test
  @DisplayName("E2E-942 registered for every tenth execution, it grows in between and is cut back")
  void everyTenth() {
    world.start(node ->
        node.orchestration(LOOP, AutoPruneTest::step)
            .autoPrune(LOOP, AutoPrunePolicy.of(keepLast(2)).every(10)));
    world.client().start(LOOP, "loop", 0);
    for (int execution = 1; execution <= 25; execution++) {
      awaitEvent("loop", execution, EventKind.ExternalSubscribed.class);
      int sinceCut = execution % 10;
      assertThat(executions("loop")).hasSize(execution < 10 ? execution : 2 + sinceCut);
      world.client().raiseEvent("loop", GO, "");
    }
  }

  // D: configured

  @Test
  @DisplayName(
      "E2E-943 default, override, change while running and switch each count from the next")
  void byConfiguration() {
    AtomicReference<AutoPruneConfig> config = new AtomicReference<>(AutoPruneConfig.PLAIN);
    world.start(
        world.options().autoPrune(config::get),
        node ->
            node.orchestration(
                LOOP,
                (ctx, n) ->
                    switch (ctx.waitFor(GO).await()) {
                      case "prune" -> ctx.continueAsNew(n + 1, prune(keepLast(1)));
                      case "ask" -> {
                        ctx.pruneHistory(keepLast(1));
                        yield ctx.continueAsNew(n + 1);
                      }
                      default -> ctx.continueAsNew(n + 1);
                    }));
    world.client().start(LOOP, "loop", 0);
    AutoPruneConfig three = AutoPruneConfig.PLAIN.withDefault(AutoPrunePolicy.of(keepLast(3)));
    AutoPruneConfig two = three.withOverride("Loop", AutoPrunePolicy.of(keepLast(2)));
    BiFunction<AutoPruneConfig, String, List<Long>> next =
        (settings, how) -> {
          config.set(settings);
          long current = admin().latestExecutionId("loop");
          world.client().raiseEvent("loop", GO, how);
          awaitEvent("loop", current + 1, EventKind.ExternalSubscribed.class);
          return executions("loop");
        };
    awaitEvent("loop", 1, EventKind.ExternalSubscribed.class);
    assertThat(next.apply(AutoPruneConfig.PLAIN, "")).containsExactly(1L, 2L);
    assertThat(next.apply(AutoPruneConfig.PLAIN, "")).containsExactly(1L, 2L, 3L);
    assertThat(next.apply(three, "")).containsExactly(2L, 3L, 4L);
    assertThat(next.apply(two, "")).containsExactly(4L, 5L);
    assertThat(next.apply(two.withEnabled(false), "")).containsExactly(4L, 5L, 6L);
    assertThat(next.apply(two.withEnabled(false), "")).containsExactly(4L, 5L, 6L, 7L);
    assertThat(next.apply(two.withEnabled(false), "ask")).containsExactly(7L, 8L);
    assertThat(next.apply(two.withEnabled(false), "prune")).containsExactly(9L);
  }

  // Failure, and what stays

  @Test
  @DisplayName("E2E-947 a prune that fails is told, the chain goes on, and the next one catches up")
  void failing() {
    try (StoreFile file = new StoreFile(world);
        Logs logs = Logs.of(PRUNING, Level.WARN)) {
      file.forbidPruning();
      world.start(node ->
          node.orchestration(LOOP, AutoPruneTest::step)
              .autoPrune(LOOP, AutoPrunePolicy.of(keepLast(1))));
      world.client().start(LOOP, "loop", 0);
      for (long execution = 1; execution <= 3; execution++) {
        awaitEvent("loop", execution, EventKind.ExternalSubscribed.class);
        world.client().raiseEvent("loop", GO, "");
      }
      awaitEvent("loop", 4, EventKind.ExternalSubscribed.class);
      assertThat(executions("loop")).containsExactly(1L, 2L, 3L, 4L);
      assertThat(admin().systemMetrics().totalExecutions()).isEqualTo(4);
      assertThat(logs.written()).hasSize(3);
      assertThat(Logs.fields(logs.written().getFirst()))
          .containsEntry("source", "registration")
          .containsEntry("instance_id", "loop")
          .hasEntrySatisfying("error", error -> assertThat(error).contains("injected"));
      file.allowPruning();
      world.client().raiseEvent("loop", GO, "");
      awaitEvent("loop", 5, EventKind.ExternalSubscribed.class);
      assertThat(executions("loop")).containsExactly(5L);
      assertThat(admin().systemMetrics().totalExecutions()).isEqualTo(1);
    }
  }

  @Test
  @DisplayName("E2E-948 values, custom status, children and the current execution stay as they are")
  void everythingElseStays() {
    world.start(node ->
        node.orchestration(CHILD, (ctx, in) -> in)
            .orchestration(
                LOOP,
                (ctx, n) -> {
                  ctx.kv().putText("k" + n, "v" + n);
                  ctx.setCustomStatus("at " + n);
                  ctx.call(CHILD, "", ChildOptions.instanceId("child-" + n)).await();
                  return n > 0
                      ? ctx.continueAsNew(n - 1, prune(keepLast(1)))
                      : ctx.waitFor(GO).await();
                }));
    world.client().start(LOOP, "loop", 2);
    awaitEvent("loop", 3, EventKind.ExternalSubscribed.class);
    assertThat(executions("loop")).containsExactly(3L);
    assertThat(world.client().kvAll("loop")).isEqualTo(Map.of("k0", "v0", "k1", "v1", "k2", "v2"));
    assertThat(world.client().status("loop").customStatus()).isEqualTo(new CustomStatus("at 0", 3));
    assertThat(admin().listChildren("loop"))
        .containsExactlyInAnyOrder("child-0", "child-1", "child-2");
    int before = world.history("loop").size();
    batch(
        new WorkItem.SubOrchCompleted("loop", 1, 4, "late"),
        new WorkItem.ActivityCompleted("loop", 2, 5, "late"));
    awaitDrained();
    assertThat(world.history("loop")).hasSize(before);
    world.client().raiseEvent("loop", GO, "done");
    assertThat(world.output("loop")).isEqualTo("done");
  }

  @Test
  @DisplayName("E2E-949 an eternal orchestration that keeps one execution does not grow")
  void doesNotGrow() {
    world.start(node ->
        node.orchestration(LOOP, AutoPruneTest::last)
            .autoPrune(LOOP, AutoPrunePolicy.of(keepLast(1))));
    world.client().start(LOOP, "warm-up", 100);
    assertThat(world.output("warm-up")).isEqualTo("end");
    try (StoreFile file = new StoreFile(world)) {
      long before = file.usedPages();
      world.client().start(LOOP, "loop", 1000);
      assertThat(world.output("loop")).isEqualTo("end");
      assertThat(executions("loop")).containsExactly(1001L);
      assertThat(admin().systemMetrics().totalExecutions()).isEqualTo(2);
      assertThat(admin().systemMetrics().totalEvents()).isEqualTo(4);
      assertThat(file.usedPages()).isLessThanOrEqualTo(before + 2);
    }
  }

  @Test
  @DisplayName("E2E-940 without management the code gets an error and goes on; parameters are told")
  void withoutManagement() {
    Provider store = world.store();
    world.decorate(any -> WithoutManagement.of(store));
    try (Logs logs = Logs.of(PRUNING, Level.WARN)) {
      world.start(
          world
              .options()
              .autoPrune(
                  AutoPruneConfig.PLAIN.withDefault(
                      AutoPrunePolicy.of(maxAge(Duration.ofDays(1))))),
          node ->
              node.orchestration(
                  LOOP,
                  (ctx, n) ->
                      switch (n) {
                        case 2 -> ctx.continueAsNew(1);
                        case 1 -> ctx.continueAsNew(0, prune(keepLast(1)));
                        default -> String.valueOf(ctx.pruneHistory(keepLast(1)).error());
                      }));
      world.client().start(LOOP, "loop", 2);
      assertThat(world.output("loop")).contains("no management");
      assertThat(logs.lines())
          .containsExactly(
              "nothing will be pruned automatically: the store offers no management operations",
              "pruning failed",
              "pruning failed");
      assertThat(store.management().orElseThrow().listExecutions("loop")).hasSize(3);
    }
  }
}
