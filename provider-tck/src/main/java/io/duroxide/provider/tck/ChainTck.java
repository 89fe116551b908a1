package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.CancelledActivities;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.QueueDepth;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * CHAIN: activities that follow one another, each committed together with the outcome of the one
 * before it and run by whoever commits it.
 *
 * <p>A provider need not offer steps; then each link goes through the queues, and the same holds.
 */
public abstract class ChainTck extends ProviderTck {
  /** For subclasses. */
  protected ChainTck() {}

  /**
   * An activity that runs.
   *
   * @param tip the commit that asked for it, which its event ends
   */
  private record Link(LockedWork work, CachedHistory.Tip tip) {
    long id() {
      return work.key().activityId();
    }
  }

  /** The activity 2 of an instance. */
  private Link begin(String instance, Duration lock) {
    CachedHistory.Tip tip = waiting(instance);
    return new Link(work(lock), tip);
  }

  private static Event outcome(Link link) {
    return Events.completed(first(link.work().key().instance()), link.id() + 1, link.id());
  }

  /** The outcome of an activity, and the next one. */
  private static TurnCommit turn(Link link) {
    String instance = link.work().key().instance();
    long next = link.id() + 2;
    return TurnCommit.events(
            1,
            List.of(outcome(link), Events.scheduled(first(instance), next)),
            ExecutionMetadata.NONE)
        .withWorkerItems(List.of(Items.activity(instance, next)));
  }

  private Optional<CommittedTurn> step(Link link, Duration lock) {
    return provider.commitTurn(
        new TurnSource.AfterActivity(
            link.work().lockToken(), first(link.work().key().instance()), link.tip()),
        turn(link),
        new WorkClaim(lock, Set.of(link.id() + 2)));
  }

  /** The next activity, by a step or through the queues. */
  private Link next(Link link, Duration lock) {
    Optional<CommittedTurn> step = step(link, lock);
    String instance = link.work().key().instance();
    if (step.isEmpty()) {
      provider.ackWorkItem(link.work().lockToken(), Items.completed(instance, link.id()));
      LockedOrchestration locked = fetched(instance);
      ack(locked, turn(link));
      return new Link(work(lock), new CachedHistory.Tip(link.id() + 2, locked.lockToken()));
    }
    List<LockedWork> claimed = step.get().claimed();
    return new Link(
        claimed.isEmpty() ? work(lock) : claimed.getFirst(),
        new CachedHistory.Tip(link.id() + 2, step.get().commitToken()));
  }

  private Link chain(String instance, int steps, Duration lock) {
    Link link = begin(instance, lock);
    for (int i = 0; i < steps; i++) {
      link = next(link, lock);
    }
    return link;
  }

  @Test
  @DisplayName("TCK-CANCEL-61 the activity of a chain goes with all activities of its execution")
  void cancelledWithTheRest() {
    Link last = chain("x", 3, LOCK);
    poke("x");

    ack(fetched("x"), TurnCommit.nothing(1).withCancelled(CancelledActivities.WHOLE_EXECUTION));

    lost(() -> provider.renewWorkItemLock(last.work().lockToken(), LOCK));
    lost(() -> provider.ackWorkItem(last.work().lockToken(), Items.completed("x", last.id())));
    noWork();
    nothingToFetch();
  }

  private void refused(Link link) {
    try {
      assertThat(step(link, LOCK)).isEmpty();
    } catch (ProviderException failure) {
      assertThat(failure.kind()).isEqualTo(ProviderException.Kind.LOCK_LOST);
    }
  }

  @Test
  @DisplayName("TCK-CHAIN-01 a chain leaves what turns leave, and its last activity ends as any")
  void leaves() {
    Link last = chain("x", 5, LOCK);

    assertThat(last.work().item()).isEqualTo(Items.activity("x", 12));
    assertThat(provider.read("x"))
        .extracting(Event::id)
        .containsExactlyElementsOf(LongStream.rangeClosed(1, 12).boxed().toList());
    nothingToFetch();
    noWork();
    provider.ackWorkItem(last.work().lockToken(), Items.completed("x", 12));
    assertThat(messages(fetched("x"))).containsExactly(Items.completed("x", 12));
    noWork();
    lost(() -> provider.ackWorkItem(last.work().lockToken(), null));
  }

  @Test
  @DisplayName(
      "TCK-CHAIN-02 an activity of a chain whose lock ends is fetched by anyone as it was asked"
          + " for")
  void expires() {
    Link late = chain("x", 3, timeout());
    letLocksExpire();

    LockedWork again = work(8);
    assertThat(again.item()).isEqualTo(Items.activity("x", 8));
    assertThat(again.attemptCount()).isEqualTo(2);
    noWork();
    refused(late);
    lost(() -> provider.ackWorkItem(late.work().lockToken(), null));
    lost(() -> provider.renewWorkItemLock(late.work().lockToken(), LOCK));
    next(new Link(again, late.tip()), LOCK);
    assertThat(provider.read("x")).hasSize(10);
  }

  @Test
  @DisplayName("TCK-CHAIN-03 a lock lasts from its own step on, whenever the chain began")
  void lasts() {
    Link link = begin("x", timeout());
    for (int i = 0; i < 4; i++) {
      advance(timeout(0.7));
      noWork();
      link = next(link, timeout());
    }
    advance(timeout(0.7));
    noWork();
    letLocksExpire();
    work(link.id());
  }

  @Test
  @DisplayName("TCK-CHAIN-04 a step may ask for a shorter lock than the one before it")
  void shorter() {
    Link link = next(chain("x", 2, timeout(4)), timeout());
    letLocksExpire();
    assertThat(work(link.id()).attemptCount()).isEqualTo(2);
  }

  @Test
  @DisplayName("TCK-CHAIN-05 an activity of a chain is renewed, and the chain goes on")
  void renewed() {
    Link link = chain("x", 3, timeout());
    advance(timeout(0.7));
    provider.renewWorkItemLock(link.work().lockToken(), timeout());
    advance(timeout(0.7));
    noWork();
    link = next(next(link, LOCK), LOCK);
    assertThat(provider.read("x")).hasSize(12);
    provider.ackWorkItem(link.work().lockToken(), Items.completed("x", 12));
    assertThat(messages(fetched("x"))).hasSize(1);
  }

  @Test
  @DisplayName("TCK-CHAIN-06 an activity of a chain is given up, and fetched as it was asked for")
  void abandoned() {
    Link link = chain("x", 3, LOCK);
    provider.abandonWorkItem(link.work().lockToken(), Duration.ZERO, false);

    LockedWork again = work(8);
    assertThat(again.item()).isEqualTo(Items.activity("x", 8));
    assertThat(again.attemptCount()).isEqualTo(2);
    refused(link);
  }

  @Test
  @DisplayName(
      "TCK-CHAIN-07 a message comes between two steps, and its turn may cancel the activity")
  void cancelled() {
    Link link = chain("x", 3, LOCK);
    poke("x");
    assertThat(step(link, LOCK)).isEmpty();
    provider.renewWorkItemLock(link.work().lockToken(), LOCK);
    LockedOrchestration locked = fetched("x");
    ack(
        locked,
        next(locked, new EventKind.ExternalEvent("E", "data"))
            .withCancelledActivities(List.of(link.work().key())));

    lost(() -> provider.renewWorkItemLock(link.work().lockToken(), LOCK));
    refused(link);
    noWork();
    assertThat(provider.read("x")).hasSize(9);
  }

  @Test
  @DisplayName("TCK-CHAIN-08 a turn that cancels an activity of a chain needs nothing but its id")
  void cancelledAtOnce() {
    Link link = chain("x", 3, LOCK);
    poke("x");
    LockedOrchestration locked = fetched("x");
    ack(
        locked,
        next(locked, new EventKind.ExternalEvent("E", "data"))
            .withCancelledActivities(List.of(link.work().key())));

    lost(() -> provider.ackWorkItem(link.work().lockToken(), Items.completed("x", link.id())));
    nothingToFetch();
    noWork();
  }

  @Test
  @DisplayName("TCK-CHAIN-09 an outcome that its orchestration does not wait for ends a chain, too")
  void overtaken() {
    Link link = chain("x", 3, LOCK);
    turn("x", new EventKind.ExternalEvent("E", "data"), ExecutionMetadata.NONE);

    assertThat(step(link, LOCK)).isEmpty();
    provider.ackWorkItem(link.work().lockToken(), Items.completed("x", link.id()));
    assertThat(messages(fetched("x"))).containsExactly(Items.completed("x", link.id()));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-CHAIN-10 a chain counts as one activity that is locked, until its lock ends")
  void counted() {
    chain("x", 3, timeout());
    assertThat(admin().queueDepths().worker()).isEqualTo(new QueueDepth(0, 0, 1));
    letLocksExpire();
    assertThat(admin().queueDepths().worker()).isEqualTo(new QueueDepth(1, 0, 0));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-CHAIN-11 a chain ends with its orchestration, and leaves nothing when deleted")
  void ends() {
    Link link = chain("x", 3, LOCK);
    Event end = Events.of(first("x"), link.id() + 2, new EventKind.OrchestrationCompleted("done"));
    TurnCommit turn =
        TurnCommit.events(
            1,
            List.of(outcome(link), end),
            ExecutionMetadata.NONE.withStatus(ExecutionStatus.COMPLETED, "done"));
    TurnSource step = new TurnSource.AfterActivity(link.work().lockToken(), first("x"), link.tip());

    boolean committed = provider.commitTurn(step, turn, WorkClaim.NONE).isPresent();
    assertThat(present(provider.status("x")).status())
        .isEqualTo(committed ? ExecutionStatus.COMPLETED : ExecutionStatus.RUNNING);
    chain("y", 3, LOCK);
    admin().deleteInstance("x", true);
    admin().deleteInstance("y", true);
    assertThat(admin().queueDepths().worker()).isEqualTo(QueueDepth.EMPTY);
  }

  @Test
  @DisplayName(
      "TCK-CHAIN-60 an activity of a chain stays as it was asked for, whatever comes later")
  void staysTheSame() {
    ExecutionMetadata newVersion = ExecutionMetadata.started(Items.ORCHESTRATION, "2.0.0");
    staysTheSame("a", x -> turn(x, new EventKind.ExternalEvent("E", "data"), newVersion));
    staysTheSame("b", x -> continueAsNew(x, 2));
    staysTheSame(
        "c",
        x -> {
          continueAsNew(x, 2);
          provider.management().ifPresent(admin -> admin.pruneExecutions(x, PruneOptions.ALL));
        });
  }

  private void staysTheSame(String instance, Consumer<String> later) {
    Link link = chain(instance, 3, timeout());
    later.accept(instance);
    letLocksExpire();

    LockedWork again = work(link.id());
    assertThat(again.item()).isEqualTo(Items.activity(instance, link.id()));
    assertThat(again.attemptCount()).isEqualTo(2);
    provider.ackWorkItem(again.lockToken(), null);
    noWork();
  }
}
