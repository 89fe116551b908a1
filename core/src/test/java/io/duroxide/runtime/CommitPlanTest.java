package io.duroxide.runtime;

import static io.duroxide.runtime.Turns.ORDER_7;
import static io.duroxide.runtime.Turns.PARENT;
import static io.duroxide.runtime.Turns.cancel;
import static io.duroxide.runtime.Turns.go;
import static io.duroxide.runtime.Turns.linkTo;
import static io.duroxide.runtime.Turns.queued;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.duroxide.api.ChildOptions;
import io.duroxide.api.ContinueOptions;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.Limits;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.CarriedEvent;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.Inheritance;
import io.duroxide.model.Semver;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.TurnCommit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;

class CommitPlanTest {

  /** What one turn asked for and what of it goes out. */
  @Nested
  class Dispatch {
    private static final Class<WorkItem.StartOrchestration> START =
        WorkItem.StartOrchestration.class;

    @Test
    @DisplayName("RE-009 a child asked for before continue-as-new is recorded, never started")
    void childThenContinueAsNew() {
      TurnCommit commit =
          Turns.first((ctx, in) -> {
            ctx.callOrchestration("Ship", "7", ChildOptions.defaults());
            return ctx.continueAsNew("next");
          });

      assertThat(Turns.kinds(commit))
          .endsWith(
              new EventKind.SubOrchestrationScheduled("Ship", "sub::2", "7"),
              new EventKind.SubOrchestrationCancelRequested(
                  "orchestration_terminal_continued_as_new"),
              new EventKind.OrchestrationContinuedAsNew("next"));
      assertThat(commit.orchestratorItems())
          .containsExactly(
              new WorkItem.ContinueAsNew(
                  ORDER_7, "Order", "next", null, null, Inheritance.NOTHING, null));
    }

    @Test
    @DisplayName("RE-010 three activities nobody awaits: three decisions, none dispatched")
    void unawaitedActivities() {
      TurnCommit commit =
          Turns.first((ctx, in) -> {
            ctx.callActivity("A", "1");
            ctx.callActivity("B", "2");
            ctx.callActivity("C", "3");
            return "done";
          });

      assertThat(Turns.kinds(commit).subList(1, 4))
          .containsExactly(
              new EventKind.ActivityScheduled("A", "1", null, null),
              new EventKind.ActivityScheduled("B", "2", null, null),
              new EventKind.ActivityScheduled("C", "3", null, null));
      assertThat(Turns.decisions(commit))
          .containsExactly(
              "ActivityCancelRequested 2 orchestration_terminal_completed",
              "ActivityCancelRequested 3 orchestration_terminal_completed",
              "ActivityCancelRequested 4 orchestration_terminal_completed");
      assertThat(commit.workerItems()).isEmpty();
      assertThat(commit.orchestratorItems()).isEmpty();
    }

    @Test
    @DisplayName("an activity was asked for when its event was recorded, not when that was planned")
    void askedFor() {
      TurnCommit commit =
          Turns.of((ctx, in) -> ctx.callActivity("A", "1").await())
              .plannedAt(Turns.NOON.plusMillis(1))
              .turn();

      assertThat(commit.workerItems())
          .extracting(item -> ((WorkItem.ActivityExecute) item).origin().at())
          .containsExactly(Turns.NOON);
    }

    @Test
    @DisplayName("RE-011 a detached start before the return is dispatched, without a parent")
    void detachedThenReturn() {
      TurnCommit commit =
          Turns.first((ctx, in) -> {
            ctx.startDetached("Mail", "hi", ChildOptions.instanceId("mail-7").withVersion("2.1.0"));
            return "done";
          });

      assertThat(Turns.kinds(commit))
          .endsWith(
              new EventKind.OrchestrationChained("Mail", "mail-7", "hi"),
              new EventKind.OrchestrationCompleted("done"));
      assertThat(commit.orchestratorItems())
          .containsExactly(WorkItem.StartOrchestration.detached("mail-7", "Mail", "hi", "2.1.0"));
    }

    @Test
    @DisplayName("RE-066 generated child ids carry the parent's id and, later, its execution")
    void generatedIds() {
      assertThat(Turns.sent(Turns.first(Dispatch::askTwice), START))
          .containsExactly(
              new WorkItem.StartOrchestration("order-7::sub::2", "Ship", "1", null, linkTo(2)),
              new WorkItem.StartOrchestration("order-7::sub::3", "Ship", "2", null, linkTo(3)));
      assertThat(Turns.sent(Turns.of(Dispatch::askTwice).continued(null).turn(), START))
          .extracting(WorkItem.StartOrchestration::instance, start -> start.parent().executionId())
          .containsExactly(tuple("order-7::sub::2_2", 2L), tuple("order-7::sub::2_3", 2L));
    }

    private static String askTwice(OrchestrationContext ctx, String input) {
      var first = ctx.callOrchestration("Ship", "1", ChildOptions.defaults());
      ctx.callOrchestration("Ship", "2", ChildOptions.defaults());
      return first.await();
    }

    @Test
    @DisplayName("RE-067 an explicit child id is dispatched as it is, with its version")
    void explicitId() {
      TurnCommit commit =
          Turns.first((ctx, in) ->
              ctx.callOrchestration(
                      "Ship", "7", ChildOptions.instanceId("ship-7").withVersion("2.0.0"))
                  .await());

      assertThat(commit.orchestratorItems())
          .containsExactly(
              new WorkItem.StartOrchestration("ship-7", "Ship", "7", "2.0.0", linkTo(2)));
    }

    @Test
    @DisplayName("RE-068 a cancel goes to the child id that was recorded")
    void recordedId() {
      TurnCommit commit =
          Turns.of(
                  (ctx, in) -> {
                    ctx.callOrchestration("Ship", "7", ChildOptions.instanceId("renamed"));
                    ctx.waitForEvent("go").await();
                    return "done";
                  })
              .recorded(
                  new EventKind.SubOrchestrationScheduled("Ship", "sub::77", "7"),
                  new EventKind.ExternalSubscribed("go"))
              .turn(go());

      assertThat(commit.orchestratorItems())
          .containsExactly(
              new WorkItem.CancelInstance("order-7::sub::77", "parent completed", linkTo(2)));
    }

    @Test
    @DisplayName("RE-069 a child id that looks generated is refused and nothing is dispatched")
    void reservedIds() {
      for (String id : List.of("sub::9", "other::sub::9")) {
        TurnCommit commit =
            Turns.first((ctx, in) ->
                ctx.callOrchestration("Ship", "7", ChildOptions.instanceId(id)).await());

        assertThat(commit.historyDelta()).hasSize(2);
        assertThat(commit.metadata().status()).isEqualTo(ExecutionStatus.FAILED);
        assertThat(commit.metadata().output()).contains("'" + id + "' is reserved");
        assertThat(commit.orchestratorItems()).isEmpty();
      }
    }

    @Test
    @DisplayName("RE-175 asked for and given up in one turn: recorded, neither sent nor cancelled")
    void abandonedAtOnce() {
      TurnCommit commit =
          Turns.first((ctx, in) -> {
            ctx.callActivity("Charge", "1").cancel();
            ctx.callOrchestration("Ship", "2", ChildOptions.defaults()).cancel();
            ctx.callActivity("Charge", "3");
            return ctx.callOrchestration("Ship", "4", ChildOptions.defaults()).await();
          });

      assertThat(Turns.decisions(commit))
          .containsExactly(
              "ActivityCancelRequested 2 dropped_future",
              "SubOrchestrationCancelRequested 3 dropped_future");
      assertThat(commit.workerItems())
          .extracting(item -> ((WorkItem.ActivityExecute) item).key().activityId())
          .containsExactly(4L);
      assertThat(commit.orchestratorItems())
          .containsExactly(
              new WorkItem.StartOrchestration("order-7::sub::5", "Ship", "4", null, linkTo(5)));
    }

    @Test
    @DisplayName("RE-175 asked for and given up in the last turn: one decision each, no cancel")
    void abandonedInTheLastTurn() {
      TurnCommit commit =
          Turns.first((ctx, in) -> {
            ctx.callActivity("Charge", "1").cancel();
            ctx.callOrchestration("Ship", "2", ChildOptions.defaults()).cancel();
            return "done";
          });

      assertThat(Turns.decisions(commit))
          .containsExactly(
              "ActivityCancelRequested 2 dropped_future",
              "SubOrchestrationCancelRequested 3 dropped_future");
      assertThat(commit.workerItems()).isEmpty();
      assertThat(commit.orchestratorItems()).isEmpty();
    }

    @Test
    @DisplayName("RE-175 given up a turn later: the activity is removed, the child told, once")
    void abandonedLater() {
      Turns turns =
          Turns.of((ctx, in) -> {
            DurableFuture<String> activity = ctx.callActivity("Charge", "1");
            var child = ctx.callOrchestration("Ship", "2", ChildOptions.defaults());
            ctx.waitForEvent("go").await();
            activity.cancel();
            child.cancel();
            ctx.waitForEvent("go").await();
            return "done";
          });
      turns.turn();
      TurnCommit second = turns.turn(go());
      TurnCommit last = turns.turn(go());

      assertThat(Turns.removed(second)).containsExactly(2L);
      assertThat(second.orchestratorItems())
          .containsExactly(
              new WorkItem.CancelInstance(
                  "order-7::sub::3", "parent dropped sub-orchestration future", linkTo(3)));
      assertThat(Turns.decisions(last)).isEmpty();
      assertThat(last.cancelledActivities()).isEmpty();
      assertThat(last.orchestratorItems()).isEmpty();
    }
  }

  @Test
  @DisplayName("RE-232 in flight is what was scheduled, also now, minus completed and decided")
  void inFlight() {
    TurnCommit commit =
        Turns.of(
                (ctx, in) -> {
                  ctx.callActivity("A", "done");
                  ctx.callActivity("A", "failed");
                  ctx.callActivity("A", "given up").cancel();
                  ctx.callActivity("A", "open");
                  ctx.waitForEvent("go").await();
                  ctx.callActivity("A", "new");
                  ctx.callActivity("A", "new and given up").cancel();
                  return "done";
                })
            .recorded(
                new EventKind.ActivityScheduled("A", "done", null, null),
                new EventKind.ActivityScheduled("A", "failed", null, null),
                new EventKind.ActivityScheduled("A", "given up", null, null),
                new EventKind.ActivityScheduled("A", "open", null, null),
                new EventKind.ExternalSubscribed("go"))
            .answered(2, new EventKind.ActivityCompleted("ok"))
            .answered(
                3,
                new EventKind.ActivityFailed(
                    new ErrorDetails.Application(ApplicationErrorKind.ACTIVITY_FAILED, "no")))
            .answered(4, new EventKind.ActivityCancelRequested("dropped_future"))
            .turn(go());

    assertThat(Turns.decisions(commit))
        .containsExactly(
            "ActivityCancelRequested 12 dropped_future",
            "ActivityCancelRequested 5 orchestration_terminal_completed",
            "ActivityCancelRequested 11 orchestration_terminal_completed");
    assertThat(Turns.removed(commit)).containsExactly(5L, 11L, 12L);
  }

  @Test
  @DisplayName("RE-232 an activity whose outcome arrives in the last turn is not in flight")
  void completedNow() {
    Turns turns =
        Turns.of((ctx, in) -> {
          ctx.callActivity("A", "late");
          return ctx.waitForEvent("go").await();
        });
    turns.turn();
    TurnCommit commit = turns.turn(new WorkItem.ActivityCompleted(ORDER_7, 1, 2, "ok"), go());

    assertThat(Turns.decisions(commit)).isEmpty();
    assertThat(commit.cancelledActivities()).isEmpty();
  }

  /** What a parent hears. */
  @Nested
  class Notices {
    @Test
    @DisplayName("RE-233 completion is told to the execution of the parent that asked")
    void completion() {
      assertThat(Turns.of((ctx, in) -> "out").child().turn().orchestratorItems())
          .containsExactly(
              new WorkItem.SubOrchCompleted(
                  PARENT.instance(), PARENT.executionId(), PARENT.scheduleId(), "out"));
    }

    @Test
    @DisplayName("RE-233 a failure is told with its details, as they are stored")
    void failure() {
      TurnCommit commit =
          Turns.of(
                  (ctx, in) -> {
                    throw new OrchestrationFailure("sold out");
                  })
              .child()
              .turn();

      var terminal = (EventKind.OrchestrationFailed) commit.historyDelta().getLast().kind();
      assertThat(commit.orchestratorItems())
          .containsExactly(new WorkItem.SubOrchFailed("boss", 3, 9, terminal.details()));
    }

    @Test
    @DisplayName("RE-233 a cancellation is told as a failure with its reason")
    void cancellation() {
      assertThat(Turns.of((ctx, in) -> "out").child().turn(cancel()).orchestratorItems())
          .containsExactly(
              new WorkItem.SubOrchFailed(
                  "boss",
                  3,
                  9,
                  new ErrorDetails.Application(
                      new ApplicationErrorKind.Cancelled("no longer needed"), "")));
    }

    @Test
    @DisplayName("RE-233 continue-as-new tells nothing and hands the link on")
    void continueAsNew() {
      TurnCommit commit = Turns.of((ctx, in) -> ctx.continueAsNew("n")).child().turn();

      assertThat(commit.orchestratorItems())
          .singleElement()
          .isInstanceOfSatisfying(
              WorkItem.ContinueAsNew.class, next -> assertThat(next.parent()).isEqualTo(PARENT));
      assertThat(Turns.of((ctx, in) -> "out").child().continued(null).turn().orchestratorItems())
          .containsExactly(new WorkItem.SubOrchCompleted("boss", 3, 9, "out"));
    }

    @Test
    @DisplayName("RE-233 nobody is told while the child waits, and a root tells nobody")
    void nobody() {
      assertThat(
              Turns.of((ctx, in) -> ctx.waitForEvent("go").await())
                  .child()
                  .turn()
                  .orchestratorItems())
          .isEmpty();
      assertThat(Turns.first((ctx, in) -> "out").orchestratorItems()).isEmpty();
    }
  }

  /** What the store notes beside the history. */
  @Nested
  class Metadata {
    private static final ExecutionMetadata BEGUN =
        ExecutionMetadata.started("Order", "1.0.0")
            .withPinnedVersion(Semver.of(0, 1, 0))
            .withCarryForwardCount(0);

    @Test
    @DisplayName("RE-234 name, version, parent and pin come with event 1, no status while running")
    void withTheFirstEvent() {
      TurnCommit commit = Turns.of((ctx, in) -> ctx.waitForEvent("go").await()).child().turn();

      assertThat(commit.metadata()).isEqualTo(BEGUN.withParent(PARENT));
    }

    @Test
    @DisplayName("RE-234 a later turn that goes on notes nothing")
    void whileRunning() {
      Turns turns =
          Turns.of((ctx, in) -> ctx.waitForEvent("a").await() + ctx.waitForEvent("b").await())
              .child();
      turns.turn();

      assertThat(turns.turn(new WorkItem.ExternalRaised(ORDER_7, "a", "x")).metadata())
          .isEqualTo(ExecutionMetadata.NONE);
      assertThat(turns.turn(new WorkItem.ExternalRaised(ORDER_7, "b", "y")).metadata())
          .isEqualTo(ExecutionMetadata.NONE.withStatus(ExecutionStatus.COMPLETED, "xy"));
    }

    @Test
    @DisplayName("RE-234 each end notes its status with result, error text or next input")
    void atTheEnd() {
      assertThat(Turns.first((ctx, in) -> "out").metadata())
          .isEqualTo(BEGUN.withStatus(ExecutionStatus.COMPLETED, "out"));
      assertThat(
              Turns.first(
                      (ctx, in) -> {
                        throw new OrchestrationFailure("sold out");
                      })
                  .metadata())
          .isEqualTo(BEGUN.withStatus(ExecutionStatus.FAILED, "sold out"));
      assertThat(Turns.first((ctx, in) -> "out", cancel()).metadata())
          .isEqualTo(BEGUN.withStatus(ExecutionStatus.FAILED, "canceled: no longer needed"));
      assertThat(Turns.first((ctx, in) -> ctx.continueAsNew("next")).metadata())
          .isEqualTo(BEGUN.withStatus(ExecutionStatus.CONTINUED_AS_NEW, "next"));
      assertThat(
              Turns.first(
                      (ctx, in) -> {
                        throw new IllegalStateException("a bug");
                      })
                  .metadata()
                  .output())
          .startsWith("orchestration panicked: ")
          .endsWith("a bug");
    }

    @Test
    @DisplayName("RE-234 the number of carried messages is noted with event 1")
    void carriedCount() {
      TurnCommit commit =
          Turns.of((ctx, in) -> ctx.waitForEvent("go").await())
              .continued(null, new CarriedEvent("q", "1"), new CarriedEvent("q", "2"))
              .turn(queued("q", "1"), queued("q", "2"));

      assertThat(commit.metadata()).isEqualTo(BEGUN.withCarryForwardCount(2));
    }
  }

  /** What the next execution inherits. */
  @Nested
  class CarryForward {
    private static WorkItem.ContinueAsNew next(TurnCommit commit) {
      return (WorkItem.ContinueAsNew) commit.orchestratorItems().getLast();
    }

    @Test
    @DisplayName("RE-229 a message behind the event that makes the code continue is carried")
    void behindTheTrigger() {
      Turns turns =
          Turns.of((ctx, in) -> {
            ctx.waitForEvent("go").await();
            return ctx.continueAsNew("next");
          });
      turns.turn();
      TurnCommit commit = turns.turn(queued("q", "before"), go(), queued("q", "behind"));

      assertThat(next(commit).inheritance().messages())
          .containsExactly(new CarriedEvent("q", "before"), new CarriedEvent("q", "behind"));
      assertThat(Turns.kinds(commit)).contains(new EventKind.QueueEventDelivered("q", "behind"));
    }

    @Test
    @DisplayName("RE-235 all unconsumed messages are carried in arrival order across queues")
    void order() {
      TurnCommit commit =
          Turns.first(
              (ctx, in) -> {
                ctx.dequeueEvent("b").await();
                return ctx.continueAsNew("next", ContinueOptions.version("2.0.0"));
              },
              queued("a", "1"),
              queued("b", "2"),
              queued("b", "3"),
              queued("a", "4"),
              queued("c", "5"));

      assertThat(next(commit))
          .isEqualTo(
              new WorkItem.ContinueAsNew(
                  ORDER_7,
                  "Order",
                  "next",
                  "2.0.0",
                  null,
                  new Inheritance(
                      List.of(
                          new CarriedEvent("a", "1"),
                          new CarriedEvent("b", "3"),
                          new CarriedEvent("a", "4"),
                          new CarriedEvent("c", "5")),
                      null,
                      null),
                  null));
    }

    private static WorkItem.ContinueAsNew carrying(int messages, Limits limits) {
      List<WorkItem> batch = new ArrayList<>();
      for (int i = 0; i < messages; i++) {
        batch.add(queued("q", "m" + i));
      }
      return next(
          Turns.of((ctx, in) -> ctx.continueAsNew("next"))
              .limits(limits)
              .turn(batch.toArray(WorkItem[]::new)));
    }

    @Test
    @DisplayName("RE-235 nothing is dropped by default, not even far beyond a hundred")
    void noCap() {
      assertThat(carrying(250, Limits.DEFAULT).inheritance().messages())
          .hasSize(250)
          .startsWith(new CarriedEvent("q", "m0"))
          .endsWith(new CarriedEvent("q", "m249"));
    }

    @Test
    @DisplayName("RE-235 a cap keeps the oldest: one below, at and one above it")
    void cap() {
      Limits three = Limits.DEFAULT.withCarriedMessages(3);
      List<CarriedEvent> oldest =
          List.of(
              new CarriedEvent("q", "m0"),
              new CarriedEvent("q", "m1"),
              new CarriedEvent("q", "m2"));

      assertThat(carrying(2, three).inheritance().messages()).isEqualTo(oldest.subList(0, 2));
      assertThat(carrying(3, three).inheritance().messages()).isEqualTo(oldest);
      assertThat(carrying(4, three).inheritance().messages()).isEqualTo(oldest);
    }

    @Test
    @DisplayName("RE-235 nothing to carry: no messages, no status")
    void nothing() {
      WorkItem.ContinueAsNew next = carrying(0, Limits.DEFAULT);

      assertThat(next.inheritance().messages()).isEmpty();
      assertThat(next.inheritance().customStatus()).isNull();
    }

    @Test
    @DisplayName("RE-235 the last status is carried, else the inherited one; none after a reset")
    void status() {
      assertThat(
              next(Turns.first((ctx, in) -> {
                ctx.setCustomStatus("one");
                ctx.setCustomStatus("two");
                return ctx.continueAsNew("next");
              }))
                  .inheritance()
                  .customStatus())
          .isEqualTo("two");
      assertThat(
              next(Turns.of((ctx, in) -> ctx.continueAsNew("next")).continued("old").turn())
                  .inheritance()
                  .customStatus())
          .isEqualTo("old");
      assertThat(
              next(Turns.of(
                          (ctx, in) -> {
                            ctx.resetCustomStatus();
                            return ctx.continueAsNew("next");
                          })
                      .continued("old")
                      .turn())
                  .inheritance()
                  .customStatus())
          .isNull();
    }

    @Test
    @DisplayName("RE-235 a status set in an earlier turn is carried too")
    void statusOfEarlierTurn() {
      Turns turns =
          Turns.of((ctx, in) -> {
            ctx.setCustomStatus("early");
            ctx.waitForEvent("go").await();
            return ctx.continueAsNew("next");
          });
      turns.turn();

      assertThat(next(turns.turn(go())).inheritance().customStatus()).isEqualTo("early");
    }

    @Test
    @DisplayName("RE-235 a message whose dequeue is given up in the very turn is carried")
    void abandonedInTheTurn() {
      Turns turns =
          Turns.of((ctx, in) -> {
            DurableFuture<String> message = ctx.dequeueEvent("q");
            ctx.waitForEvent("go").await();
            message.cancel();
            return ctx.continueAsNew("next");
          });
      turns.turn();

      assertThat(next(turns.turn(queued("q", "m"), go())).inheritance().messages())
          .containsExactly(new CarriedEvent("q", "m"));
    }

    @Test
    @DisplayName("RE-235 the loser of a select leaves its message to the next execution")
    void losingDequeue() {
      Turns turns =
          Turns.of((ctx, in) -> {
            ctx.select(ctx.waitForEvent("go"), ctx.dequeueEvent("q"));
            return ctx.continueAsNew("next");
          });
      turns.turn();

      assertThat(next(turns.turn(go(), queued("q", "m"))).inheritance().messages())
          .containsExactly(new CarriedEvent("q", "m"));
    }
  }
}
