package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.ExternalEvent;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.provider.ProviderException;
import io.duroxide.runtime.RuntimeOptions;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("Activities committed together with the turn they cause")
class LocalStepsTest {
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Activity<String, String> MEET =
      Activity.of("Meet", String.class, String.class);
  private static final ExternalEvent<String> EVENT = ExternalEvent.of("E", String.class);
  private static final ProviderException.Kind UNAVAILABLE = ProviderException.Kind.UNAVAILABLE;
  private static final Duration WORKER_LOCK = Duration.ofSeconds(30);

  /** Three activities in a row. */
  private static final OrchestrationHandler<String, String> CHAIN =
      (ctx, in) -> {
        String value = in;
        for (int i = 0; i < 3; i++) {
          value = ctx.call(WORK, value).await();
        }
        return value;
      };

  /** As many activities in a row. */
  private static OrchestrationHandler<String, String> works(int count) {
    return (ctx, in) -> {
      for (int i = 0; i < count; i++) {
        ctx.call(WORK, in).await();
      }
      return in;
    };
  }

  private final Faults faults = new Faults();
  private final List<String> runs = new CopyOnWriteArrayList<>();
  private World world;

  @BeforeEach
  void open() {
    world = World.sqlite(Mode.KEPT);
    world.decorate(faults::on);
  }

  @AfterEach
  void close() {
    world.close();
  }

  private void node(RuntimeOptions.Builder options, OrchestrationHandler<String, String> code) {
    world.start(
        options,
        n ->
            n.activity(
                    WORK,
                    (ctx, in) -> {
                      runs.add(in);
                      return in + "+";
                    })
                .orchestration(FLOW, code));
  }

  private List<String> kinds(String instance) {
    return world.history(instance).stream()
        .map(Event::kind)
        .map(kind -> kind.getClass().getSimpleName())
        .toList();
  }

  @Test
  @DisplayName("a chain needs one fetch of its start, one commit and one more for each activity")
  void oneCommitForEachActivity() {
    node(world.options(), CHAIN);
    world.client().start(FLOW, "c", "x");

    assertThat(world.output("c")).isEqualTo("x+++");
    assertThat(faults.count(Faults.COMMIT)).isEqualTo(1);
    assertThat(faults.count(Faults.STEP)).isEqualTo(3);
    assertThat(faults.count("ackWorkItem")).isZero();
  }

  @Test
  @DisplayName("what is recorded is the same as through the queues")
  void sameHistory() {
    node(world.options(), CHAIN);
    world.client().start(FLOW, "short", "x");
    world.output("short");
    world.restart();
    node(world.options().localSteps(0), CHAIN);
    world.client().start(FLOW, "long", "x");

    assertThat(world.output("long")).isEqualTo("x+++");
    assertThat(faults.count(Faults.STEP)).isEqualTo(3);
    assertThat(kinds("short")).isEqualTo(kinds("long"));
    assertThat(world.history("short").stream().map(Event::id).toList())
        .isEqualTo(world.history("long").stream().map(Event::id).toList());
  }

  @Test
  @DisplayName("an interrupt that a handler leaves behind reaches neither its report nor the next")
  void leftInterrupted() {
    world.start(n ->
        n.activity(
                WORK,
                (ctx, in) -> {
                  boolean interrupted = Thread.currentThread().isInterrupted();
                  Thread.currentThread().interrupt();
                  return in + (interrupted ? "!" : "+");
                })
            .orchestration(FLOW, CHAIN));
    world.client().start(FLOW, "c", "x");

    assertThat(world.output("c")).isEqualTo("x+++");
  }

  @Test
  @DisplayName("a step that the store does not take is reported through the queue, once")
  void stepFails() {
    faults.failNext(Faults.STEP, 1, UNAVAILABLE);
    node(world.options(), CHAIN);
    world.client().start(FLOW, "c", "x");

    assertThat(world.output("c")).isEqualTo("x+++");
    assertThat(faults.count("ackWorkItem")).isEqualTo(1);
    assertThat(runs).containsExactly("x", "x+", "x++");
  }

  @Test
  @DisplayName("a step whose answer got lost is neither repeated nor recorded twice")
  void lostAnswerOfStep() {
    faults.failNextAfterCommit(Faults.STEP, 1, UNAVAILABLE);
    node(world.options(), CHAIN);
    world.client().start(FLOW, "c", "x");
    world.until(() -> world.events("c", EventKind.ActivityScheduled.class).size() == 2);
    world.until(() -> faults.done("ackWorkItem") == 1);
    world.advance(WORKER_LOCK);

    assertThat(world.output("c")).isEqualTo("x+++");
    assertThat(runs).containsExactly("x", "x+", "x++");
    assertThat(world.events("c", EventKind.ActivityCompleted.class)).hasSize(3);
  }

  @Test
  @DisplayName("OR-025 a claimed activity whose commit's answer got lost runs when its lock ends")
  void lostAnswerOfClaim() {
    faults.failNextAfterCommit(Faults.COMMIT, 1, UNAVAILABLE);
    node(world.options(), CHAIN);
    world.client().start(FLOW, "c", "x");
    world.until(() -> faults.done(Faults.COMMIT) == 2);
    assertThat(runs).isEmpty();
    world.advance(WORKER_LOCK);

    assertThat(world.output("c")).isEqualTo("x+++");
    assertThat(runs).containsExactly("x", "x+", "x++");
  }

  @Test
  @DisplayName("a message that came first is not overtaken")
  void messageComesFirst() throws InterruptedException {
    CountDownLatch running = new CountDownLatch(1);
    CountDownLatch go = new CountDownLatch(1);
    faults.failNext("fetchOrchestrationItems", 0, UNAVAILABLE);
    world.start(n ->
        n.activity(
                WORK,
                (ctx, in) -> {
                  running.countDown();
                  go.await();
                  return in;
                })
            .orchestration(
                FLOW,
                (ctx, in) -> {
                  var event = ctx.waitFor(EVENT);
                  ctx.call(WORK, in).await();
                  return event.isDone() ? event.await() : "nothing";
                }));
    world.client().start(FLOW, "m", "x");
    running.await();
    faults.failNext("fetchOrchestrationItems", 1_000_000, UNAVAILABLE);
    world.until(() -> faults.done("fetchOrchestrationItems") > 1);
    world.client().raiseEvent("m", "E", "first");
    go.countDown();
    world.until(() -> faults.done("ackWorkItem") == 1);
    faults.failNext("fetchOrchestrationItems", 0, UNAVAILABLE);

    assertThat(world.output("m")).isEqualTo("first");
  }

  @Test
  @DisplayName("after the agreed number of steps the slot goes to whoever waits")
  void slotIsShared() throws InterruptedException {
    Semaphore first = new Semaphore(0);
    world.start(
        world.options().workerConcurrency(2).localSteps(2),
        n ->
            n.activity(
                    WORK,
                    (ctx, in) -> {
                      runs.add(ctx.key().instance());
                      first.acquire();
                      return in;
                    })
                .orchestration(FLOW, works(6)));
    for (String id : List.of("a", "b", "c")) {
      world.client().start(FLOW, id, "x");
    }
    world.until(() -> faults.count(Faults.COMMIT) == 3);
    first.release(100);

    for (String id : List.of("a", "b", "c")) {
      assertThat(world.output(id)).isEqualTo("x");
    }
    assertThat(runs).hasSize(18);
    assertThat(faults.count("fetchWorkItems")).isGreaterThanOrEqualTo(2);
  }

  @Test
  @DisplayName("a chain keeps its slot for as long as nobody waits for one")
  void slotIsKept() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    world.start(
        world.options().workerConcurrency(2).localSteps(2),
        n ->
            n.activity(
                    WORK,
                    (ctx, in) -> {
                      threads.add(Thread.currentThread());
                      return in;
                    })
                .orchestration(FLOW, works(10)));
    world.client().start(FLOW, "alone", "x");

    assertThat(world.output("alone")).isEqualTo("x");
    assertThat(threads).hasSize(1);
  }

  @Test
  @DisplayName("long chains that share slots leave them all free behind them")
  void slotsComeBack() {
    CyclicBarrier both = new CyclicBarrier(2);
    world.start(
        world.options().workerConcurrency(2).localSteps(2),
        n ->
            n.activity(WORK, (ctx, in) -> in)
                .activity(
                    MEET,
                    (ctx, in) -> {
                      both.await();
                      return in;
                    })
                .orchestration(
                    FLOW,
                    (ctx, in) -> {
                      ctx.call(MEET, in).await();
                      for (int i = 0; i < 40; i++) {
                        ctx.call(WORK, in).await();
                      }
                      ctx.all(List.of(ctx.call(MEET, in), ctx.call(MEET, in)));
                      return in;
                    }));
    world.client().start(FLOW, "one", "x");
    world.client().start(FLOW, "two", "x");

    assertThat(world.output("one")).isEqualTo("x");
    assertThat(world.output("two")).isEqualTo("x");
  }
}
