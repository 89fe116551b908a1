package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.offset;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.metrics.micrometer.Metric;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.TurnCommit;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is counted is what the store holds, after a thousand instances of all kinds. */
class MetricTruthTest extends Scenario {
  private static final int OF_EACH = 100;
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> CHAIN = texts("Chain");
  private static final Orchestration<String, String> FAN = texts("Fan");
  private static final Orchestration<String, String> PARENT = texts("Parent");
  private static final Orchestration<String, String> CHILD = texts("Child");
  private static final Orchestration<String, String> LOOP = texts("Loop");
  private static final Orchestration<String, String> FAILING = texts("Failing");
  private static final Orchestration<String, String> GREEDY = texts("Greedy");
  private static final Orchestration<String, String> WAITER = texts("Waiter");
  private static final List<Orchestration<String, String>> ALL =
      List.of(CHAIN, FAN, PARENT, LOOP, FAILING, GREEDY, WAITER);

  private final Metrics metrics = new Metrics();
  private final Faults faults = new Faults();
  private final Map<ExecutionKey, Integer> turns = new ConcurrentHashMap<>();

  @BeforeEach
  void decorate() {
    faults.turnAttempts(
        locked -> locked.item().instance().startsWith("poison") ? 11 : locked.attemptCount());
    world.decorate(store -> ObservedStore.of(faults.on(store), this::called));
  }

  private void called(String operation, List<Object> arguments) {
    if (operation.equals("commitTurn")) {
      turn((TurnCommit) arguments.get(1));
    }
  }

  private void turn(TurnCommit commit) {
    if (!commit.historyDelta().isEmpty()) {
      turns.merge(commit.historyDelta().getFirst().execution(), 1, Integer::sum);
    }
  }

  private void register(DuroxideRuntime.Builder node) {
    node.activity(
            WORK,
            (ctx, in) -> {
              world.clock().advance(Duration.ofMillis(1));
              return in;
            })
        .orchestration(CHAIN, (ctx, in) -> ctx.call(WORK, ctx.call(WORK, in).await()).await())
        .orchestration(
            FAN,
            (ctx, in) ->
                String.join(
                    "",
                    ctx.all(
                        List.of(ctx.call(WORK, "a"), ctx.call(WORK, "b"), ctx.call(WORK, "c")))))
        .orchestration(CHILD, (ctx, in) -> ctx.call(WORK, in).await())
        .orchestration(PARENT, (ctx, in) -> ctx.call(CHILD, in).await())
        .orchestration(
            LOOP,
            (ctx, in) -> {
              ctx.call(WORK, in).await();
              return in.length() >= 3 ? in : ctx.continueAsNew(in + "x");
            })
        .orchestration(
            FAILING,
            (ctx, in) -> {
              ctx.call(WORK, in).await();
              throw new IllegalStateException("no stock");
            })
        .orchestration(
            GREEDY,
            (ctx, in) -> {
              ctx.setCustomStatus("x".repeat(300_000));
              return "";
            })
        .orchestration(WAITER, (ctx, in) -> ctx.waitForEvent("go").await());
  }

  @Test
  @DisplayName(
      "E2E-960 starts, ends, turns, durations and running instances are those of the store")
  void truth() {
    DuroxideRuntime runtime =
        world.start(world.options().telemetry(metrics.listener()), this::register);
    for (int i = 0; i < OF_EACH; i++) {
      for (Orchestration<String, String> kind : ALL) {
        world.client().start(kind, kind.name() + "-" + i, "x");
      }
      world.client().start(WAITER, "cancelled-" + i, "x");
      world.client().start(CHAIN, "poison-" + i, "x");
      world.client().cancel("cancelled-" + i, "enough");
    }
    Quiet.await(world);
    List<List<Event>> executions = executions();
    world.until(() -> metrics.count(Metric.ORCHESTRATION_COMPLETIONS) >= ended(executions).size());

    assertThat(executions).hasSize(OF_EACH * (6 + 1 + 1 + 2 + 2));
    compareStarts(executions);
    compareEnds(executions, runtime);
    compareTotals(executions);
    assertThat(metrics.gauge(Metric.ACTIVE_ORCHESTRATIONS))
        .isEqualTo(OF_EACH)
        .isEqualTo((double) admin().systemMetrics().runningInstances());
    assertThat(metrics.counts(Metric.SUBORCHESTRATION_CALLS, "outcome"))
        .isEqualTo(Map.of("success", (long) OF_EACH));
    assertThat(metrics.counts(Metric.ACTIVITY_EXECUTIONS, "outcome"))
        .isEqualTo(Map.of("success", (2L + 3 + 1 + 3 + 1) * OF_EACH));
  }

  private List<List<Event>> executions() {
    List<List<Event>> executions = new ArrayList<>();
    for (String instance : admin().listInstances()) {
      for (long id : admin().listExecutions(instance)) {
        executions.add(world.history(instance, id));
      }
    }
    return executions;
  }

  private static List<List<Event>> ended(List<List<Event>> executions) {
    return executions.stream()
        .filter(history -> history.getLast().kind() instanceof EventKind.Terminal)
        .toList();
  }

  private void compareStarts(List<List<Event>> executions) {
    assertThat(metrics.counts(Metric.ORCHESTRATION_STARTS, "orchestration_name"))
        .isEqualTo(grouped(executions, history -> started(history).name()));
    assertThat(metrics.counts(Metric.ORCHESTRATION_STARTS, "initiated_by"))
        .isEqualTo(grouped(executions, MetricTruthTest::initiator));
  }

  private static EventKind.OrchestrationStarted started(List<Event> history) {
    return (EventKind.OrchestrationStarted) history.getFirst().kind();
  }

  private static String initiator(List<Event> history) {
    if (history.getFirst().execution().executionId() > 1) {
      return "continueAsNew";
    }
    return started(history).parent() == null ? "client" : "suborchestration";
  }

  private void compareEnds(List<List<Event>> executions, DuroxideRuntime runtime) {
    List<List<Event>> ended = ended(executions);
    assertThat(metrics.counts(Metric.ORCHESTRATION_COMPLETIONS, "status"))
        .isEqualTo(grouped(ended, MetricTruthTest::status));
    assertThat(metrics.counts(Metric.ORCHESTRATION_FAILURES, "error_type"))
        .isEqualTo(
            Map.of(
                "app_error", (long) OF_EACH,
                "cancelled", (long) OF_EACH,
                "poison", (long) OF_EACH,
                "limit", (long) OF_EACH));
    assertThat(runtime.metrics().orchestrations().starts()).isEqualTo(executions.size());
    assertThat(runtime.metrics().orchestrations().failures().total()).isEqualTo(4L * OF_EACH);
    assertThat(
            runtime.metrics().orchestrations().completions()
                + runtime.metrics().orchestrations().continuedAsNew()
                + runtime.metrics().orchestrations().failures().total())
        .isEqualTo(ended.size());
  }

  private static String status(List<Event> history) {
    return switch ((EventKind.Terminal) history.getLast().kind()) {
      case EventKind.OrchestrationCompleted ignored -> "success";
      case EventKind.OrchestrationContinuedAsNew ignored -> "continuedAsNew";
      case EventKind.OrchestrationFailed failed ->
          failed.details() instanceof ErrorDetails.Application error
                  && error.kind() instanceof ApplicationErrorKind.Cancelled
              ? "cancelled"
              : "failed";
    };
  }

  private void compareTotals(List<List<Event>> executions) {
    Map<String, List<List<Event>>> byName =
        ended(executions).stream().collect(Collectors.groupingBy(h -> started(h).name()));
    byName.forEach((name, histories) -> {
      String[] label = {"orchestration_name", name};
      assertThat(metrics.total(Metric.ORCHESTRATION_TURNS, label))
          .as("turns of " + name)
          .isEqualTo(histories.stream().mapToLong(this::turns).sum());
      assertThat(metrics.total(Metric.ORCHESTRATION_HISTORY_SIZE, label))
          .as("events of " + name)
          .isEqualTo(histories.stream().mapToLong(List::size).sum());
      assertThat(metrics.millis(Metric.ORCHESTRATION_DURATION, label))
          .as("durations of " + name)
          .isEqualTo((double) millis(histories).sum(), offset(0.01));
    });
  }

  private long turns(List<Event> history) {
    return turns.get(history.getFirst().execution());
  }

  private static LongStream millis(List<List<Event>> histories) {
    return histories.stream()
        .mapToLong(
            h -> Duration.between(h.getFirst().stamp().at(), h.getLast().stamp().at()).toMillis());
  }

  private static Map<String, Long> grouped(
      List<List<Event>> executions, java.util.function.Function<List<Event>, String> key) {
    return executions.stream()
        .collect(Collectors.groupingBy(key, TreeMap::new, Collectors.counting()));
  }
}
