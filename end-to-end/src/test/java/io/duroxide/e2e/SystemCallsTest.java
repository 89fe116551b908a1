package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.Choice;
import io.duroxide.api.Joined;
import io.duroxide.api.Orchestration;
import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.EventKind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
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
class SystemCallsTest {
  private static final Activity<String, String> ECHO =
      Activity.of("Echo", String.class, String.class);
  private static final Orchestration<String, String> MAIN =
      Orchestration.of("Main", String.class, String.class);
  private static final Duration MINUTE = Duration.ofMinutes(1);

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

  private final List<String> echoed = new CopyOnWriteArrayList<>();

  private String echo(String input) {
    echoed.add(input);
    return input;
  }

  @Test
  @DisplayName("E2E-390 OR-090 two ids differ and have the usual form")
  void guids() {
    world.start(
        node -> node.orchestration(MAIN, (ctx, input) -> ctx.newGuid() + " " + ctx.newGuid()));
    world.client().start(MAIN, "s", "");

    String[] guids = world.output("s").split(" ");
    assertThat(guids).hasSize(2).doesNotHaveDuplicates();
    assertThat(guids)
        .allSatisfy(guid ->
            assertThat(guid).hasSize(36).matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"));
  }

  @Test
  @DisplayName("E2E-391 OR-090 time goes on over a timer and is the store's")
  void time() {
    world.start(node ->
        node.orchestration(
            MAIN,
            (ctx, input) -> {
              Instant before = ctx.utcNow();
              ctx.timer(MINUTE).await();
              return before + " " + ctx.utcNow();
            }));
    Instant began = world.clock().instant();
    world.client().start(MAIN, "s", "");
    world.awaitEvent("s", EventKind.TimerCreated.class);
    world.advance(MINUTE);

    assertThat(world.output("s")).isEqualTo(began + " " + began.plus(MINUTE));
    assertThat(began).isAfter(Instant.parse("2020-01-01T00:00:00Z"));
  }

  @Test
  @DisplayName("E2E-392 E2E-396 OR-090 replayed calls of one kind give their own values again")
  void stable() {
    startCollecting();
    world.client().start(MAIN, "s", "");
    world.awaitEvent("s", EventKind.ExternalSubscribed.class);
    List<String> recorded =
        world.events("s", EventKind.ActivityCompleted.class).stream()
            .map(EventKind.ActivityCompleted::result)
            .toList();
    world.advance(MINUTE);

    world.restart();
    startCollecting();
    world.client().raiseEvent("s", "go", "");

    assertThat(recorded).hasSize(4).doesNotHaveDuplicates();
    assertThat(world.output("s")).isEqualTo(String.join(",", recorded));
  }

  private void startCollecting() {
    world.start(node ->
        node.orchestration(
            MAIN,
            (ctx, input) -> {
              List<String> values =
                  List.of(
                      ctx.newGuid().toString(),
                      ctx.newGuid().toString(),
                      ctx.newGuid().toString(),
                      String.valueOf(ctx.utcNow().toEpochMilli()));
              ctx.waitForEvent("go").await();
              return String.join(",", values);
            }));
  }

  @Test
  @DisplayName("E2E-393 OR-090 system calls beside activities in a race and in a join")
  void composed() {
    world.start(node ->
        node.activity(ECHO, (ctx, input) -> echo(input))
            .orchestration(
                MAIN,
                (ctx, input) -> {
                  Choice<UUID, Instant> first =
                      ctx.select(ctx.async(branch -> branch.newGuid()), ctx.timer(MINUTE));
                  Joined<Instant, String> both =
                      ctx.join(ctx.async(branch -> branch.utcNow()), ctx.call(ECHO, "x"));
                  return (first instanceof Choice.First)
                      + " "
                      + both.first().value()
                      + " "
                      + both.second().value();
                }));
    world.client().start(MAIN, "s", "");

    assertThat(world.output("s")).isEqualTo("true " + world.clock().instant() + " x");
  }

  @Test
  @DisplayName("E2E-394 OR-090 time and id as input of activities, also after a replay")
  void asInput() {
    startEchoing();
    world.client().start(MAIN, "s", "");
    world.awaitEvent("s", EventKind.ExternalSubscribed.class);
    world.until(() -> echoed.size() == 2);
    world.advance(MINUTE);

    world.restart();
    startEchoing();
    world.client().raiseEvent("s", "go", "");

    assertThat(world.output("s").split(" ")).containsExactlyInAnyOrderElementsOf(echoed);
    assertThat(echoed).hasSize(2);
  }

  private void startEchoing() {
    world.start(node ->
        node.activity(ECHO, (ctx, input) -> echo(input))
            .orchestration(
                MAIN,
                (ctx, input) -> {
                  String time = ctx.call(ECHO, ctx.utcNow().toString()).await();
                  String guid = ctx.call(ECHO, ctx.newGuid().toString()).await();
                  ctx.waitForEvent("go").await();
                  return time + " " + guid;
                }));
  }

  @Test
  @DisplayName("E2E-395 OR-090 history has them in the order of the code")
  void order() {
    world.start(node ->
        node.activity(ECHO, (ctx, input) -> echo(input))
            .orchestration(
                MAIN,
                (ctx, input) -> {
                  ctx.call(ECHO, "A").await();
                  ctx.newGuid();
                  return ctx.call(ECHO, "B").await();
                }));
    world.client().start(MAIN, "s", "");

    assertThat(world.output("s")).isEqualTo("B");
    assertThat(world.events("s", EventKind.ActivityScheduled.class))
        .extracting(EventKind.ActivityScheduled::name)
        .containsExactly("Echo", "__duroxide_syscall:new_guid", "Echo");
  }

  @Test
  @DisplayName("E2E-397 OR-090 one slot for turns and one for activities are enough")
  void singleThreaded() {
    world.start(
        world.options().orchestrationConcurrency(1).workerConcurrency(1),
        node ->
            node.activity(ECHO, (ctx, input) -> echo(input))
                .orchestration(
                    MAIN,
                    (ctx, input) -> ctx.call(ECHO, ctx.newGuid() + " " + ctx.utcNow()).await()));
    world.client().start(MAIN, "s", "");

    assertThat(world.output("s")).endsWith(" " + world.clock().instant());
  }

  @Test
  @DisplayName("E2E-398 an orchestration that used them and waits is cancelled cleanly")
  void cancelled() {
    world.start(node ->
        node.orchestration(
            MAIN,
            (ctx, input) -> {
              ctx.newGuid();
              ctx.utcNow();
              return ctx.waitForEvent("never").await();
            }));
    world.client().start(MAIN, "s", "");
    world.awaitEvent("s", EventKind.ExternalSubscribed.class);
    world.client().cancel("s", "enough");

    assertThat(world.end("s"))
        .isInstanceOfSatisfying(
            OrchestrationStatus.Failed.class, failed -> assertThat(failed.isCancelled()).isTrue());
    assertThat(world.events("s", EventKind.ActivityCancelRequested.class)).isEmpty();
  }
}
