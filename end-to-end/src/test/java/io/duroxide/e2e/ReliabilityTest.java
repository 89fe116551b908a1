package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Activity;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.api.SubOrchestrationFailedException;
import io.duroxide.client.ClientException;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ProviderException;
import io.duroxide.runtime.DuroxideRuntime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class ReliabilityTest {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Orchestration<String, String> CHILD =
      Orchestration.of("Child", String.class, String.class);

  private static final int PARALLEL = 40;
  private static final int LARGE_STEPS = 20;

  @Parameter private Mode mode;
  private final Faults faults = new Faults();
  private World world;

  @BeforeEach
  void open() {
    world = World.open(mode);
    world.decorate(faults::on);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private void fanOut(World in, int slots) {
    in.start(
        in.options().orchestrationConcurrency(slots).workerConcurrency(slots),
        n ->
            n.activity(WORK, (ctx, input) -> input)
                .orchestration(
                    FLOW,
                    (ctx, input) ->
                        String.join(
                            "",
                            ctx.all(
                                IntStream.range(0, 5)
                                    .mapToObj(i -> ctx.call(WORK, input + i))
                                    .toList()))));
    for (int i = 0; i < PARALLEL; i++) {
      in.client().start(FLOW, "fan-" + i, "x");
    }
    for (int i = 0; i < PARALLEL; i++) {
      assertThat(in.output("fan-" + i)).isEqualTo("x0x1x2x3x4");
    }
    in.stopRuntimes();
  }

  @Test
  @DisplayName("E2E-840 E2E-842 many fan-outs at a time on 1 and 2 slots, in memory and on a file")
  void parallel() {
    fanOut(world, 1);
    try (World file = World.sqlite(mode);
        World one = World.memory(mode);
        World two = World.memory(mode)) {
      fanOut(file, 2);
      fanOut(one, 1);
      fanOut(two, 2);
    }
  }

  @Test
  @DisplayName("E2E-841 E2E-842 large payloads and long histories arrive whole, in bounded memory")
  void largePayload() {
    String payload = "x".repeat(100 * 1024);
    int count = mode == Mode.KEPT ? 12 : 4;
    world.start(n ->
        n.activity(WORK, (ctx, input) -> input)
            .orchestration(CHILD, (ctx, input) -> ctx.call(WORK, input).await())
            .orchestration(
                FLOW,
                (ctx, input) -> {
                  for (int i = 0; i < LARGE_STEPS; i++) {
                    ctx.call(WORK, input).await();
                    ctx.call(CHILD, input).await();
                  }
                  return input;
                }));
    long before = Heap.used();
    for (int i = 0; i < count; i++) {
      world.client().start(FLOW, "large-" + i, payload);
    }
    for (int i = 0; i < count; i++) {
      assertThat(world.output("large-" + i)).isEqualTo(payload);
    }

    long stored =
        IntStream.range(0, count)
            .mapToLong(i -> world.client().stats("large-" + i).orElseThrow().historySizeBytes())
            .sum();
    assertThat(world.history("large-0")).hasSizeBetween(80, 100);
    assertThat(stored).isGreaterThan(count * 8_000_000L);
    assertThat(Heap.used() - before).as("bytes of heap that stay").isLessThan(16_000_000);
  }

  @Test
  @DisplayName(
      "E2E-910 100,000 messages for nobody slow nobody down; the node purges them by itself")
  void orphans() {
    for (int batch = 0; batch < 10; batch++) {
      List<WorkItem> orphans = new ArrayList<>();
      for (int i = 0; i < 5_000; i++) {
        String nobody = "nobody-" + batch + "-" + i;
        orphans.add(new WorkItem.CancelInstance(nobody, "", null));
        orphans.add(new WorkItem.ExternalRaised(nobody, "e", ""));
      }
      world.store().enqueueForOrchestrator(orphans);
    }
    try (Warnings warnings = new Warnings("io.duroxide.runtime.housekeeping")) {
      world.start(
          world.options().orphanMessageTtl(Duration.ofMillis(500)),
          n -> n.orchestration(FLOW, (ctx, in) -> in));
      int before = faults.count("fetchOrchestrationItems");
      world.client().start(FLOW, "somebody", "ok");

      assertThat(world.output("somebody")).isEqualTo("ok");
      assertThat(faults.count("fetchOrchestrationItems") - before).isLessThan(10);
      world.until(() -> faults.done("purgeOrphanMessages") > 0);
      assertThat(warnings.texts()).as("nothing is old enough yet").isEmpty();

      world.advance(Duration.ofSeconds(1));

      world.until(() ->
          warnings.contain("purged messages for instances that never started [count=\"100000\"]"));
    }
    world.client().start(FLOW, "nobody-1-1", "not cancelled");
    assertThat(world.output("nobody-1-1")).isEqualTo("not cancelled");
  }

  @Test
  @DisplayName("E2E-912 E2E-914 E2E-915 a child above a limit fails, only that; its parent is told")
  void limit() {
    world.start(n ->
        n.orchestration(
                CHILD,
                (ctx, in) -> {
                  ctx.setCustomStatus("x".repeat(262_145));
                  return "completed";
                })
            .orchestration(
                FLOW,
                (ctx, in) -> {
                  try {
                    return ctx.call(CHILD, in, ChildOptions.instanceId("c")).await();
                  } catch (SubOrchestrationFailedException e) {
                    return "told: " + e.getMessage();
                  }
                }));
    world.client().start(FLOW, "p", "");

    assertThat(world.output("p")).startsWith("told: ").contains("262145 bytes", "262144 bytes");
    assertThat(world.events("c", EventKind.OrchestrationCompleted.class)).isEmpty();
    assertThat(world.events("c", EventKind.OrchestrationFailed.class)).hasSize(1);
    assertThat(world.history("c").getLast().kind())
        .isInstanceOf(EventKind.OrchestrationFailed.class);
  }

  @Test
  @DisplayName("E2E-932 passing errors do not end a wait; a result at the deadline counts")
  void waiting() {
    world.start(n -> n.orchestration(FLOW, (ctx, in) -> in));
    faults.failNext("status", 3, ProviderException.Kind.UNAVAILABLE);
    world.client().start(FLOW, "w", "ok");
    assertThat(world.output("w")).isEqualTo("ok");

    assertThat(world.client().waitForCompletion("w", Duration.ZERO).isTerminal()).isTrue();
    assertThatThrownBy(() -> world.client().waitForCompletion("nobody", Duration.ZERO))
        .isInstanceOf(ClientException.Timeout.class);
  }

  @Test
  @DisplayName("E2E-971 a turn on a history of 10 000 events is committed at the first try")
  void longHistory() {
    Consumer<DuroxideRuntime.Builder> node =
        n ->
            n.orchestration(
                FLOW,
                (ctx, in) -> {
                  for (int i = 0; i < 10_000; i++) {
                    ctx.kv().putText("k", "v");
                  }
                  return ctx.waitForEvent("once").await() + ctx.waitForEvent("twice").await();
                });
    world.start(node);
    world.client().start(FLOW, "long", "");
    world.awaitEvent("long", EventKind.ExternalSubscribed.class);
    assertThat(world.history("long")).hasSizeGreaterThan(10_000);

    world.restart();
    world.start(node);
    int commits = faults.count(Faults.COMMIT);
    world.client().raiseEvent("long", "once", "on the stored history, ");
    awaitEvents(2);
    world.client().raiseEvent("long", "twice", "on the kept one");

    assertThat(world.output("long")).isEqualTo("on the stored history, on the kept one");
    assertThat(faults.count(Faults.COMMIT) - commits).isEqualTo(2);
    assertThat(faults.count("abandonOrchestrationItem")).isZero();
    assertThat(world.history("long")).extracting(Event::id).isSorted().doesNotHaveDuplicates();
  }

  private void awaitEvents(int subscriptions) {
    world.until(
        () -> world.events("long", EventKind.ExternalSubscribed.class).size() == subscriptions);
  }

  @Test
  @DisplayName("OR-114 a line of an orchestration's log appears once, with its fields")
  void traces() {
    try (Logs logs = Logs.of("io.duroxide.orchestration", ch.qos.logback.classic.Level.INFO)) {
      world.start(n ->
          n.activity(WORK, (ctx, in) -> in)
              .orchestration(
                  FLOW,
                  (ctx, in) -> {
                    ctx.log().info("before");
                    ctx.call(WORK, in).await();
                    ctx.log().info("between");
                    ctx.call(WORK, in).await();
                    ctx.log().info("after");
                    return in;
                  }));
      world.client().start(FLOW, "t", "");
      world.output("t");
      world.stopRuntimes();

      assertThat(logs.lines()).containsExactly("before", "between", "after");
      assertThat(logs.written())
          .allSatisfy(event ->
              assertThat(Logs.fields(event))
                  .containsEntry("instance_id", "t")
                  .containsEntry("execution_id", "1")
                  .containsEntry("orchestration_name", "Flow")
                  .containsEntry("orchestration_version", "1.0.0"));
    }
  }
}
