package io.duroxide.replay;

import static io.duroxide.replay.Facts.activityDone;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.DataConverter;
import io.duroxide.api.Limits;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Code that waits for anything but the engine is found; code that computes is left alone. */
class IllegalBlockingTest {
  private static final Duration LIMIT = Duration.ofMillis(100);
  private static final EngineOptions IMPATIENT =
      new EngineOptions(
          () -> Facts.NOON,
          () -> new UUID(0, 1),
          DataConverter.json(),
          Limits.DEFAULT,
          LIMIT,
          new Author("0.1.0", "node"),
          HistoryPruning.NONE);

  record Blocking(String how, OrchestrationCode code) {
    @Override
    public String toString() {
      return how;
    }
  }

  static List<Blocking> blockings() {
    ReentrantLock held = new ReentrantLock();
    Thread.ofVirtual().start(held::lock);
    return List.of(
        new Blocking(
            "sleep",
            (ctx, in) -> {
              TimeUnit.HOURS.sleep(1);
              return "";
            }),
        new Blocking(
            "latch",
            (ctx, in) -> {
              new CountDownLatch(1).await();
              return "";
            }),
        new Blocking(
            "lock",
            (ctx, in) -> {
              while (!held.isLocked()) {
                Thread.onSpinWait();
              }
              held.lockInterruptibly();
              return "";
            }),
        new Blocking("future", (ctx, in) -> new CompletableFuture<String>().get()),
        new Blocking("join", (ctx, in) -> new CompletableFuture<String>().join()),
        new Blocking(
            "sleep in a branch",
            (ctx, in) ->
                ctx.<String>async(
                        b -> {
                          TimeUnit.HOURS.sleep(1);
                          return "";
                        })
                    .await()));
  }

  @ParameterizedTest(name = "{0} inside an orchestration is a panic that names the line")
  @MethodSource("blockings")
  void blockingIsReported(Blocking blocking) {
    TurnResult result = Engine.of(blocking.code).options(IMPATIENT).started("in").turn();

    assertThat(result.outcome()).isInstanceOf(TurnOutcome.Failed.class);
    ErrorDetails.Application details =
        (ErrorDetails.Application) ((TurnOutcome.Failed) result.outcome()).details();
    assertThat(details.kind()).isEqualTo(ApplicationErrorKind.PANICKED);
    assertThat(details.message())
        .startsWith("order-7/1: the orchestration blocked for 100 ms outside an await, in java.")
        .containsPattern("at .*IllegalBlockingTest.*\\(IllegalBlockingTest.java:\\d+\\)")
        .contains("use ctx.timer");
  }

  @Test
  @DisplayName("the reported line is the line that blocks")
  void theLineThatBlocks() {
    int[] line = new int[1];
    OrchestrationCode code =
        (ctx, in) -> {
          line[0] = new Throwable().getStackTrace()[0].getLineNumber() + 1;
          new CountDownLatch(1).await();
          return "";
        };
    TurnResult result = Engine.of(code).options(IMPATIENT).started("in").turn();

    assertThat(((TurnOutcome.Failed) result.outcome()).details().displayMessage())
        .contains("IllegalBlockingTest.java:" + line[0] + ")")
        .contains("java.util.concurrent.CountDownLatch.await");
  }

  @Test
  @DisplayName("blocking in a later turn is found as well, and what arrived is kept")
  void inALaterTurn() {
    OrchestrationCode code =
        (ctx, in) -> {
          ctx.callActivity("A", "").await();
          ctx.callActivity("B", "");
          new CountDownLatch(1).await();
          return "";
        };
    Engine engine = Engine.of(code).options(IMPATIENT).started("in");
    engine.turn();

    TurnResult result = engine.turn(activityDone(2, ""));

    assertThat(((TurnOutcome.Failed) result.outcome()).details().displayMessage())
        .startsWith("orchestration panicked: ");
    assertThat(result.outstanding().activities()).containsExactly(4L);
  }

  @Test
  @DisplayName("code that computes for longer than the limit is not failed")
  void computingIsAllowed() {
    OrchestrationCode code =
        (ctx, in) -> {
          long begin = System.nanoTime();
          long end = begin + LIMIT.toNanos() * 4;
          while (System.nanoTime() < end) {
            Thread.onSpinWait();
          }
          return ctx.callActivity("A", "").await();
        };
    Engine engine = Engine.of(code).options(IMPATIENT).started("in");

    assertThat(engine.turn().outcome()).isEqualTo(new TurnOutcome.Continue());
    assertThat(engine.turn(activityDone(2, "ok")).outcome())
        .isEqualTo(new TurnOutcome.Completed("ok"));
  }

  @Test
  @DisplayName("a lock that is free, or a wait within the limit, is not failed")
  void shortWaitsAreAllowed() {
    OrchestrationCode code =
        (ctx, in) -> {
          ReentrantLock lock = new ReentrantLock();
          lock.lock();
          try {
            return "" + new CountDownLatch(1).await(1, TimeUnit.MILLISECONDS);
          } finally {
            lock.unlock();
          }
        };

    assertThat(Engine.of(code).options(IMPATIENT).started("in").turn().outcome())
        .isEqualTo(new TurnOutcome.Completed("false"));
  }
}
