package io.duroxide.replay;

import static io.duroxide.replay.Facts.activityDone;
import static io.duroxide.replay.Facts.raised;
import static io.duroxide.replay.Facts.timerDue;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.duroxide.api.DurableFuture;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.model.EventKind;
import io.duroxide.replay.TurnOutcome.Completed;
import io.duroxide.replay.TurnOutcome.Continue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** Threads of orchestration code: who may use the context, and how unwanted code ends. */
class UnwindingTest {
  private static final Duration SOON = Duration.ofSeconds(5);

  private static void everything(OrchestrationContext ctx) {
    ctx.callActivity("Ghost", "");
    ctx.timer(SOON);
    ctx.waitForEvent("ghost").cancel();
    ctx.dequeueEvent("ghost");
    ctx.kv().putText("ghost", "1");
    ctx.kv().clearAll();
    ctx.setCustomStatus("ghost");
    ctx.resetCustomStatus();
  }

  @Test
  @DisplayName("the context used on a foreign thread says so, and emits nothing")
  void foreignThread() {
    OrchestrationCode code =
        (ctx, in) -> {
          AtomicReference<Throwable> thrown = new AtomicReference<>();
          Thread foreign =
              Thread.ofPlatform()
                  .name("stranger")
                  .uncaughtExceptionHandler((thread, e) -> thrown.set(e))
                  .start(() -> ctx.callActivity("A", ""));
          foreign.join();
          return thrown.get().toString();
        };
    TurnResult result = Engine.fresh(code);

    assertThat(((Completed) result.outcome()).output())
        .contains(
            "IllegalStateException",
            "order-7/1: the context was used on thread 'stranger'",
            "ctx.async");
    assertThat(result.delta()).isEmpty();
  }

  @Test
  @DisplayName("a future awaited on a foreign thread or after the turn says so too")
  void foreignAwait() {
    AtomicReference<DurableFuture<String>> leaked = new AtomicReference<>();
    Engine engine =
        Engine.of(
                (ctx, in) -> {
                  leaked.set(ctx.callActivity("A", ""));
                  return leaked.get().await();
                })
            .started("in");
    engine.turn();

    assertThatThrownBy(() -> leaked.get().await())
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("must stay on its own thread");
    assertThat(engine.turn(activityDone(2, "ok")).outcome()).isEqualTo(new Completed("ok"));
  }

  @Test
  @DisplayName(
      "catch (Throwable) around an await disturbs nothing when a parked execution is rebuilt")
  void swallowedByTheRoot() {
    OrchestrationCode code =
        (ctx, in) -> {
          String got = "nothing";
          for (int i = 0; i < 3; i++) {
            try {
              got = ctx.waitForEvent("go").await();
            } catch (Throwable swallowed) {
              everything(ctx);
            }
          }
          return got;
        };
    Twin twin = Twin.started(code);
    twin.turn();
    twin.turn(raised("go", "1"));
    twin.turn(raised("go", "2"));

    TurnResult result = twin.turn(raised("go", "3"));

    assertThat(result.outcome()).isEqualTo(new Completed("3"));
    assertThat(twin.recorded()).hasSize(1 + 6);
  }

  @Test
  @DisplayName("catch (Throwable) does not hold up a continue-as-new")
  void swallowedContinueAsNew() {
    OrchestrationCode code =
        (ctx, in) -> {
          try {
            return ctx.continueAsNew("next");
          } catch (Throwable swallowed) {
            everything(ctx);
            return "swallowed";
          }
        };
    TurnResult result = Engine.fresh(code);

    assertThat(result.outcome()).isEqualTo(new TurnOutcome.ContinueAsNew("next", null, null));
    assertThat(result.delta()).isEmpty();
  }

  @Test
  @DisplayName("catch (Throwable) in a losing branch does not bring it back")
  void swallowedByALoser() {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<String> loser =
              ctx.async(b -> {
                while (true) {
                  try {
                    b.callActivity("A", "").await();
                  } catch (Throwable swallowed) {
                    everything(b);
                    return "survived";
                  }
                }
              });
          int winner = ctx.select(List.of(loser, ctx.timer(SOON))).index();
          return winner + ctx.waitForEvent("go").await();
        };
    Twin twin = Twin.started(code);
    twin.turn();
    TurnResult lost = twin.turn(timerDue(3));

    assertThat(Engine.kinds(lost))
        .containsExactly(
            new EventKind.TimerFired(Facts.NOON),
            new EventKind.ExternalSubscribed("go"),
            new EventKind.ActivityCancelRequested(Decisions.DROPPED));
    assertThat(twin.turn(raised("go", "x")).outcome()).isEqualTo(new Completed("1x"));
  }

  @Test
  @DisplayName("code that swallows every unwind for ever is parked, the engine goes on")
  void swallowsForEver() {
    OrchestrationCode code =
        (ctx, in) -> {
          while (true) {
            try {
              ctx.waitForEvent("go").await();
            } catch (Error swallowed) {
              ctx.setCustomStatus("still here");
            }
          }
        };
    Engine engine = Engine.of(code).started("in").rebuildEachTurn();
    engine.turn();

    assertThat(engine.turn(raised("go", "")).outcome()).isEqualTo(new Continue());
    assertThat(engine.recorded()).hasSize(4);
    engine.close();
  }

  @Test
  @DisplayName("finally blocks that use the context while unwound have no effect")
  void finallyWhileUnwound() {
    OrchestrationCode code =
        (ctx, in) -> {
          DurableFuture<String> loser =
              ctx.async(b -> {
                try {
                  return b.callActivity("A", "").await();
                } finally {
                  everything(b);
                  b.callActivity("Undo", "").await();
                  everything(b);
                }
              });
          ctx.select(List.of(loser, ctx.timer(SOON)));
          return ctx.kv().all() + ctx.customStatus().orElse("-");
        };
    Twin twin = Twin.started(code);
    twin.turn();

    TurnResult result = twin.turn(timerDue(3));

    assertThat(result.outcome()).isEqualTo(new Completed("{}-"));
    assertThat(result.delta()).hasSize(2);
  }

  @Test
  @DisplayName("discard ends every thread of an execution, its finally blocks included")
  void discardLeavesNoThread() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    List<String> ended = new ArrayList<>();
    OrchestrationCode code =
        (ctx, in) -> {
          threads.add(Thread.currentThread());
          try {
            for (String name : List.of("A", "B")) {
              ctx.async(b -> {
                threads.add(Thread.currentThread());
                try {
                  return b.callActivity(name, "").await();
                } finally {
                  ended.add(name);
                }
              });
            }
            return ctx.waitForEvent("go").await();
          } finally {
            ended.add("root");
          }
        };
    Engine engine = Engine.of(code).started("in");
    engine.turn();
    assertThat(threads).hasSize(3).allMatch(Thread::isVirtual).allMatch(Thread::isAlive);

    engine.close();

    assertThat(ended).containsExactly("B", "A", "root");
    for (Thread thread : threads) {
      assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
    }
  }

  @Test
  @DisplayName("an execution that completes leaves no thread either, nor does one that fails")
  void endLeavesNoThread() throws InterruptedException {
    List<Thread> threads = new ArrayList<>();
    OrchestrationCode code =
        (ctx, in) -> {
          threads.add(Thread.currentThread());
          ctx.async(b -> {
            threads.add(Thread.currentThread());
            return b.callActivity("Open", "").await();
          });
          if (in.equals("fail")) {
            throw new IllegalStateException("broken");
          }
          return "done";
        };
    Engine.of(code).started("ok").turn();
    Engine.of(code).started("fail").turn();

    assertThat(threads).hasSize(4);
    for (Thread thread : threads) {
      assertThat(thread.join(Duration.ofSeconds(10))).isTrue();
    }
  }
}
