package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.client.StartOptions;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.Provider;
import io.duroxide.provider.TurnCommit;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Kept executions and the execution after them")
class KeptExecutionsTest {
  private static final EventQueue<Integer> NUMBERS = EventQueue.of("numbers", Integer.class);
  private static final Orchestration<Integer, String> SUM =
      Orchestration.of("Sum", Integer.class, String.class);

  /** An execution ends after so many messages. */
  private static final int ROUND = 3;

  private final List<DuroxideRuntime> nodes = new ArrayList<>();
  private final AtomicInteger inCode = new AtomicInteger();
  private final AtomicInteger mostInCode = new AtomicInteger();
  private World world;

  @BeforeEach
  void open() {
    world = World.open(Mode.KEPT);
  }

  @AfterEach
  void close() {
    nodes.forEach(node -> node.shutdown(Duration.ZERO));
    world.close();
    assertThat(inCode).as("code that is still parked").hasValue(0);
  }

  /** Counts and adds messages until there were {@code total}, in executions of three. */
  private final OrchestrationHandler<Integer, String> code =
      (ctx, total) -> {
        mostInCode.accumulateAndGet(inCode.incrementAndGet(), Math::max);
        try {
          for (int i = 0; i < ROUND; i++) {
            int number = ctx.dequeue(NUMBERS).await();
            int count = ctx.kv().get("count", Integer.class).orElse(0) + 1;
            String seen = ctx.kv().getText("seen").orElse("") + number + ",";
            ctx.kv().put("count", count);
            ctx.kv().putText("seen", seen);
            ctx.setCustomStatus("after " + count);
            if (count == total) {
              return seen;
            }
          }
          return ctx.continueAsNew(total);
        } finally {
          inCode.decrementAndGet();
        }
      };

  private RuntimeOptions.Builder oneTurnAtATime() {
    return world.options().orchestrationConcurrency(1).longPollTimeout(Duration.ofMillis(20));
  }

  private void node(Provider store, RuntimeOptions.Builder options) {
    nodes.add(
        DuroxideRuntime.builder(store).orchestration(SUM, code).options(options.build()).start());
  }

  private void send(String instance, int from, int to) {
    for (int number = from; number <= to; number++) {
      world.client().enqueue(instance, NUMBERS, number);
    }
  }

  private static String upTo(int last) {
    StringBuilder text = new StringBuilder();
    for (int number = 1; number <= last; number++) {
      text.append(number).append(',');
    }
    return text.toString();
  }

  private void awaitStatus(String instance, String status) {
    world.until(() ->
        world
            .store()
            .customStatus(instance, 0)
            .filter(known -> status.equals(known.status()))
            .isPresent());
  }

  private String result(String instance) {
    return world.client().waitFor(SUM, instance, World.PATIENCE);
  }

  private static boolean continues(TurnCommit commit) {
    return commit.metadata().status() == ExecutionStatus.CONTINUED_AS_NEW;
  }

  @Test
  @DisplayName("RL-002 two nodes with different options count every message")
  void twoNodes() {
    node(world.store(), world.options());
    node(world.store(), world.options().cachedExecutions(1).orchestrationConcurrency(2));
    for (int run = 0; run < 5; run++) {
      String instance = "run-" + run;
      world.client().start(SUM, instance, 60);
      send(instance, 1, 60);

      assertThat(result(instance)).isEqualTo(upTo(60));
    }
  }

  @Test
  @DisplayName("RL-002 each turn on the other node: every message counts")
  void eachTurnElsewhere() {
    GatedStore here = new GatedStore(world.store(), true);
    GatedStore there = new GatedStore(world.store(), false);
    handOver(here, there);
    handOver(there, here);
    node(here.provider(), oneTurnAtATime());
    node(there.provider(), oneTurnAtATime());
    world.client().start(SUM, "x", 12);
    for (int number = 1; number <= 12; number++) {
      send("x", number, number);
      if (number < 12) {
        awaitStatus("x", "after " + number);
      }
    }

    assertThat(result("x")).isEqualTo(upTo(12));
  }

  /** Once {@code from} has committed a turn, the next one is for {@code to}. */
  private static void handOver(GatedStore from, GatedStore to) {
    from.onCommit(new GatedStore.CommitHooks(commit -> from.shutFromTurn(), commit -> to.open()));
  }

  /**
   * One node keeps the first execution, another one runs its last turn, and the first one begins
   * the second execution.
   */
  private void endedElsewhere(String instance, int total) {
    GatedStore here = new GatedStore(world.store(), true);
    GatedStore there = new GatedStore(world.store(), false);
    node(here.provider(), oneTurnAtATime());
    node(there.provider(), oneTurnAtATime());
    world.client().start(SUM, instance, total);
    send(instance, 1, 1);
    awaitStatus(instance, "after 1");
    here.shut();
    CountDownLatch over = new CountDownLatch(1);
    there.onCommit(
        new GatedStore.CommitHooks(
            commit -> {
              if (continues(commit)) {
                there.shutFromTurn();
              }
            },
            commit -> {
              if (continues(commit)) {
                over.countDown();
              }
            }));
    send(instance, 2, 5);
    there.open();
    await(over);
    here.open();
  }

  private static void await(CountDownLatch latch) {
    try {
      assertThat(latch.await(World.PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  @DisplayName("RL-003 the last turn of a kept execution ran elsewhere: the next has its values")
  void lastTurnElsewhere() {
    endedElsewhere("x", 6);
    send("x", 6, 6);

    assertThat(result("x")).isEqualTo(upTo(6));
  }

  @Test
  @DisplayName("RL-004 the last turn overtakes the moment at which the execution is kept")
  void overtaken() {
    GatedStore gated = new GatedStore(world.store(), true);
    CountDownLatch committed = new CountDownLatch(1);
    CountDownLatch goOn = new CountDownLatch(1);
    AtomicBoolean held = new AtomicBoolean();
    gated.onCommit(
        new GatedStore.CommitHooks(
            commit -> {},
            commit -> {
              boolean first =
                  commit.historyDelta().getFirst().kind() instanceof EventKind.OrchestrationStarted;
              if (!first && held.compareAndSet(false, true)) {
                committed.countDown();
                await(goOn);
              }
            }));
    node(gated.provider(), world.options().orchestrationConcurrency(4));
    world.client().start(SUM, "x", 6);
    send("x", 1, 1);
    await(committed);
    send("x", 2, 5);
    world.until(
        () -> world.store().management().orElseThrow().queueDepths().orchestrator().locked() > 0);
    goOn.countDown();
    send("x", 6, 6);

    assertThat(result("x")).isEqualTo(upTo(6));
  }

  @Test
  @DisplayName("RL-005 status and unread messages of the next execution are those of a cold start")
  void inherited() {
    endedElsewhere("warm", 6);
    awaitStatus("warm", "after 5");
    nodes.forEach(node -> node.shutdown(Duration.ZERO));
    GatedStore gated = new GatedStore(world.store(), true);
    node(gated.provider(), oneTurnAtATime().cachedExecutions(0));
    world.client().start(SUM, "cold", 6);
    send("cold", 1, 1);
    awaitStatus("cold", "after 1");
    gated.shut();
    send("cold", 2, 5);
    gated.open();
    awaitStatus("cold", "after 5");

    assertThat(start("warm")).isEqualTo(start("cold"));
    assertThat(world.store().kvAllValues("warm")).isEqualTo(world.store().kvAllValues("cold"));
    send("warm", 6, 6);
    send("cold", 6, 6);
    assertThat(result("warm")).isEqualTo(result("cold"));
  }

  private EventKind.OrchestrationStarted start(String instance) {
    return (EventKind.OrchestrationStarted) world.history(instance, 2).getFirst().kind();
  }

  @Test
  @DisplayName("RL-006 500 times continue-as-new: code is parked only for the cache and for turns")
  void parkedCodeIsBounded() {
    node(world.store(), world.options().cachedExecutions(2).orchestrationConcurrency(3));
    for (int flow = 0; flow < 10; flow++) {
      world.client().start(SUM, "x" + flow, 150);
    }
    for (int flow = 0; flow < 10; flow++) {
      send("x" + flow, 1, 150);
    }
    for (int flow = 0; flow < 10; flow++) {
      assertThat(result("x" + flow)).isEqualTo(upTo(150));
    }
    assertThat(mostInCode.get()).isLessThanOrEqualTo(2 + 3);
    world.until(() -> inCode.get() == 0);
  }

  @Test
  @DisplayName("RL-008 a restarted instance begins with its values while an older one is kept")
  void restarted() {
    endAsKept("x");
    world.client().start(SUM, "x", 5, StartOptions.restartIfEnded());
    send("x", 3, 5);

    assertThat(result("x")).isEqualTo(upTo(5));
  }

  @Test
  @DisplayName("RL-009 nothing of a deleted namesake reaches an instance of the same id")
  void namesake() {
    endAsKept("x");
    world.store().management().orElseThrow().deleteInstance("x", false);
    world.client().start(SUM, "x", 3);
    send("x", 1, 3);

    assertThat(result("x")).isEqualTo(upTo(3));
    assertThat(world.store().kvAllValues("x")).containsEntry("count", "3");
  }

  /** An instance that one node keeps in mid-life and another node has brought to its end. */
  private void endAsKept(String instance) {
    GatedStore here = new GatedStore(world.store(), true);
    node(here.provider(), oneTurnAtATime());
    world.client().start(SUM, instance, 2);
    send(instance, 1, 1);
    awaitStatus(instance, "after 1");
    here.shut();
    GatedStore there = new GatedStore(world.store(), true);
    node(there.provider(), oneTurnAtATime());
    send(instance, 2, 2);
    result(instance);
    there.shut();
    here.open();
  }
}
