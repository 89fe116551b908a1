package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Activity;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.api.SubOrchestrationFailedException;
import io.duroxide.client.ClientException;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ProviderException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

@ParameterizedClass(name = "{0}")
@EnumSource(Mode.class)
class ReliabilityTest {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Orchestration<String, String> CHILD =
      Orchestration.of("Child", String.class, String.class);

  @Parameter private Mode mode;
  private final Faults faults = new Faults();
  private World world;

  @BeforeEach
  void open() {
    world = World.sqlite(mode);
    world.decorate(faults::on);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private void fanOut(World in, int slots, int instances, String payload) {
    in.start(
        in.options().orchestrationConcurrency(slots).workerConcurrency(slots),
        n ->
            n.activity(WORK, (ctx, input) -> input)
                .orchestration(
                    FLOW,
                    (ctx, input) ->
                        String.join(
                            "",
                            ctx.<String>all(
                                List.of(ctx.call(WORK, input), ctx.call(WORK, input))))));
    for (int i = 0; i < instances; i++) {
      in.client().start(FLOW, "fan-" + i, payload);
    }
    for (int i = 0; i < instances; i++) {
      assertThat(in.output("fan-" + i)).isEqualTo(payload + payload);
    }
    in.stopRuntimes();
  }

  @Test
  @DisplayName("E2E-840 E2E-842 many orchestrations on 1 and 2 slots, in memory and on a file")
  void parallel() {
    fanOut(world, 1, 20, "x");
    try (World file = World.sqlite(mode);
        World one = World.memory(mode);
        World two = World.memory(mode)) {
      fanOut(file, 2, 20, "x");
      fanOut(one, 1, 20, "x");
      fanOut(two, 2, 20, "x");
    }
  }

  @Test
  @DisplayName("E2E-841 large payloads arrive whole")
  void largePayload() {
    fanOut(world, 2, 5, "x".repeat(200_000));
  }

  @Test
  @DisplayName("E2E-910 messages for unknown instances neither slow others nor stay for ever")
  void orphans() {
    List<WorkItem> orphans = new ArrayList<>();
    for (int i = 0; i < 2_500; i++) {
      orphans.add(new WorkItem.CancelInstance("nobody-" + i, "", null));
      orphans.add(new WorkItem.ExternalRaised("nobody-" + i, "e", ""));
    }
    world.store().enqueueForOrchestrator(orphans);
    world.start(n -> n.orchestration(FLOW, (ctx, in) -> in));
    int before = faults.count("fetchOrchestrationItems");
    world.client().start(FLOW, "somebody", "ok");

    assertThat(world.output("somebody")).isEqualTo("ok");
    assertThat(faults.count("fetchOrchestrationItems") - before).isLessThan(10);
    world.advance(Duration.ofHours(2));
    assertThat(world.store().purgeOrphanMessages(Duration.ofHours(1))).isEqualTo(5_000);
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
  @DisplayName("E2E-971 a turn on a history of 10 000 events keeps its lock")
  void longHistory() {
    world.start(n ->
        n.orchestration(
            FLOW,
            (ctx, in) -> {
              for (int i = 0; i < 10_000; i++) {
                ctx.kv().putText("k", "v");
              }
              return ctx.waitForEvent("go").await();
            }));
    world.client().start(FLOW, "long", "");
    world.awaitEvent("long", EventKind.ExternalSubscribed.class);
    assertThat(world.history("long")).hasSizeGreaterThan(10_000);

    world.client().raiseEvent("long", "go", "done");

    assertThat(world.output("long")).isEqualTo("done");
    assertThat(faults.count("abandonOrchestrationItem")).isZero();
    assertThat(world.history("long").getLast().kind())
        .isInstanceOf(EventKind.OrchestrationCompleted.class);
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
