package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.SystemMetrics;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * STEP: claimed activities, outcomes committed together with their turn, and instances with their
 * first turn.
 *
 * <p>A provider need not offer any: it may claim nothing and answer every step and every start with
 * empty. What it does say must be so.
 */
public abstract class StepTck extends ProviderTck {
  /** For subclasses. */
  protected StepTck() {}

  /** The turn after activity 2: its outcome as event 3, then whatever else. */
  private static TurnCommit afterTwo(String instance, List<Event> more) {
    Event outcome = Events.completed(first(instance), 3, 2);
    List<Event> events = new ArrayList<>(List.of(outcome));
    events.addAll(more);
    return TurnCommit.events(1, events, ExecutionMetadata.NONE);
  }

  private static TurnCommit twoThenFour(String instance) {
    return afterTwo(instance, List.of(Events.scheduled(first(instance), 4)))
        .withWorkerItems(List.of(Items.activity(instance, 4)));
  }

  private Optional<CommittedTurn> step(LockedWork work, CachedHistory.Tip tip, TurnCommit turn) {
    return provider.commitTurn(
        new TurnSource.AfterActivity(work.lockToken(), first(work.key().instance()), tip),
        turn,
        new WorkClaim(LOCK, Set.of(4L)));
  }

  @Test
  @DisplayName("TCK-STEP-01 a claimed activity comes back locked or is in the queue, never both")
  void claim() {
    start("x");
    List<LockedWork> claimed =
        provider
            .commitTurn(
                new TurnSource.Fetched(fetched("x").lockToken()),
                firstTurn("x")
                    .withWorkerItems(List.of(Items.activity("x", 2), Items.activity("x", 3))),
                new WorkClaim(LOCK, Set.of(2L)))
            .orElseThrow()
            .claimed();

    assertThat(claimed).hasSizeLessThanOrEqualTo(1);
    if (claimed.isEmpty()) {
      work(2);
    } else {
      LockedWork mine = claimed.getFirst();
      assertThat(mine.item()).isEqualTo(Items.activity("x", 2));
      assertThat(mine.attemptCount()).isEqualTo(1);
      provider.renewWorkItemLock(mine.lockToken(), LOCK);
      provider.ackWorkItem(mine.lockToken(), Items.completed("x", 2));
      assertThat(messages(fetched("x"))).containsExactly(Items.completed("x", 2));
    }
    work(3);
    noWork();
  }

  @Test
  @DisplayName(
      "TCK-STEP-02 a claimed activity whose lock ends is fetched by anyone, as a second attempt")
  void claimExpires() {
    start("x");
    List<LockedWork> claimed =
        provider
            .commitTurn(
                new TurnSource.Fetched(fetched("x").lockToken()),
                firstTurn("x").withWorkerItems(List.of(Items.activity("x", 2))),
                new WorkClaim(timeout(), Set.of(2L)))
            .orElseThrow()
            .claimed();
    letLocksExpire();

    assertThat(work(2).attemptCount()).isEqualTo(claimed.size() + 1);
    claimed.forEach(mine -> lost(() -> provider.ackWorkItem(mine.lockToken(), null)));
  }

  @Test
  @DisplayName("TCK-STEP-03 a step leaves what an outcome and its turn leave")
  void step() {
    CachedHistory.Tip tip = waiting("x");
    LockedWork work = work(2);

    Optional<CommittedTurn> committed = step(work, tip, twoThenFour("x"));

    if (committed.isEmpty()) {
      assertThat(provider.read("x")).hasSize(2);
      provider.ackWorkItem(work.lockToken(), Items.completed("x", 2));
      return;
    }
    assertThat(provider.read("x")).extracting(Event::id).containsExactly(1L, 2L, 3L, 4L);
    nothingToFetch();
    lost(() -> provider.ackWorkItem(work.lockToken(), null));
    List<LockedWork> claimed = committed.get().claimed();
    LockedWork next = claimed.isEmpty() ? work(4) : claimed.getFirst();
    assertThat(next.key().activityId()).isEqualTo(4);
    noWork();
    provider.ackWorkItem(next.lockToken(), Items.completed("x", 4));
    assertThat(fetched("x").attemptCount()).isEqualTo(1);
  }

  @Test
  @DisplayName("TCK-STEP-04 a step may end its orchestration")
  void stepEnds() {
    CachedHistory.Tip tip = waiting("x");
    Event end = Events.of(first("x"), 4, new EventKind.OrchestrationCompleted("done"));
    TurnCommit turn =
        TurnCommit.events(
            1,
            afterTwo("x", List.of(end)).historyDelta(),
            ExecutionMetadata.NONE.withStatus(ExecutionStatus.COMPLETED, "done"));

    boolean committed = step(work(2), tip, turn).isPresent();

    assertThat(present(provider.status("x")).status())
        .isEqualTo(committed ? ExecutionStatus.COMPLETED : ExecutionStatus.RUNNING);
  }

  @Test
  @DisplayName("TCK-STEP-05 a step does not overtake a visible message")
  void messageWaits() {
    CachedHistory.Tip tip = waiting("x");
    LockedWork work = work(2);
    poke("x");

    refused(work, tip);
    assertThat(messages(fetched("x"))).hasSize(1);
  }

  @Test
  @DisplayName("TCK-STEP-06 a step does not wait for a hidden message")
  void messageSleeps() {
    CachedHistory.Tip tip = waiting("x");
    enqueue(Items.raised("x", "later"), Duration.ofMinutes(1));

    step(work(2), tip, twoThenFour("x"));
    nothingToFetch();
    advance(Duration.ofMinutes(1));

    assertThat(messages(fetched("x"))).containsExactly(Items.raised("x", "later"));
  }

  @Test
  @DisplayName("TCK-STEP-07 a step is not taken while someone holds the instance, or it rests")
  void instanceHeld() {
    CachedHistory.Tip tip = waiting("x");
    LockedWork work = work(2);
    poke("x");
    LockedOrchestration held = fetched("x");

    refused(work, tip);
    provider.abandonOrchestrationItem(held.lockToken(), Duration.ofMinutes(1), false);
    refused(work, tip);
  }

  @Test
  @DisplayName("TCK-STEP-08 a step is not taken after someone else's commit")
  void overtaken() {
    CachedHistory.Tip tip = waiting("x");
    LockedWork work = work(2);
    turn("x", new EventKind.ExternalEvent("E", "data"), ExecutionMetadata.NONE);

    assertThat(step(work, tip, twoThenFour("x"))).isEmpty();
    assertThat(provider.read("x")).hasSize(3);
    provider.ackWorkItem(work.lockToken(), Items.completed("x", 2));
  }

  @Test
  @DisplayName("TCK-STEP-09 a step of an earlier execution is not taken")
  void earlierExecution() {
    CachedHistory.Tip tip = waiting("x");
    LockedWork work = work(2);
    continueAsNew("x", 2);

    assertThat(step(work, tip, twoThenFour("x"))).isEmpty();
    assertThat(provider.read("x")).hasSize(1);
  }

  @Test
  @DisplayName("TCK-STEP-10 a step is not taken once the activity's lock has ended")
  void lockEnded() {
    CachedHistory.Tip tip = waiting("x");
    LockedWork late = work(timeout());
    letLocksExpire();

    try {
      assertThat(step(late, tip, twoThenFour("x"))).isEmpty();
    } catch (ProviderException failure) {
      assertThat(failure.kind()).isEqualTo(ProviderException.Kind.LOCK_LOST);
    }
    assertThat(provider.read("x")).hasSize(2);
    work(2);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-STEP-11 a step of an instance that was deleted and started again is not taken")
  void namesake() {
    CachedHistory.Tip tip = waiting("x");
    LockedWork late = work(2);
    admin().deleteInstance("x", true);
    waiting("x");

    try {
      assertThat(step(late, tip, twoThenFour("x"))).isEmpty();
    } catch (ProviderException failure) {
      assertThat(failure.kind()).isEqualTo(ProviderException.Kind.LOCK_LOST);
    }
    assertThat(provider.read("x")).hasSize(2);
    work(2);
  }

  @Test
  @Needs.TwoHandles
  @DisplayName("TCK-STEP-12 a step does not overtake a message that came through another handle")
  void messageThroughOtherHandle() {
    CachedHistory.Tip tip = waiting("x");
    LockedWork work = work(2);
    secondHandle().enqueueForOrchestrator(Items.raised("x", "poke"), Duration.ZERO);

    refused(work, tip);
    assertThat(messages(fetched("x"))).containsExactly(Items.raised("x", "poke"));
  }

  @Test
  @Needs.TwoHandles
  @DisplayName(
      "TCK-STEP-13 a step is not taken after a commit that was made through another handle")
  void commitThroughOtherHandle() {
    CachedHistory.Tip tip = waiting("x");
    LockedWork work = work(2);
    Provider other = secondHandle();
    poke("x");
    LockedOrchestration taken =
        fetch(other, OrchestrationFetch.of(LOCK, Duration.ZERO)).orElseThrow();
    other.commitTurn(
        new TurnSource.Fetched(taken.lockToken()),
        TurnCommit.events(1, List.of(Events.scheduled(first("x"), 3)), ExecutionMetadata.NONE),
        WorkClaim.NONE);

    assertThat(step(work, tip, twoThenFour("x"))).isEmpty();
    assertThat(provider.read("x")).hasSize(3);
    provider.renewWorkItemLock(work.lockToken(), LOCK);
  }

  @Test
  @Needs.TwoHandles
  @DisplayName("TCK-STEP-14 a step may be the first thing that a handle commits")
  void firstOfHandle() {
    CachedHistory.Tip tip = waiting("x");
    Provider other = secondHandle();
    LockedWork work = wfetch(other, WorkFetch.of(LOCK, Duration.ZERO)).orElseThrow();

    Optional<CommittedTurn> committed =
        other.commitTurn(
            new TurnSource.AfterActivity(work.lockToken(), first("x"), tip),
            twoThenFour("x"),
            WorkClaim.NONE);

    assertThat(provider.read("x")).hasSize(committed.isPresent() ? 4 : 2);
  }

  /** The first turn of an instance, which asks for activities 2 and 3. */
  private static TurnCommit twoAndThree(String instance) {
    return TurnCommit.events(
            1,
            List.of(
                Events.started(first(instance)),
                Events.scheduled(first(instance), 2),
                Events.scheduled(first(instance), 3)),
            identity())
        .withWorkerItems(List.of(Items.activity(instance, 2), Items.activity(instance, 3)));
  }

  private Optional<CommittedTurn> begin(String instance, TurnCommit turn) {
    return provider.commitTurn(
        new TurnSource.NewInstance(Items.start(instance)), turn, new WorkClaim(LOCK, Set.of(2L)));
  }

  @Test
  @DisplayName("TCK-STEP-15 a new instance with its first turn is stored as if it had been queued")
  void begin() {
    Optional<CommittedTurn> begun = begin("x", twoAndThree("x"));
    if (begun.isEmpty()) {
      assertThat(provider.status("x")).isEmpty();
      nothingToFetch();
      return;
    }
    List<LockedWork> claimed = begun.get().claimed();

    assertThat(provider.read("x")).isEqualTo(twoAndThree("x").historyDelta());
    nothingToFetch();
    assertThat(claimed).hasSizeLessThanOrEqualTo(1);
    LockedWork mine = claimed.isEmpty() ? work(2) : claimed.getFirst();
    assertThat(mine.item()).isEqualTo(Items.activity("x", 2));
    assertThat(mine.attemptCount()).isEqualTo(1);
    work(3);
    noWork();
    CachedHistory.Tip tip = new CachedHistory.Tip(3, begun.get().commitToken());
    Event outcome = Events.completed(first("x"), 4, 2);
    TurnCommit next = TurnCommit.events(1, List.of(outcome), ExecutionMetadata.NONE);
    assertThat(step(mine, tip, next)).isPresent();
    assertThat(provider.read("x")).hasSize(4);
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-STEP-16 listings and totals do not tell how an instance was stored")
  void beginLooksAlike() {
    TurnCommit ended =
        TurnCommit.events(
            1,
            List.of(
                Events.started(first("x")),
                Events.of(first("x"), 2, new EventKind.OrchestrationCompleted("done"))),
            identity().withStatus(ExecutionStatus.COMPLETED, "done"));
    start("y");
    ack(fetched("y"), twoAndThree("y"));
    SystemMetrics before = admin().systemMetrics();
    if (begin("x", ended).isEmpty() || begin("z", twoAndThree("z")).isEmpty()) {
      return;
    }

    assertThat(admin().instanceInfo("z"))
        .usingRecursiveComparison()
        .ignoringFields("current.instance", "times")
        .isEqualTo(admin().instanceInfo("y"));
    assertThat(admin().instanceInfo("x"))
        .satisfies(info -> {
          assertThat(info.status()).isEqualTo(ExecutionStatus.COMPLETED);
          assertThat(info.output()).isEqualTo("done");
        });
    SystemMetrics after = admin().systemMetrics();
    assertThat(after.totalInstances()).isEqualTo(before.totalInstances() + 2);
    assertThat(after.totalExecutions()).isEqualTo(before.totalExecutions() + 2);
    assertThat(after.totalEvents()).isEqualTo(before.totalEvents() + 5);
    assertThat(after.completedInstances()).isEqualTo(before.completedInstances() + 1);
  }

  @Test
  @DisplayName("TCK-STEP-17 an instance that exists is not begun again")
  void beginExisting() {
    create("x");
    List<Event> before = provider.read("x");

    assertThat(begin("x", twoAndThree("x"))).isEmpty();
    assertThat(provider.read("x")).isEqualTo(before);
    nothingToFetch();
    noWork();
  }

  @Test
  @DisplayName("TCK-STEP-18 an instance for which something is queued is not begun past it")
  void beginPastQueue() {
    enqueue(Items.message("x", "early"));
    start("y");
    provider.enqueueForWorker(Items.activity("z", 2));

    for (String instance : List.of("x", "y", "z")) {
      assertThat(begin(instance, twoAndThree(instance))).as(instance).isEmpty();
      assertThat(provider.status(instance)).as(instance).isEmpty();
    }
    start("x");
    assertThat(Stream.of(fetched(), fetched()).map(ProviderTck::messages))
        .containsExactlyInAnyOrder(
            List.of(Items.message("x", "early"), Items.start("x")), List.of(Items.start("y")));
  }

  @Test
  @DisplayName("TCK-STEP-19 a first turn that is refused leaves nothing behind")
  void beginRefused() {
    TurnCommit bad =
        TurnCommit.events(
            1, List.of(Events.started(first("x")), Events.scheduled(first("x"), 0)), identity());

    if (!isEmptyFor("w")) {
      fails(ProviderException.Kind.INVALID_INPUT, () -> begin("x", bad));
    }
    assertThat(provider.status("x")).isEmpty();
    create("x");
    assertThat(provider.read("x")).hasSize(1);
  }

  private boolean isEmptyFor(String instance) {
    return begin(instance, twoAndThree(instance)).isEmpty();
  }

  @Test
  @Needs.TwoHandles
  @DisplayName("TCK-STEP-20 an instance that another handle has begun is not begun again")
  void beginThroughOtherHandle() {
    begin("y", twoAndThree("y"));
    secondHandle().enqueueForOrchestrator(Items.start("x"), Duration.ZERO);

    assertThat(begin("x", twoAndThree("x"))).isEmpty();
    assertThat(messages(fetched("x"))).containsExactly(Items.start("x"));
  }

  /** Nothing was changed: the outcome can still be reported. */
  private void refused(LockedWork work, CachedHistory.Tip tip) {
    assertThat(step(work, tip, twoThenFour("x"))).isEmpty();
    assertThat(provider.read("x")).hasSize(2);
    provider.renewWorkItemLock(work.lockToken(), LOCK);
  }
}
