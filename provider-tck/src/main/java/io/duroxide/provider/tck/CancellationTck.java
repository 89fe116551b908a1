package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CancelledActivities;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** CANCEL: cancelling an activity takes its entry away (7.7–7.9, 8.5). */
public abstract class CancellationTck extends ProviderTck {
  /** For subclasses. */
  protected CancellationTck() {}

  @Test
  @DisplayName("TCK-CANCEL-01 an activity of a running orchestration is fetched")
  void running() {
    createWith("x", activities(2));
    work(2);
  }

  @Test
  @DisplayName("TCK-CANCEL-02 an activity of a completed orchestration is fetched")
  void completed() {
    fetchedAfter(ExecutionStatus.COMPLETED);
  }

  @Test
  @DisplayName("TCK-CANCEL-03 an activity of a failed orchestration is fetched")
  void failed() {
    fetchedAfter(ExecutionStatus.FAILED);
  }

  @Test
  @DisplayName("TCK-CANCEL-04 an activity of a continued orchestration is fetched")
  void continued() {
    fetchedAfter(ExecutionStatus.CONTINUED_AS_NEW);
  }

  private void fetchedAfter(ExecutionStatus status) {
    start("x");
    ack(
        fetched("x"),
        TurnCommit.events(
                1, List.of(Events.started(first("x"))), identity().withStatus(status, "end"))
            .withWorkerItems(activities(2)));
    work(2);
  }

  @Test
  @DisplayName("TCK-CANCEL-05 an activity of an unknown instance is fetched")
  void unknownInstance() {
    act("x", 2);
    work(2);
  }

  @Test
  @DisplayName("TCK-CANCEL-06 an activity of a running orchestration is renewed")
  void renewRunning() {
    createWith("x", activities(2));
    provider.renewWorkItemLock(work(2).lockToken(), LOCK);
  }

  @Test
  @DisplayName("TCK-CANCEL-07 an activity of an orchestration that ended since is renewed")
  void renewEnded() {
    createWith("x", activities(2));
    LockedWork locked = work(2);
    complete("x");
    provider.renewWorkItemLock(locked.lockToken(), LOCK);
  }

  @Test
  @DisplayName("TCK-CANCEL-08 an activity of an unknown instance is renewed")
  void renewUnknownInstance() {
    act("x", 2);
    provider.renewWorkItemLock(work(2).lockToken(), LOCK);
  }

  @Test
  @DisplayName("TCK-CANCEL-09 a worker ack without an outcome only removes the activity")
  void ackNothing() {
    createWith("x", activities(2));

    provider.ackWorkItem(work(2).lockToken(), null);

    noWork();
    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-CANCEL-10 cancelled activities leave the queue")
  void cancelled() {
    createWith("x", activities(1, 2, 3));

    cancel("x", key(1), key(2));

    work(3);
    noWork();
  }

  @Test
  @DisplayName("TCK-CANCEL-11 an activity that is gone cannot be acked")
  void ackGone() {
    createWith("x", activities(2));
    LockedWork locked = work(2);
    provider.ackWorkItem(locked.lockToken(), null);

    lost(() -> provider.ackWorkItem(locked.lockToken(), Items.completed("x", 2)));

    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-CANCEL-12 an activity that is gone cannot be renewed")
  void renewGone() {
    createWith("x", activities(2));
    LockedWork locked = work(2);
    provider.ackWorkItem(locked.lockToken(), null);

    lost(() -> provider.renewWorkItemLock(locked.lockToken(), LOCK));
  }

  @Test
  @DisplayName("TCK-CANCEL-13 cancelling what does not exist is no error")
  void cancelUnknown() {
    create("x");

    cancel("x", key(999), key(1));

    noWork();
    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-CANCEL-14 one ack cancels many activities")
  void cancelMany() {
    createWith("x", activities(1, 2, 3, 4, 5));

    cancel("x", key(1), key(2), key(3), key(4), key(5));

    noWork();
  }

  @Test
  @DisplayName("TCK-CANCEL-15 an activity queued and cancelled in one ack never existed")
  void queuedAndCancelled() {
    create("x");
    poke("x");

    ack(
        fetched("x"),
        TurnCommit.nothing(1)
            .withWorkerItems(activities(2, 3))
            .withCancelledActivities(List.of(key(2))));

    work(3);
    noWork();
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-CANCEL-16 force-deleting an instance removes its activities")
  void deleted() {
    createWith("x", activities(2));

    admin().deleteInstance("x", true);

    fails(Kind.NOT_FOUND, () -> admin().instanceInfo("x"));
    noWork();
  }

  @Test
  @DisplayName("TCK-CANCEL-17 a worker learns of the cancellation and its outcome is not queued")
  void lockedAndCancelled() {
    createWith("x", activities(2));
    LockedWork locked = work(2);

    cancel("x", key(2));

    lost(() -> provider.renewWorkItemLock(locked.lockToken(), LOCK));
    lost(() -> provider.ackWorkItem(locked.lockToken(), Items.completed("x", 2)));
    lost(() -> provider.abandonWorkItem(locked.lockToken(), Duration.ZERO, false));
    nothingToFetch();
    noWork();
  }

  @Test
  @DisplayName("TCK-CANCEL-18 equal ids in other executions and instances are untouched")
  void exactMatch() {
    createWith("x", activities(2));
    act("y", 2);
    ActivityKey otherExecution = new ActivityKey("x", 2, 2);
    provider.enqueueForWorker(Items.activity(otherExecution, ActivityRouting.ANYWHERE));

    cancel("x", key(2));

    assertThat(work().key()).isEqualTo(new ActivityKey("y", 1, 2));
    assertThat(work().key()).isEqualTo(otherExecution);
    noWork();
  }

  @Test
  @DisplayName("TCK-CANCEL-19 1000 activities are cancelled in one ack")
  void cancelThousand() {
    long[] ids = LongStream.rangeClosed(1, 1000).toArray();
    createWith("x", activities(ids));

    cancel("x", Arrays.stream(ids).mapToObj(CancellationTck::key).toArray(ActivityKey[]::new));

    noWork();
  }

  @Test
  @DisplayName("TCK-CANCEL-20 of a worker ack and a cancelling ack exactly one wins")
  void ackOrCancel() {
    for (int round = 0; round < fixture().rounds(); round++) {
      String x = "x-" + round;
      createWith(x, List.of(Items.activity(x, 2)));
      poke(x);
      LockedOrchestration turn = fetched(x);
      LockedWork activity = work(2);
      TurnCommit cancelling =
          TurnCommit.nothing(1).withCancelledActivities(List.of(activity.key()));

      var outcomes =
          race()
              .together(
                  () -> provider.ackWorkItem(activity.lockToken(), Items.completed(x, 2)),
                  () -> ack(turn, cancelling));

      assertThat(outcomes.getLast().succeeded()).as("cancelling ack, round %d", round).isTrue();
      boolean completed = outcomes.getFirst().succeeded();
      assertThat(completed || outcomes.getFirst().failedWith(Kind.LOCK_LOST)).isTrue();
      Optional<LockedOrchestration> next = fetch();
      assertThat(next.isPresent()).as("outcome queued, round %d", round).isEqualTo(completed);
      next.ifPresent(this::drain);
      noWork();
    }
  }

  @Test
  @DisplayName("TCK-CANCEL-21 cancelling a session's activity leaves the session to its owner")
  void sessionStays() {
    create("x");
    ActivityRouting bound = new ActivityRouting("session", null);
    provider.enqueueForWorker(Items.activity(key(2), bound));
    assertThat(sessionFetch("owner")).isPresent();

    cancel("x", key(2));

    provider.enqueueForWorker(Items.activity(key(3), bound));
    assertThat(sessionFetch("other")).isEmpty();
    assertThat(sessionFetch("owner")).isPresent();
  }

  private Optional<LockedWork> sessionFetch(String owner) {
    return wfetch(
        provider,
        WorkFetch.of(LOCK, Duration.ZERO).withSession(new SessionFetchConfig(owner, LOCK)));
  }

  @Test
  @DisplayName("TCK-CANCEL-22 a cancelled identity can be queued again")
  void queuedAgain() {
    createWith("x", activities(2));
    cancel("x", key(2));
    noWork();

    act("x", 2);

    work(2);
  }

  @Test
  @DisplayName("TCK-CANCEL-23 an activity that waits for its delay can be cancelled")
  void hidden() {
    createWith("x", activities(2));
    provider.abandonWorkItem(work(2).lockToken(), Duration.ofMillis(200), false);

    cancel("x", key(2));

    advance(400);
    noWork();
  }

  @Test
  @DisplayName("TCK-CANCEL-60 an activity that a commit claims and cancels does not come back")
  void claimedAndCancelled() {
    create("x");
    poke("x");
    TurnCommit commit =
        TurnCommit.nothing(1)
            .withWorkerItems(activities(2, 3))
            .withCancelledActivities(List.of(key(2)));

    List<LockedWork> claimed =
        provider
            .commitTurn(
                new TurnSource.Fetched(fetched("x").lockToken()),
                commit,
                new WorkClaim(LOCK, Set.of(2L, 3L)))
            .orElseThrow()
            .claimed();

    assertThat(claimed).extracting(LockedWork::key).doesNotContain(key(2));
    if (claimed.isEmpty()) {
      work(3);
    }
    noWork();
  }

  @Test
  @DisplayName("TCK-CANCEL-61 a commit removes all activities of its execution, and no others")
  void wholeExecution() {
    createWith("x", activities(2, 3, 4));
    createWith("other", List.of(Items.activity("other", 2)));
    LockedWork running = work(2);
    provider.abandonWorkItem(work(3).lockToken(), Duration.ofMinutes(1), false);
    ActivityKey later = new ActivityKey("x", 2, 2);
    provider.enqueueForWorker(Items.activity(later, ActivityRouting.ANYWHERE));

    poke("x");
    ack(
        fetched("x"),
        TurnCommit.nothing(1)
            .withWorkerItems(activities(5))
            .withCancelled(CancelledActivities.WHOLE_EXECUTION));

    lost(() -> provider.renewWorkItemLock(running.lockToken(), LOCK));
    advance(Duration.ofMinutes(2));
    assertThat(List.of(work().key(), work().key()))
        .containsExactlyInAnyOrder(new ActivityKey("other", 1, 2), later);
    noWork();
  }

  private static ActivityKey key(long id) {
    return new ActivityKey("x", 1, id);
  }

  private static List<WorkItem> activities(long... ids) {
    return Arrays.stream(ids).<WorkItem>mapToObj(id -> Items.activity("x", id)).toList();
  }

  /** A turn that cancels these. */
  private void cancel(String instance, ActivityKey... activities) {
    poke(instance);
    ack(fetched(instance), TurnCommit.nothing(1).withCancelledActivities(List.of(activities)));
  }
}
