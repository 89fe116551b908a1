package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ActivityOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.model.EventKind;
import io.duroxide.provider.InstrumentedProvider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import io.duroxide.runtime.SessionOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
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
class SessionOwnershipTest {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> MAIN =
      Orchestration.of("Main", String.class, String.class);
  private static final Duration LEASE = Duration.ofSeconds(10);

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

  /** Which nodes ran activities of a session. */
  private final Map<String, Set<String>> nodes = new ConcurrentHashMap<>();

  private final List<String> ran = new CopyOnWriteArrayList<>();

  private static ActivityOptions on(String session) {
    return ActivityOptions.options().session(session);
  }

  private static SessionOptions leases(Duration lease, int maxSessions) {
    return new SessionOptions(lease, Duration.ofMinutes(5), Duration.ofMinutes(5), maxSessions);
  }

  private RuntimeOptions.Builder node(String id) {
    return world.options().workerNodeId(id).sessions(leases(LEASE, 10));
  }

  /** Starts a node whose activities say on which node they ran. */
  private DuroxideRuntime start(
      String node, RuntimeOptions.Builder options, OrchestrationHandler<String, String> code) {
    return world.start(
        options,
        builder ->
            builder
                .activity(
                    WORK,
                    (ctx, input) -> {
                      String session = String.valueOf(ctx.routing().sessionId());
                      nodes
                          .computeIfAbsent(session, any -> ConcurrentHashMap.newKeySet())
                          .add(node);
                      ran.add(input + "@" + node);
                      return input.startsWith("stay") ? crowd.stay(input) : input;
                    })
                .orchestration(MAIN, code));
  }

  /** One activity on a session, and after an event a plain one and another on the session. */
  private static String twoSteps(OrchestrationContext ctx, String input) {
    ctx.call(WORK, "first", on("s1")).await();
    ctx.waitForEvent("go").await();
    DurableFuture<String> second = ctx.call(WORK, "second", on("s1"));
    ctx.call(WORK, "plain").await();
    ctx.waitForEvent("end").await();
    return second.await();
  }

  private void firstStep() {
    world.client().start(MAIN, "s", "1");
    world.awaitEvent("s", EventKind.ExternalSubscribed.class);
  }

  /** Returns when the plain activity is done and the second on the session is queued. */
  private void secondStep() {
    world.client().raiseEvent("s", "go", "");
    world.until(() -> world.events("s", EventKind.ExternalSubscribed.class).size() == 2);
    world.client().raiseEvent("s", "end", "");
  }

  @Test
  @DisplayName("E2E-522 when the owner dies another node takes over after the lease")
  void ownerDies() {
    DuroxideRuntime a = start("a", node("a"), SessionOwnershipTest::twoSteps);
    firstStep();
    a.shutdown(Duration.ZERO);
    start("b", node("b"), SessionOwnershipTest::twoSteps);
    secondStep();
    assertThat(ran).containsExactly("first@a", "plain@b");

    world.advance(LEASE);

    assertThat(world.output("s")).isEqualTo("second");
    assertThat(ran).containsExactly("first@a", "plain@b", "second@b");
  }

  @Test
  @DisplayName("E2E-522 the same node id after a restart has its sessions at once")
  void sameNodeReturns() {
    DuroxideRuntime a = start("a", node("a"), SessionOwnershipTest::twoSteps);
    firstStep();
    a.shutdown(Duration.ZERO);
    start("a again", node("a"), SessionOwnershipTest::twoSteps);
    secondStep();

    assertThat(world.output("s")).isEqualTo("second");
    assertThat(nodes.get("s1")).containsExactlyInAnyOrder("a", "a again");
  }

  @Test
  @DisplayName("E2E-522 a node without a stable id gives its sessions up when it stops")
  void ephemeralNodeStops() {
    DuroxideRuntime first = start("a", world.options(), SessionOwnershipTest::twoSteps);
    firstStep();
    first.shutdown(Duration.ZERO);
    start("b", world.options(), SessionOwnershipTest::twoSteps);
    secondStep();

    assertThat(world.output("s")).isEqualTo("second");
    assertThat(nodes.get("s1")).containsExactlyInAnyOrder("a", "b");
  }

  @Test
  @DisplayName("E2E-522 a long activity keeps the lease of its session")
  void longActivity() {
    AtomicInteger renewals = new AtomicInteger();
    countRenewals(renewals);
    Duration lease = Duration.ofMillis(200);
    OrchestrationHandler<String, String> code =
        (ctx, input) -> {
          DurableFuture<String> first = ctx.call(WORK, "stay", on("s1"));
          ctx.waitForEvent("go").await();
          return ctx.call(WORK, "second", on("s1")).await() + first.await();
        };
    start("a", node("a").sessions(leases(lease, 10)), code);
    world.client().start(MAIN, "s", "1");
    world.until(() -> crowd.present() == 1);
    start("b", node("b").sessions(leases(Duration.ofMinutes(1), 10)), code);
    for (int i = 0; i < 3; i++) {
      world.advanceHolding(1, Duration.ofMillis(150));
      awaitRenewal(renewals);
    }
    world.client().raiseEvent("s", "go", "");
    world.until(() -> ran.size() == 2);
    crowd.dismiss();

    assertThat(world.output("s")).isEqualTo("secondstay");
    assertThat(ran).containsExactly("stay@a", "second@a");
  }

  @Test
  @DisplayName("E2E-522 an idle session is free for another node")
  void idleSession() {
    AtomicInteger renewals = new AtomicInteger();
    countRenewals(renewals);
    SessionOptions shortlyIdle =
        new SessionOptions(
            Duration.ofMillis(200), Duration.ofMillis(600), Duration.ofMinutes(5), 10);
    OrchestrationHandler<String, String> code =
        (ctx, input) -> {
          ctx.call(WORK, "first", on("s1")).await();
          ctx.waitForEvent("go").await();
          DurableFuture<String> busy = ctx.call(WORK, "stay");
          ctx.waitForEvent("again").await();
          return ctx.call(WORK, "second", on("s1")).await() + busy.await();
        };
    start(
        "a",
        node("a")
            .sessions(shortlyIdle)
            .workerConcurrency(1)
            .workerLockTimeout(Duration.ofSeconds(1)),
        code);
    firstStep();
    for (int i = 0; i < 6; i++) {
      world.advance(Duration.ofMillis(150));
      awaitRenewal(renewals);
    }
    world.client().raiseEvent("s", "go", "");
    world.until(() -> crowd.present() == 1);
    start("b", node("b"), code);
    world.until(() -> world.events("s", EventKind.ExternalSubscribed.class).size() == 2);
    world.client().raiseEvent("s", "again", "");
    world.until(() -> ran.size() == 3);
    crowd.dismiss();

    assertThat(world.output("s")).isEqualTo("secondstay");
    assertThat(ran).containsExactly("first@a", "stay@a", "second@b");
  }

  private void countRenewals(AtomicInteger renewals) {
    world.decorate(store ->
        new InstrumentedProvider(
            store,
            operation -> {
              if (operation.operation().equals("renewSessionLock")) {
                renewals.incrementAndGet();
              }
            }));
  }

  /** Waits for a renewal that began after this call. */
  private void awaitRenewal(AtomicInteger renewals) {
    int seen = renewals.get();
    world.until(() -> renewals.get() >= seen + 2);
  }

  @Test
  @DisplayName("E2E-518 OR-100 two nodes, executions, fan-out and plain work: a session, a node")
  void twoNodes() {
    OrchestrationHandler<String, String> code =
        (ctx, input) -> {
          List<DurableFuture<String>> all = new ArrayList<>();
          for (int i = 0; i < 2; i++) {
            all.add(ctx.call(WORK, "x" + i, on("s1")));
            all.add(ctx.call(WORK, "y" + i, on("s2")));
            all.add(ctx.call(WORK, "p" + i));
          }
          String results = String.join(",", ctx.all(all));
          return ctx.executionId() == 3 ? results : ctx.continueAsNew("next");
        };
    start("a", node("a"), code);
    start("b", node("b"), code);
    world.client().start(MAIN, "s", "1");

    assertThat(world.output("s")).isEqualTo("x0,y0,p0,x1,y1,p1");
    assertThat(nodes.get("s1")).hasSize(1);
    assertThat(nodes.get("s2")).hasSize(1);
    assertThat(ran).hasSize(18);
  }

  @Test
  @DisplayName("E2E-519 what a node with a small limit cannot take goes to the other")
  void overflow() {
    OrchestrationHandler<String, String> code =
        (ctx, input) ->
            String.join(
                ",",
                ctx.all(
                    IntStream.range(0, 4)
                        .mapToObj(i -> ctx.call(WORK, "stay" + i, on("s" + i)))
                        .toList()));
    start("small", node("small").sessions(leases(Duration.ofSeconds(20), 1)), code);
    world.client().start(MAIN, "s", "1");
    world.until(() -> crowd.present() == 1);
    start("large", node("large"), code);
    world.until(() -> crowd.present() == 4);
    crowd.dismiss();

    assertThat(world.output("s")).isEqualTo("stay0,stay1,stay2,stay3");
    assertThat(ran)
        .containsExactlyInAnyOrder("stay0@small", "stay1@large", "stay2@large", "stay3@large");
  }

  @Test
  @DisplayName("E2E-520 E2E-825 four conversations on two nodes: each has its memory on one node")
  void conversations() {
    EventQueue<String> messages = EventQueue.of("messages", String.class);
    Map<String, List<String>> memories = new ConcurrentHashMap<>();
    AtomicInteger created = new AtomicInteger();
    for (String node : List.of("a", "b")) {
      world.start(
          node(node),
          builder ->
              builder
                  .activity(
                      WORK,
                      (ctx, input) -> {
                        String session = String.valueOf(ctx.routing().sessionId());
                        nodes
                            .computeIfAbsent(session, any -> ConcurrentHashMap.newKeySet())
                            .add(node);
                        List<String> memory =
                            memories.computeIfAbsent(
                                node + "/" + session,
                                any -> {
                                  created.incrementAndGet();
                                  return new CopyOnWriteArrayList<>();
                                });
                        memory.add(input);
                        return String.join(" ", memory);
                      })
                  .orchestration(
                      MAIN,
                      (ctx, input) -> {
                        String reply = "";
                        for (int turn = 0; turn < 2; turn++) {
                          String message = ctx.dequeue(messages).await();
                          reply = ctx.call(WORK, message, on(ctx.instanceId())).await();
                        }
                        return ctx.executionId() == 2 ? reply : ctx.continueAsNew("more");
                      }));
    }
    List<String> all = List.of("c1", "c2", "c3", "c4");
    all.forEach(id -> world.client().start(MAIN, id, ""));
    all.forEach(id -> world.awaitEvent(id, EventKind.QueueSubscribed.class));
    for (int i = 1; i <= 4; i++) {
      int number = i;
      all.forEach(id -> world.client().enqueue(id, messages, id + "-" + number));
    }

    for (String id : all) {
      assertThat(world.output(id)).isEqualTo("%1$s-1 %1$s-2 %1$s-3 %1$s-4".formatted(id));
      assertThat(nodes.get(id)).hasSize(1);
    }
    assertThat(created).hasValue(4);
  }
}
