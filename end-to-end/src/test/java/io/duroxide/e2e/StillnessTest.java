package io.duroxide.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.Activity;
import io.duroxide.api.Orchestration;
import io.duroxide.client.StartOptions;
import io.duroxide.model.EventKind;
import io.duroxide.provider.LockedOrchestration;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A world whose clock moves only when nothing is in flight")
class StillnessTest {
  private static final Activity<String, String> WORK =
      Activity.of("Work", String.class, String.class);
  private static final Orchestration<String, String> FLOW =
      Orchestration.of("Flow", String.class, String.class);
  private static final Duration LONG = Duration.ofHours(1);

  private final CountDownLatch reached = new CountDownLatch(1);
  private final CountDownLatch gate = new CountDownLatch(1);
  private World world;
  private Instant began;

  @BeforeEach
  void open() {
    world = World.open(Mode.REPLAYED);
    began = world.clock().instant();
  }

  @AfterEach
  void close() {
    gate.countDown();
    world.close();
  }

  private void holdHere() {
    reached.countDown();
    world.until(() -> gate.getCount() == 0);
  }

  /** Begins to move the clock, and returns once that waits. */
  private Thread advancing() {
    Thread thread = Thread.ofPlatform().start(() -> world.advance(LONG));
    world.until(() -> thread.getState() == Thread.State.TIMED_WAITING);
    return thread;
  }

  private void ends(Thread thread) {
    world.until(() -> !thread.isAlive());
  }

  @Test
  @DisplayName("the clock waits for a turn that takes long, and the turn is one attempt")
  void waitsForTurn() {
    Queue<Integer> attempts = new ConcurrentLinkedQueue<>();
    Faults faults = new Faults();
    faults.onFetchedTurn(locked -> counted(attempts, locked));
    world.decorate(faults::on);
    world.start(n ->
        n.orchestration(
            FLOW,
            (ctx, in) -> {
              holdHere();
              return in;
            }));
    world.client().start(FLOW, "i", "x");
    world.until(() -> reached.getCount() == 0);

    Thread advancing = advancing();
    assertThat(world.clock().instant()).isEqualTo(began);
    gate.countDown();
    ends(advancing);

    assertThat(world.output("i")).isEqualTo("x");
    assertThat(attempts).containsExactly(1);
    assertThat(world.clock().instant()).isEqualTo(began.plus(LONG));
  }

  private static LockedOrchestration counted(Queue<Integer> attempts, LockedOrchestration locked) {
    attempts.add(locked.attemptCount());
    return locked;
  }

  @Test
  @DisplayName("the clock waits for an activity, unless the test says that it holds it")
  void waitsForActivity() {
    AtomicReference<Instant> seen = new AtomicReference<>();
    world.start(n ->
        n.activity(
                WORK,
                (ctx, in) -> {
                  holdHere();
                  seen.set(world.clock().instant());
                  return in;
                })
            .orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await()));
    world.client().start(FLOW, "i", "x");
    world.until(() -> reached.getCount() == 0);

    world.advanceHolding(1, Duration.ofSeconds(1));
    Instant held = world.clock().instant();
    assertThat(held).isEqualTo(began.plusSeconds(1));
    Thread advancing = advancing();
    assertThat(world.clock().instant()).isEqualTo(held);
    gate.countDown();
    ends(advancing);

    assertThat(world.output("i")).isEqualTo("x");
    assertThat(seen.get()).isEqualTo(held);
  }

  @Test
  @DisplayName("what no running node may take, and what a stopped one left, holds no clock up")
  void passesWhatCannotRun() {
    world.start(
        world.options().workerConcurrency(0),
        n -> n.orchestration(FLOW, (ctx, in) -> ctx.call(WORK, in).await()));
    world.client().start("Unknown", "u", "", StartOptions.defaults());
    world.client().start(FLOW, "i", "x");
    world.advance(LONG);
    assertThat(world.events("i", EventKind.ActivityScheduled.class)).hasSize(1);

    world.start(n ->
        n.activity(
            WORK,
            (ctx, in) -> {
              holdHere();
              return in;
            }));
    world.until(() -> reached.getCount() == 0);
    world.stopRuntimes();
    world.advance(LONG);

    assertThat(world.clock().instant()).isEqualTo(began.plus(LONG).plus(LONG));
    assertThat(List.of("u", "i"))
        .allSatisfy(id -> assertThat(world.client().status(id).isTerminal()).isFalse());
  }
}
