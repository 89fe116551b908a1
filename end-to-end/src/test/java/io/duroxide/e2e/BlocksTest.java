package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ChildOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.api.Selected;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.EventKind;
import io.duroxide.model.Reasons;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class BlocksTest {
  private static final Duration SECOND = Duration.ofSeconds(1);
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Activity<String, String> SLOW =
      Activity.of("Slow", String.class, String.class);
  private static final Orchestration<String, String> MAIN =
      Orchestration.of("Main", String.class, String.class);
  private static final Orchestration<String, String> FAST_CHILD =
      Orchestration.of("FastChild", String.class, String.class);
  private static final Orchestration<String, String> SLOW_CHILD =
      Orchestration.of("SlowChild", String.class, String.class);
  private static final Orchestration<String, String> NESTING_CHILD =
      Orchestration.of("NestingChild", String.class, String.class);

  private final Queue<String> begun = new ConcurrentLinkedQueue<>();
  private final Queue<String> cancelled = new ConcurrentLinkedQueue<>();

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

  private void run(OrchestrationHandler<String, String> code) {
    world.start(node ->
        node.activity(WORK, (ctx, input) -> input + "!")
            .activity(
                SLOW,
                (ctx, input) -> {
                  begun.add(input);
                  if (ctx.awaitCancelled(World.PATIENCE)) {
                    cancelled.add(input);
                  }
                  return "late";
                })
            .orchestration(FAST_CHILD, (ctx, input) -> "child " + ctx.call(WORK, input).await())
            .orchestration(SLOW_CHILD, (ctx, input) -> ctx.waitForEvent("never").await())
            .orchestration(
                NESTING_CHILD,
                (ctx, input) ->
                    "nested " + ctx.async(block -> block.call(FAST_CHILD, input).await()).await())
            .orchestration(MAIN, code));
    world.client().start(MAIN, "main", "");
  }

  private void awaitTimers(int count) {
    world.until(() -> world.events("main", EventKind.TimerCreated.class).size() == count);
  }

  @Test
  @DisplayName("E2E-049 blocks with branches inside are joined: all results are there")
  void joinBlocks() {
    run((ctx, input) -> {
      List<DurableFuture<String>> blocks = new ArrayList<>();
      for (String name : List.of("a", "bb", "ccc")) {
        blocks.add(
            ctx.async(block -> {
              String first = block.call(WORK, name).await();
              return first.length() % 2 == 0
                  ? block.call(WORK, first).await()
                  : first + block.timer(Duration.ZERO).map(due -> "t").await();
            }));
      }
      return String.join(" ", ctx.all(blocks));
    });

    assertThat(world.output("main")).isEqualTo("a!! bb!t ccc!!");
  }

  @Test
  @DisplayName("E2E-050 many blocks of different length all end up in the join")
  void manyBlocks() {
    run((ctx, input) -> {
      List<DurableFuture<String>> blocks = new ArrayList<>();
      for (int i = 0; i < 10; i++) {
        int steps = (i * 7) % 5;
        blocks.add(
            ctx.async(block -> {
              String text = "";
              for (int step = 0; step < steps; step++) {
                text = block.call(WORK, text).await();
              }
              return Integer.toString(text.length());
            }));
      }
      return String.join(" ", ctx.all(blocks));
    });

    assertThat(world.output("main")).isEqualTo("0 2 4 1 3 0 2 4 1 3");
    assertThat(world.events("main", EventKind.ActivityScheduled.class)).hasSize(20);
  }

  @Test
  @DisplayName("E2E-051 blocks one after the other hand their values on")
  void sequentialBlocks() {
    run((ctx, input) -> {
      String one = ctx.async(block -> block.call(WORK, "one").await()).await();
      String two =
          ctx.async(block -> block.call(WORK, one + block.call(WORK, "two").await()).await())
              .await();
      return ctx.async(block -> two + block.executionId()).await();
    });

    assertThat(world.output("main")).isEqualTo("one!two!!1");
  }

  @Test
  @DisplayName(
      "E2E-052 the faster of two blocks wins and the pending work of the other is cancelled")
  void raceOfBlocks() {
    run((ctx, input) -> {
      DurableFuture<String> slow =
          ctx.async(block -> {
            String first = block.call(WORK, "loser").await();
            block.call(SLOW, first).await();
            return block.call(WORK, "never").await();
          });
      DurableFuture<String> fast =
          ctx.async(block -> {
            block.timer(SECOND).await();
            return block.call(WORK, "winner").await();
          });
      Selected<String> first = ctx.select(List.of(slow, fast));
      return first.index() + first.value();
    });
    world.until(() -> begun.contains("loser!"));

    world.advanceHolding(1, SECOND);

    assertThat(world.output("main")).isEqualTo("1winner!");
    world.until(() -> !cancelled.isEmpty());
    assertThat(cancelled).containsExactly("loser!");
    assertThat(world.events("main", EventKind.ActivityCancelRequested.class))
        .containsExactly(new EventKind.ActivityCancelRequested(Reasons.DROPPED_FUTURE));
    assertThat(world.events("main", EventKind.ActivityScheduled.class))
        .extracting(EventKind.ActivityScheduled::input)
        .doesNotContain("never");
  }

  @Test
  @DisplayName("E2E-053 a block and a single future race fairly, both ways")
  void blockAgainstFuture() {
    run((ctx, input) -> {
      Selected<String> block =
          ctx.select(
              List.of(ctx.call(SLOW, "single"), ctx.async(b -> b.call(WORK, "block").await())));
      Selected<String> single =
          ctx.select(
              List.of(ctx.async(b -> b.call(SLOW, "block").await()), ctx.call(WORK, "single")));
      return block.index() + block.value() + single.index() + single.value();
    });

    assertThat(world.output("main")).isEqualTo("1block!1single!");
    assertThat(world.events("main", EventKind.ActivityCancelRequested.class)).hasSize(2);
  }

  @Test
  @DisplayName("E2E-054 of three blocks with timers the earliest wins")
  void threeBlocks() {
    run((ctx, input) -> {
      List<DurableFuture<String>> blocks = new ArrayList<>();
      for (int seconds : List.of(3, 1, 2)) {
        blocks.add(
            ctx.async(block -> {
              block.timer(SECOND.multipliedBy(seconds)).await();
              return block.call(WORK, "after " + seconds).await();
            }));
      }
      Selected<String> first = ctx.select(blocks);
      return first.index() + first.value();
    });
    awaitTimers(3);

    world.advance(SECOND);

    assertThat(world.output("main")).isEqualTo("1after 1!");
    assertThat(world.events("main", EventKind.TimerFired.class)).hasSize(1);
  }

  @Test
  @DisplayName("E2E-055 a join inside a race wins when it is complete and loses when it is not")
  void joinInRace() {
    run((ctx, input) -> {
      DurableFuture<String> complete =
          ctx.async(block ->
              String.join("+", block.all(List.of(block.call(WORK, "a"), block.call(WORK, "b")))));
      Selected<String> won = ctx.select(List.of(ctx.timer(SECOND).map(due -> "timer"), complete));
      DurableFuture<String> incomplete =
          ctx.async(block ->
              String.join("+", block.all(List.of(block.call(WORK, "c"), block.call(SLOW, "d")))));
      Selected<String> lost =
          ctx.select(List.of(ctx.timer(SECOND).map(due -> "timer"), incomplete));
      return won.value() + " " + lost.value();
    });
    world.until(() -> world.events("main", EventKind.ActivityCompleted.class).size() == 3);
    world.until(() -> begun.contains("d"));

    world.advanceHolding(1, SECOND);

    assertThat(world.output("main")).isEqualTo("a!+b! timer");
    world.until(() -> !cancelled.isEmpty());
    assertThat(cancelled).containsExactly("d");
  }

  @Test
  @DisplayName("E2E-056 a block whose child is quick wins with the child's result")
  void fastChildWins() {
    run((ctx, input) -> {
      DurableFuture<String> block = ctx.async(b -> "block " + b.call(FAST_CHILD, "x").await());
      Selected<String> first = ctx.select(List.of(ctx.timer(SECOND).map(due -> "timer"), block));
      return first.index() + first.value();
    });

    assertThat(world.output("main")).isEqualTo("1block child x!");
  }

  @Test
  @DisplayName("E2E-057 a block whose child is slow loses and the child is cancelled")
  void slowChildLoses() {
    run((ctx, input) -> {
      DurableFuture<String> block =
          ctx.async(b -> b.call(SLOW_CHILD, "x", ChildOptions.instanceId("slow-child")).await());
      DurableFuture<String> timer = ctx.timer(SECOND).map(due -> "timer");
      Selected<String> first = ctx.select(List.of(block, timer));
      return first.index() + first.value();
    });
    world.awaitEvent("slow-child", EventKind.ExternalSubscribed.class);

    world.advance(SECOND);

    assertThat(world.output("main")).isEqualTo("1timer");
    assertThat(world.events("main", EventKind.SubOrchestrationCancelRequested.class))
        .containsExactly(new EventKind.SubOrchestrationCancelRequested(Reasons.DROPPED_FUTURE));
    OrchestrationStatus child = world.end("slow-child");
    assertThat(child)
        .isInstanceOfSatisfying(
            OrchestrationStatus.Failed.class, failed -> assertThat(failed.isCancelled()).isTrue());
    assertThat(world.failure("slow-child")).isEqualTo("canceled: " + Reasons.PARENT_DROPPED);
  }

  @Test
  @DisplayName("E2E-058 several blocks with children are joined")
  void joinChildren() {
    run((ctx, input) -> {
      List<DurableFuture<String>> blocks = new ArrayList<>();
      for (String name : List.of("a", "b", "c")) {
        blocks.add(
            ctx.async(block -> block.call(FAST_CHILD, block.call(WORK, name).await()).await()));
      }
      return String.join(", ", ctx.all(blocks));
    });

    assertThat(world.output("main")).isEqualTo("child a!!, child b!!, child c!!");
    assertThat(world.store().management().orElseThrow().listChildren("main")).hasSize(3);
  }

  @Test
  @DisplayName("E2E-059 blocks of children against a time limit: who is first depends on the time")
  void childrenAgainstTime() {
    run((ctx, input) -> {
      DurableFuture<String> quick = ctx.async(b -> b.call(FAST_CHILD, "quick").await());
      Selected<String> inTime = ctx.select(List.of(quick, ctx.timer(SECOND).map(due -> "timeout")));
      DurableFuture<String> slow = ctx.async(b -> b.call(SLOW_CHILD, "slow").await());
      Selected<String> late = ctx.select(List.of(slow, ctx.timer(SECOND).map(due -> "timeout")));
      return inTime.value() + ", " + late.value();
    });
    awaitTimers(2);
    assertThat(world.events("main", EventKind.TimerFired.class)).isEmpty();

    world.advance(SECOND);

    assertThat(world.output("main")).isEqualTo("child quick!, timeout");
  }

  @Test
  @DisplayName("E2E-060 parent, child and grandchild compose through blocks")
  void threeGenerations() {
    run((ctx, input) ->
        "main " + ctx.async(block -> block.call(NESTING_CHILD, "x").await()).await());

    assertThat(world.output("main")).isEqualTo("main nested child x!");
    assertThat(world.store().management().orElseThrow().instanceTree("main"))
        .containsExactlyInAnyOrder("main", "main::sub::2", "main::sub::2::sub::2");
  }
}
