package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityRouting;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** DEL: deleting one instance, and what must not come back. */
public abstract class DeletionTck extends LifecycleSteps {
  /** For subclasses. */
  protected DeletionTck() {}

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-01 finished instances are deleted without force")
  void finished() {
    createCompleted("completed");
    create("failed");
    fail("failed");
    create("cancelled");
    change("cancelled", new EventKind.OrchestrationCancelRequested("no longer needed"));
    fail("cancelled");
    for (String instance : List.of("completed", "failed", "cancelled")) {
      DeleteResult result = admin().deleteInstance(instance, false);
      assertThat(result.instancesDeleted()).isEqualTo(1);
      assertThat(result.executionsDeleted()).isPositive();
      assertThat(result.eventsDeleted()).isPositive();
      gone(instance);
    }
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-02 a running instance is deleted only by force")
  void running() {
    create("x");
    ProviderException refused = failure(() -> admin().deleteInstance("x", false));
    assertThat(refused.kind()).isEqualTo(Kind.STILL_RUNNING);
    assertThat(refused.retryable()).isFalse();
    assertThat(refused).hasMessageContaining("running");
    exists("x");
    assertThat(admin().deleteInstance("x", true).instancesDeleted()).isEqualTo(1);
    gone("x");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-03 an unknown instance cannot be deleted")
  void unknown() {
    ProviderException refused = failure(() -> admin().deleteInstance("nobody", false));
    assertThat(refused.kind()).isEqualTo(Kind.NOT_FOUND);
    assertThat(refused).hasMessageContaining("not found");
    fails(Kind.NOT_FOUND, () -> admin().deleteInstance("nobody", true));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-04 deletion empties the queues, and the id can be used again")
  void reusable() {
    createWith("x", List.of(Items.activity("x", 1)));
    complete("x");
    assertThat(admin().deleteInstance("x", false).queueMessagesDeleted()).isPositive();
    noWork();
    start("x");
    ack(
        fetched("x"),
        TurnCommit.events(
            1,
            List.of(Events.started(new ExecutionKey("x", 1))),
            ExecutionMetadata.started("OtherOrch", "2.0.0")));
    assertThat(admin().instanceInfo("x").orchestration().name()).isEqualTo("OtherOrch");
    assertThat(admin().instanceInfo("x").orchestration().version()).isEqualTo("2.0.0");
    assertThat(provider.read("x")).hasSize(1);
    noWork();
    nothingToFetch();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-06 a turn in flight cannot bring a deleted instance back")
  void turnInFlight() {
    create("x");
    poke("x");
    LockedOrchestration locked = fetched("x");
    admin().deleteInstance("x", true);
    lost(() -> ack(locked, next(locked, new EventKind.OrchestrationCompleted("late"), identity())));
    gone("x");
    assertThat(provider.read("x")).isEmpty();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-13 an instance created again never sees a result of the old one")
  void staleResult() {
    createWith("x", List.of(Items.activity("x", 1)));
    LockedWork stale = work(1);
    admin().deleteInstance("x", true);
    create("x");
    lost(() -> provider.ackWorkItem(stale.lockToken(), Items.completed("x", 1)));
    nothingToFetch();
    assertThat(provider.read("x")).hasSize(1);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-15 an instance between two executions is still running")
  void betweenExecutions() {
    create("x");
    endForContinue("x");
    enqueue(Items.continueAsNew("x"));
    fails(Kind.STILL_RUNNING, () -> admin().deleteInstance("x", false));
    fails(Kind.STILL_RUNNING, () -> admin().deleteInstancesAtomic(List.of("x"), false));
    LockedOrchestration locked = fetched("x");
    assertThat(messages(locked)).containsExactly(Items.continueAsNew("x"));
    ack(locked, firstTurn(new ExecutionKey("x", 2)));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-20 an activity in flight loses its lock with its instance")
  void activityInFlight() {
    createWith("x", List.of(Items.activity("x", 1)));
    LockedWork locked = work(1);
    admin().deleteInstance("x", true);
    lost(() -> provider.renewWorkItemLock(locked.lockToken(), LOCK));
    lost(() -> provider.ackWorkItem(locked.lockToken(), Items.completed("x", 1)));
    assertThat(admin().queueDepths().orchestrator().ready()).isZero();
    noWork();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-21 an instance created again starts from nothing")
  void createdAgain() {
    create("x");
    change(
        "x",
        new EventKind.KeyValueSet("k", "v", Events.STAMP.at()),
        new EventKind.CustomStatusUpdated("half"));
    continueAsNew("x", 2);
    complete("x");
    admin().deleteInstance("x", false);
    create("x");
    assertThat(provider.kvAllValues("x")).isEmpty();
    assertThat(provider.customStatus("x", 0)).isEmpty();
    assertThat(present(provider.status("x")).customStatus().version()).isZero();
    assertThat(admin().listExecutions("x")).containsExactly(1L);
    assertThat(present(provider.instanceStats("x")).historyEventCount()).isEqualTo(1);
    assertThat(present(provider.instanceStats("x")).kvUserKeyCount()).isZero();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-24 the result counts every row")
  void exactCounts() {
    create("other");
    create("x");
    continueAsNew("x", 2);
    complete("x");
    poke("x");
    poke("x");
    enqueue(Items.timer("x", 5, now().plus(Duration.ofDays(1))));
    act("x", 1);
    act("x", 2);
    work(1);
    assertThat(admin().deleteInstance("x", false)).isEqualTo(new DeleteResult(1, 2, 4, 5));
    exists("other");
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-25 a session outlives the instance that used it")
  void session() {
    createWith("x", List.of(bound("x", 1)));
    present(takeAs("A", timeout()));
    admin().deleteInstance("x", true);
    provider.enqueueForWorker(bound("y", 2));
    assertThat(takeAs("B", LOCK)).isEmpty();
    LockedWork next = present(takeAs("A", timeout()));
    assertThat(next.key()).isEqualTo(key("y", 2));
    provider.ackWorkItem(next.lockToken(), null);
    assertThat(provider.cleanupOrphanedSessions(LOCK)).isZero();
    letLocksExpire();
    assertThat(provider.cleanupOrphanedSessions(LOCK)).isEqualTo(1);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-DEL-27 a pending timer dies with its instance")
  void pendingTimer() {
    start("x");
    WorkItem timer = Items.timer("x", 2, now().plus(timeout()));
    ack(fetched("x"), firstTurn("x").withOrchestratorItems(List.of(timer)));
    admin().deleteInstance("x", true);
    create("x");
    letLocksExpire();
    nothingToFetch();
    assertThat(admin().queueDepths().orchestrator().delayed()).isZero();
  }

  private static WorkItem.ActivityExecute bound(String instance, long id) {
    return Items.activity(key(instance, id), new ActivityRouting("s1", null));
  }

  private Optional<LockedWork> takeAs(String owner, Duration lease) {
    SessionFetchConfig session = new SessionFetchConfig(owner, lease);
    return wfetch(provider, WorkFetch.of(LOCK, Duration.ZERO).withSession(session));
  }
}
