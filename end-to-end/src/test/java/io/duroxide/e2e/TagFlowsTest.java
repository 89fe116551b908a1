package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityOptions;
import io.duroxide.api.Choice;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.model.EventKind;
import io.duroxide.provider.TagFilter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass(name = "{0}")
@MethodSource("io.duroxide.e2e.Mode#chosen")
class TagFlowsTest {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> MAIN =
      Orchestration.of("Main", String.class, String.class);
  private static final Duration LIMIT = Duration.ofSeconds(20);

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

  private final List<String> ran = new CopyOnWriteArrayList<>();

  private static ActivityOptions on(String tag) {
    return ActivityOptions.options().tag(tag);
  }

  /** A node that runs orchestrations too. */
  private void startNode(String name, TagFilter tags, OrchestrationHandler<String, String> code) {
    world.start(
        world.options().tags(tags),
        node ->
            node.activity(
                    WORK,
                    (ctx, input) -> {
                      ran.add(input + "@" + name);
                      return input + ":" + ctx.routing().tag();
                    })
                .orchestration(MAIN, code));
  }

  /** A node that runs activities alone. */
  private void startWorker(String name, TagFilter tags) {
    world.start(
        world.options().tags(tags).orchestrationConcurrency(0),
        node ->
            node.activity(
                WORK,
                (ctx, input) -> {
                  ran.add(input + "@" + name);
                  return input + ":" + ctx.routing().tag();
                }));
  }

  private void startOne() {
    world.client().start(MAIN, "t", "1");
  }

  @Test
  @DisplayName("E2E-540 OR-099 a worker for a tag runs what has it, never what has none")
  void tagsAlone() {
    startNode(
        "gpu",
        TagFilter.tags("gpu"),
        (ctx, input) -> {
          String tagged = ctx.call(WORK, "a", on("gpu")).await();
          return switch (ctx.select(ctx.call(WORK, "b"), ctx.timer(LIMIT))) {
            case Choice.First<String, ?> ignored -> "ran";
            case Choice.Second<String, ?> ignored -> tagged + " then nothing";
          };
        });
    startOne();
    world.awaitEvent("t", EventKind.TimerCreated.class);
    world.advance(LIMIT);

    assertThat(world.output("t")).isEqualTo("a:gpu then nothing");
    assertThat(ran).containsExactly("a@gpu");
  }

  @Test
  @DisplayName("E2E-541 E2E-544 OR-099 a tag is recorded and visible in the activity")
  void recorded() {
    startNode(
        "any",
        TagFilter.ANY,
        (ctx, input) -> ctx.call(WORK, "a", on("gpu")).await() + " " + ctx.call(WORK, "b").await());
    startOne();

    assertThat(world.output("t")).isEqualTo("a:gpu b:null");
    assertThat(world.events("t", EventKind.ActivityScheduled.class))
        .extracting(EventKind.ActivityScheduled::tag)
        .containsExactly("gpu", null);
  }

  @Test
  @DisplayName("E2E-542 E2E-547 E2E-549 OR-099 a tag that nobody serves loses against a timer")
  void nobodyServes() {
    startNode(
        "plain",
        TagFilter.DEFAULT_ONLY,
        (ctx, input) ->
            switch (ctx.select(ctx.call(WORK, "a", on("gpu")), ctx.timer(LIMIT))) {
              case Choice.First<String, ?> ignored -> "ran";
              case Choice.Second<String, ?> ignored -> "no worker for gpu";
            });
    startOne();
    world.awaitEvent("t", EventKind.TimerCreated.class);
    world.advance(LIMIT);

    assertThat(world.output("t")).isEqualTo("no worker for gpu");
    assertThat(world.events("t", EventKind.ActivityCancelRequested.class)).hasSize(1);
    assertThat(world.store().management().orElseThrow().queueDepths().worker().ready()).isZero();
    assertThat(ran).isEmpty();
  }

  @Test
  @DisplayName("E2E-543 OR-099 a tag of 257 bytes fails the orchestration")
  void tooLong() {
    startNode(
        "any", TagFilter.ANY, (ctx, input) -> ctx.call(WORK, "a", on("x".repeat(257))).await());
    startOne();

    assertThat(world.failure("t"))
        .contains("Activity 'Work' tag size (257 bytes) exceeds limit (256 bytes)");
    assertThat(ran).isEmpty();
  }

  @Test
  @DisplayName("E2E-543 OR-099 a tag of 256 bytes is fine")
  void longEnough() {
    String tag = "x".repeat(256);
    startNode("long", TagFilter.tags(tag), (ctx, input) -> ctx.call(WORK, "a", on(tag)).await());
    startOne();

    assertThat(world.output("t")).isEqualTo("a:" + tag);
  }

  @Test
  @DisplayName("E2E-545 OR-099 tagged work of both executions goes to the matching worker")
  void continued() {
    startNode(
        "plain",
        TagFilter.DEFAULT_ONLY,
        (ctx, input) -> {
          String result = ctx.call(WORK, input, on("gpu")).await();
          return ctx.executionId() == 1 ? ctx.continueAsNew("2") : result;
        });
    startWorker("gpu", TagFilter.tags("gpu"));
    startOne();

    assertThat(world.output("t")).isEqualTo("2:gpu");
    assertThat(ran).containsExactly("1@gpu", "2@gpu");
  }

  @Test
  @DisplayName("E2E-546 E2E-550 OR-099 two nodes with disjoint filters each run their own")
  void disjoint() {
    startNode(
        "a",
        TagFilter.DEFAULT_ONLY,
        (ctx, input) -> {
          String prepared = ctx.call(WORK, "prepare").await();
          String trained = ctx.call(WORK, "train", on("gpu")).await();
          return prepared + " " + trained + " " + ctx.call(WORK, "publish").await();
        });
    startWorker("b", TagFilter.tags("gpu"));
    startOne();

    assertThat(world.output("t")).isEqualTo("prepare:null train:gpu publish:null");
    assertThat(ran).containsExactly("prepare@a", "train@b", "publish@a");
  }

  @Test
  @DisplayName("E2E-548 OR-099 a gpu, a cpu and a general worker share a pipeline")
  void pipeline() {
    startNode(
        "none",
        TagFilter.NONE,
        (ctx, input) -> {
          String load = ctx.call(WORK, "load").await();
          String render = ctx.call(WORK, "render", on("gpu")).await();
          String pack = ctx.call(WORK, "pack", on("cpu")).await();
          return load
              + " "
              + render
              + " "
              + pack
              + " "
              + ctx.call(WORK, "mail", on("misc")).await();
        });
    startWorker("gpu", TagFilter.tags("gpu"));
    startWorker("cpu", TagFilter.tags("cpu"));
    startWorker("general", TagFilter.defaultAnd("misc"));
    startOne();

    assertThat(world.output("t")).isEqualTo("load:null render:gpu pack:cpu mail:misc");
    assertThat(ran).containsExactly("load@general", "render@gpu", "pack@cpu", "mail@general");
  }
}
