package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityContext;
import io.duroxide.api.ActivityOptions;
import io.duroxide.api.ContinueOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.client.StartOptions;
import io.duroxide.model.EventKind;
import io.duroxide.runtime.RuntimeOptions;
import io.duroxide.runtime.SessionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
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
class SessionFlowsTest {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> MAIN =
      Orchestration.of("Main", String.class, String.class);

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

  private final Crowd crowd = new Crowd();

  private static ActivityOptions on(String session) {
    return ActivityOptions.options().session(session);
  }

  /** A handler that tells its session. */
  private static String report(ActivityContext ctx, String input) {
    return input + "@" + ctx.routing().sessionId();
  }

  private void startOne(RuntimeOptions.Builder options, OrchestrationHandler<String, String> code) {
    world.start(
        options, node -> node.activity(WORK, SessionFlowsTest::report).orchestration(MAIN, code));
    world.client().start(MAIN, "s", "1");
  }

  private void startOne(OrchestrationHandler<String, String> code) {
    startOne(world.options(), code);
  }

  /** A node whose activities stay until the crowd is dismissed. */
  private void startCrowd(
      RuntimeOptions.Builder options, OrchestrationHandler<String, String> code) {
    world.start(
        options,
        node -> node.activity(WORK, (ctx, input) -> crowd.stay(input)).orchestration(MAIN, code));
    world.client().start(MAIN, "s", "1");
  }

  private static OrchestrationHandler<String, String> parallel(String... sessions) {
    return (ctx, input) -> {
      List<DurableFuture<String>> all = new ArrayList<>();
      for (int i = 0; i < sessions.length; i++) {
        all.add(ctx.call(WORK, sessions[i] + i, on(sessions[i])));
      }
      return String.join(",", ctx.all(all));
    };
  }

  @Test
  @DisplayName("E2E-500 E2E-501 E2E-508 OR-100 activities see their session, not their node")
  void sequence() {
    startOne(
        world.options().workerNodeId("node-1"),
        (ctx, input) ->
            ctx.call(WORK, "a", on("s1")).await() + "," + ctx.call(WORK, "b", on("s1")).await());

    assertThat(world.output("s")).isEqualTo("a@s1,b@s1");
    assertThat(world.events("s", EventKind.ActivityScheduled.class))
        .extracting(EventKind.ActivityScheduled::sessionId)
        .containsExactly("s1", "s1");
  }

  @Test
  @DisplayName("E2E-501 E2E-502 OR-100 plain activities beside those of a session have none")
  void mixed() {
    startOne((ctx, input) ->
        ctx.call(WORK, "a").await()
            + ","
            + ctx.call(WORK, "b", on("s1")).await()
            + ","
            + ctx.call(WORK, "c").await());

    assertThat(world.output("s")).isEqualTo("a@null,b@s1,c@null");
  }

  @Test
  @DisplayName("E2E-503 OR-100 three sessions in one orchestration")
  void threeSessions() {
    startOne((ctx, input) ->
        String.join(
            ",",
            ctx.call(WORK, "a", on("s1")).await(),
            ctx.call(WORK, "b", on("s2")).await(),
            ctx.call(WORK, "c", on("s3")).await()));

    assertThat(world.output("s")).isEqualTo("a@s1,b@s2,c@s3");
  }

  record Pair(int left, int right) {}

  @Test
  @DisplayName("E2E-504 OR-100 a typed activity on a session")
  void typed() {
    Activity<Pair, Pair> shift = Activity.of("Shift", Pair.class, Pair.class);
    Orchestration<Pair, Pair> main = Orchestration.of("Shifting", Pair.class, Pair.class);
    world.start(node ->
        node.activity(shift, (ctx, pair) -> new Pair(pair.left() + 10, pair.right() + 10))
            .orchestration(main, (ctx, pair) -> ctx.call(shift, pair, on("s1")).await()));
    world.client().start(main, "s", new Pair(1, 2));

    assertThat(world.client().waitFor(main, "s", World.PATIENCE)).isEqualTo(new Pair(11, 12));
  }

  @Test
  @DisplayName("E2E-505 a stable node with four slots serves one session three times")
  void noHeadOfLineBlocking() {
    startOne(
        world.options().workerNodeId("node-1").workerConcurrency(4), parallel("s1", "s1", "s1"));

    assertThat(world.output("s")).isEqualTo("s10@s1,s11@s1,s12@s1");
  }

  @Test
  @DisplayName("E2E-506 a stable node runs several sessions side by side")
  void sideBySide() {
    startCrowd(world.options().workerNodeId("node-1"), parallel("s1", "s2", "s3"));

    world.until(() -> crowd.present() == 3);
    crowd.dismiss();

    assertThat(world.output("s")).isEqualTo("s10,s21,s32");
  }

  @Test
  @DisplayName("E2E-507 without a stable id one slot is enough")
  void oneSlot() {
    startOne(world.options().workerConcurrency(1), parallel("s1", "s2", "s1"));

    assertThat(world.output("s")).isEqualTo("s10@s1,s21@s2,s12@s1");
  }

  @Test
  @DisplayName("E2E-509 a stable node runs two activities of one session at a time")
  void stableIsConcurrent() {
    startCrowd(world.options().workerNodeId("node-1").workerConcurrency(2), parallel("s1", "s1"));

    world.until(() -> crowd.present() == 2);
    crowd.dismiss();

    assertThat(world.output("s")).isEqualTo("s10,s11");
  }

  @Test
  @DisplayName("E2E-510 without a stable id activities of one session run one after the other")
  void ephemeralIsSerial() {
    startCrowd(world.options().workerConcurrency(2), parallel("s1", "s1"));
    world.until(() -> crowd.present() == 1);
    crowd.dismiss();

    assertThat(world.output("s")).isEqualTo("s10,s11");
    assertThat(crowd.most()).isEqualTo(1);
  }

  @Test
  @DisplayName("E2E-511 OR-100 two activities on each of three sessions and plain ones, in order")
  void fanOut() {
    startOne((ctx, input) -> {
      List<DurableFuture<String>> all = new ArrayList<>();
      for (int i = 0; i < 6; i++) {
        all.add(ctx.call(WORK, "w" + i, on("s" + i % 3)));
        all.add(ctx.call(WORK, "p" + i));
      }
      return String.join(",", ctx.all(all));
    });

    assertThat(world.output("s"))
        .isEqualTo(
            String.join(
                ",",
                IntStream.range(0, 6)
                    .mapToObj(i -> "w" + i + "@s" + i % 3 + ",p" + i + "@null")
                    .toList()));
  }

  @Test
  @DisplayName("E2E-512 OR-100 a session goes on in the next execution")
  void continued() {
    startOne((ctx, input) -> {
      String result = ctx.call(WORK, input, on("s1")).await();
      return ctx.executionId() == 1 ? ctx.continueAsNew(result) : result;
    });

    assertThat(world.output("s")).isEqualTo("1@s1@s1");
  }

  @Test
  @DisplayName("E2E-513 OR-100 a session goes on in the next version")
  void nextVersion() {
    world.start(node ->
        node.activity(WORK, SessionFlowsTest::report)
            .orchestration(
                MAIN,
                "1.0.0",
                (ctx, input) ->
                    ctx.continueAsNew(
                        "v1 " + ctx.call(WORK, "a", on("s1")).await(),
                        ContinueOptions.version("2.0.0")))
            .orchestration(
                MAIN,
                "2.0.0",
                (ctx, input) -> input + " v2 " + ctx.call(WORK, "b", on("s1")).await()));
    world.client().start(MAIN, "s", "", StartOptions.version("1.0.0"));

    assertThat(world.output("s")).isEqualTo("v1 a@s1 v2 b@s1");
  }

  @Test
  @DisplayName("E2E-514 an idle time-out not above the renewal interval is refused")
  void idleTooShort() {
    SessionOptions sessions =
        new SessionOptions(
            Duration.ofSeconds(30), Duration.ofSeconds(5), Duration.ofMinutes(5), 10);
    RuntimeOptions.Builder options = world.options().sessions(sessions);

    assertThatThrownBy(() -> world.start(options, node -> {}))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("session idleTimeout")
        .hasMessageContaining("PT5S");
  }

  @Test
  @DisplayName("E2E-515 E2E-517 with one session at a time the second waits for the first to end")
  void oneSessionAtATime() {
    startCrowd(
        world.options().workerNodeId("node-1").sessions(SessionOptions.DEFAULT.withMaxSessions(1)),
        parallel("s1", "s2"));
    world.until(() -> crowd.present() == 1);
    assertThat(crowd.seen()).containsExactly("s10");
    crowd.dismiss();

    assertThat(world.output("s")).isEqualTo("s10,s21");
    assertThat(crowd.most()).isEqualTo(1);
    assertThat(crowd.seen()).containsExactly("s10", "s21");
  }

  @Test
  @DisplayName("E2E-516 E2E-920 at capacity activities of the session in flight are still served")
  void ownSessionAtCapacity() {
    startCrowd(
        world.options().workerNodeId("node-1").sessions(SessionOptions.DEFAULT.withMaxSessions(1)),
        (ctx, input) -> {
          DurableFuture<String> first = ctx.call(WORK, "a", on("s1"));
          ctx.waitForEvent("more").await();
          DurableFuture<String> second = ctx.call(WORK, "b", on("s1"));
          return first.await() + second.await();
        });
    world.until(() -> crowd.present() == 1);
    world.client().raiseEvent("s", "more", "");
    world.until(() -> crowd.present() == 2);
    crowd.dismiss();

    assertThat(world.output("s")).isEqualTo("ab");
  }

  @Test
  @DisplayName("E2E-517 a session that rested waits too when another has taken its place")
  void ownedButNotInFlight() {
    crowd.letPass("go");
    startCrowd(
        world.options().workerNodeId("node-1").sessions(SessionOptions.DEFAULT.withMaxSessions(1)),
        (ctx, input) -> {
          ctx.call(WORK, "go", on("s1")).await();
          DurableFuture<String> other = ctx.call(WORK, "stay", on("s2"));
          ctx.waitForEvent("more").await();
          DurableFuture<String> again = ctx.call(WORK, "go", on("s1"));
          ctx.waitForEvent("end").await();
          return other.await() + again.await();
        });
    world.until(() -> crowd.seen().equals(List.of("go", "stay")));
    world.client().raiseEvent("s", "more", "");
    world.until(() -> world.events("s", EventKind.ExternalSubscribed.class).size() == 2);
    world.client().raiseEvent("s", "end", "");
    world.awaitEvent("s", EventKind.ExternalEvent.class);
    crowd.dismiss();

    world.until(() -> {
      world.advance(Duration.ofMillis(1));
      return world.client().status("s").isTerminal();
    });
    assertThat(world.output("s")).isEqualTo("staygo");
    assertThat(crowd.most()).isEqualTo(1);
  }

  @Test
  @DisplayName("E2E-522 a node with limit 0 takes no session work")
  void noSessions() {
    List<String> ran = new CopyOnWriteArrayList<>();
    world.start(
        world.options().sessions(SessionOptions.DEFAULT.withMaxSessions(0)),
        node ->
            node.activity(
                    WORK,
                    (ctx, input) -> {
                      ran.add(input);
                      return report(ctx, input);
                    })
                .orchestration(
                    MAIN,
                    (ctx, input) -> {
                      DurableFuture<String> bound = ctx.call(WORK, "bound", on("s1"));
                      ctx.call(WORK, "plain").await();
                      ctx.waitForEvent("go").await();
                      return bound.await();
                    }));
    world.client().start(MAIN, "s", "1");
    world.awaitEvent("s", EventKind.ExternalSubscribed.class);
    assertThat(ran).containsExactly("plain");

    world.start(
        world.options().orchestrationConcurrency(0),
        node -> node.activity(WORK, SessionFlowsTest::report));
    world.client().raiseEvent("s", "go", "");

    assertThat(world.output("s")).isEqualTo("bound@s1");
    assertThat(ran).containsExactly("plain");
  }
}
