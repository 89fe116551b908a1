package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.Semver;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.InstanceStatus;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** ATOM: a commit happens as a whole or not at all (7.3, 7.8, 12). */
public abstract class AtomicityTck extends ProviderTck {
  /** For subclasses. */
  protected AtomicityTck() {}

  @Test
  @DisplayName("TCK-ATOM-01 a failed ack changes nothing and keeps the lock")
  void failedAck() {
    create("x");
    List<Event> before = provider.read("x");
    poke("x");
    LockedOrchestration locked = fetched("x");

    fails(Kind.DUPLICATE_EVENT, () -> ack(locked, firstTurn("x")));

    assertThat(provider.read("x")).isEqualTo(before).hasSize(1);
    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-ATOM-02 one ack stores events, activities and messages")
  void everythingAtOnce() {
    start("x");
    WorkItem timer = Items.timer("x", 5, Instant.ofEpochMilli(1));
    WorkItem raised = Items.raised("x", "later");

    ack(
        fetched("x"),
        TurnCommit.events(1, historyOf("x", 5), identity())
            .withWorkerItems(activities("x", 2, 4))
            .withOrchestratorItems(List.of(timer, raised)));

    assertThat(provider.read("x")).isEqualTo(historyOf("x", 5));
    work(2);
    work(3);
    work(4);
    noWork();
    assertThat(messages(fetched("x"))).containsExactly(timer, raised);
  }

  @Test
  @DisplayName("TCK-ATOM-03 only a successful ack releases the lock")
  void bogusAckKeepsLock() {
    start("x");
    fetched(timeout());

    lost(() ->
        provider.commitTurn(new TurnSource.Fetched(NO_TOKEN), firstTurn("x"), WorkClaim.NONE));

    nothingToFetch();
    letLocksExpire();
    fetched("x");
  }

  @Test
  @DisplayName("TCK-ATOM-04 of two acks of one token exactly one succeeds")
  void twoAcks() {
    for (int round = 0; round < fixture().rounds(); round++) {
      String x = "x-" + round;
      start(x);
      LockedOrchestration locked = fetched(x);

      oneOfTwoSucceeds(locked, firstTurn(x));

      assertThat(provider.read(x)).hasSize(1);
    }
  }

  @Test
  @DisplayName("TCK-ATOM-05 of two acks without events exactly one succeeds")
  void twoEmptyAcks() {
    for (int round = 0; round < fixture().rounds(); round++) {
      String x = "x-" + round;
      create(x);
      poke(x);
      LockedOrchestration locked = fetched(x);

      oneOfTwoSucceeds(
          locked, TurnCommit.nothing(1).withWorkerItems(List.of(Items.activity(x, 2))));

      LockedWork activity = work();
      assertThat(activity.key().instance()).isEqualTo(x);
      noWork();
    }
  }

  private void oneOfTwoSucceeds(LockedOrchestration locked, TurnCommit commit) {
    var outcomes = race().together(() -> ack(locked, commit), () -> ack(locked, commit));
    assertThat(outcomes).filteredOn(Race.Outcome::succeeded).hasSize(1);
    assertThat(outcomes).filteredOn(outcome -> outcome.failedWith(Kind.LOCK_LOST)).hasSize(1);
  }

  @Test
  @DisplayName("TCK-ATOM-06 nothing of a doomed ack is visible anywhere")
  void doomedAck() {
    createWith("x", activities("x", 2, 2));
    poke("x");
    LockedOrchestration locked = fetched("x");
    InstanceStatus before = provider.status("x").orElseThrow();

    fails(Kind.DUPLICATE_EVENT, () -> ack(locked, doomed()));

    assertThat(provider.read("x")).hasSize(1);
    assertThat(provider.kvAllValues("x")).isEmpty();
    assertThat(provider.customStatus("x", 0)).isEmpty();
    assertThat(provider.status("x")).contains(before);
    assertThat(provider.status("y")).isEmpty();
    work(2);
    noWork();
    nothingToFetch();
    provider.abandonOrchestrationItem(locked.lockToken(), Duration.ZERO, false);
    assertThat(messages(fetched("x"))).containsExactly(Items.raised("x", "poke"));
    nothingToFetch();
  }

  /** Everything a turn can do, and an event that is stored already. */
  private static TurnCommit doomed() {
    List<Event> delta =
        List.of(
            Events.of(first("x"), 3, new EventKind.KeyValueSet("color", "red", Events.STAMP.at())),
            Events.of(first("x"), 4, new EventKind.CustomStatusUpdated("halfway")),
            Events.started(first("x")));
    ExecutionMetadata metadata =
        ExecutionMetadata.started("Renamed", "9.9.9")
            .withStatus(ExecutionStatus.COMPLETED, "done")
            .withPinnedVersion(Semver.of(9, 9, 9));
    return TurnCommit.events(1, delta, metadata)
        .withWorkerItems(activities("x", 7, 9))
        .withOrchestratorItems(List.of(Items.start("y"), Items.raised("x", "doomed")))
        .withCancelledActivities(List.of(new ActivityKey("x", 1, 2)));
  }

  @Test
  @DisplayName("TCK-ATOM-07 an event with id 0 is refused and the lock is kept")
  void eventZero() {
    create("x");
    poke("x");
    Event zero = Events.scheduled(first("x"), 0);
    Event two = Events.scheduled(first("x"), 2);

    fails(
        Kind.INVALID_INPUT,
        () -> provider.appendWithExecution(first("x"), List.of(two, two, zero)));
    refused(Kind.INVALID_INPUT, fetched("x"), List.of(zero));
  }

  @Test
  @DisplayName("TCK-ATOM-08 one event id twice in a commit is refused")
  void twiceInOneDelta() {
    create("x");
    poke("x");
    Event event = Events.scheduled(first("x"), 2);
    refused(Kind.DUPLICATE_EVENT, fetched("x"), List.of(event, event));
  }

  private void refused(Kind kind, LockedOrchestration locked, List<Event> delta) {
    fails(kind, () -> ack(locked, TurnCommit.events(1, delta, ExecutionMetadata.NONE)));
    assertThat(provider.read("x")).hasSize(1);
    nothingToFetch();
    drain(locked);
  }

  @Test
  @DisplayName("TCK-ATOM-09 an empty ack consumes the batch and changes nothing else")
  void emptyAck() {
    create("x");
    List<Event> history = provider.read("x");
    InstanceStatus before = provider.status("x").orElseThrow();
    poke("x");

    drain(fetched("x"));

    nothingToFetch();
    assertThat(provider.read("x")).isEqualTo(history);
    assertThat(provider.status("x").orElseThrow())
        .usingRecursiveComparison()
        .ignoringFields("updatedAt")
        .isEqualTo(before);
    enqueue(Items.raised("x", "next"));
    assertThat(messages(fetched("x"))).containsExactly(Items.raised("x", "next"));
  }

  @Test
  @DisplayName("TCK-ATOM-10 a worker ack with a message that is no outcome changes nothing")
  void wrongCompletion() {
    createWith("x", activities("x", 2, 2));
    LockedWork locked = work(2);
    WorkItem timer = Items.timer("x", 2, Instant.ofEpochMilli(1));

    fails(Kind.INVALID_INPUT, () -> provider.ackWorkItem(locked.lockToken(), timer));

    noWork();
    nothingToFetch();
    provider.ackWorkItem(locked.lockToken(), Items.completed("x", 2));
    assertThat(messages(fetched("x"))).containsExactly(Items.completed("x", 2));
  }

  @Test
  @DisplayName("TCK-ATOM-11 a large ack is stored whole and in order")
  void largeAck() {
    start("x");
    List<WorkItem> sent =
        IntStream.range(0, 500).<WorkItem>mapToObj(i -> Items.raised("x", "m" + i)).toList();

    ack(
        fetched("x"),
        TurnCommit.events(1, historyOf("x", 1000), identity())
            .withWorkerItems(activities("x", 1, 1000))
            .withOrchestratorItems(sent));

    assertThat(provider.read("x")).isEqualTo(historyOf("x", 1000));
    assertThat(messages(fetched("x"))).isEqualTo(sent);
    List<Long> ids = new ArrayList<>();
    for (var work = wfetch(); work.isPresent(); work = wfetch()) {
      ids.add(work.orElseThrow().key().activityId());
    }
    assertThat(ids).isEqualTo(LongStream.rangeClosed(1, 1000).boxed().toList());
  }

  @Test
  @DisplayName("TCK-ATOM-12 an ack reaches other instances")
  void otherInstances() {
    create("parent");
    create("a");
    poke("a");

    ack(
        fetched("a"),
        TurnCommit.nothing(1)
            .withOrchestratorItems(List.of(Items.start("b"), Items.childCompleted("parent", 2))));

    LockedOrchestration b = fetched("b");
    assertThat(messages(b)).containsExactly(Items.start("b"));
    assertThat(messages(fetched("parent"))).containsExactly(Items.childCompleted("parent", 2));
    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-ATOM-13 a message for the wrong queue is refused with the whole ack")
  void wrongQueue() {
    create("x");
    poke("x");
    LockedOrchestration locked = fetched("x");
    TurnCommit good = next(locked, new EventKind.ExternalEvent("signal", "poke"));

    fails(
        Kind.INVALID_INPUT,
        () -> ack(locked, good.withOrchestratorItems(List.of(Items.activity("x", 2)))));
    fails(
        Kind.INVALID_INPUT,
        () -> ack(locked, good.withWorkerItems(List.of(Items.raised("x", "misplaced")))));

    assertThat(provider.read("x")).hasSize(1);
    noWork();
    nothingToFetch();
    ack(locked, good);
    nothingToFetch();
  }

  private static List<Event> historyOf(String instance, int size) {
    List<Event> events = new ArrayList<>();
    events.add(Events.started(first(instance)));
    events.addAll(Events.scheduled(first(instance), 2, size));
    return List.copyOf(events);
  }

  private static List<WorkItem> activities(String instance, long from, long to) {
    return LongStream.rangeClosed(from, to)
        .<WorkItem>mapToObj(id -> Items.activity(instance, id))
        .toList();
  }
}
