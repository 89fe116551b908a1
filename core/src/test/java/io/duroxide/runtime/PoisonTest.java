package io.duroxide.runtime;

import static io.duroxide.runtime.Turns.ORDER_7;
import static io.duroxide.runtime.Turns.PARENT;
import static io.duroxide.runtime.Turns.go;
import static io.duroxide.runtime.Turns.linkTo;
import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.api.ChildOptions;
import io.duroxide.api.ContinueOptions;
import io.duroxide.api.Orchestration;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.Inheritance;
import io.duroxide.model.ParentLink;
import io.duroxide.model.PoisonSubject;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.InstanceStatus;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What becomes of an instance that was fetched more often than allowed (replay.md 13). */
@DisplayName("Poison")
class PoisonTest {
  private static final Orchestration<String, String> ORDER =
      Orchestration.of("Order", String.class, String.class);
  private static final ParentLink RIVAL = new ParentLink("rival", 1, 2);

  private final Node node =
      new Node(
          OrchestrationRegistry.builder()
              .register(
                  ORDER,
                  (ctx, in) -> {
                    if (in.equals("continue")) {
                      return ctx.continueAsNew("next", ContinueOptions.version("9.0.0"));
                    }
                    ctx.callActivity("Charge", "7");
                    ctx.callOrchestration("Ship", "7", ChildOptions.instanceId("ship-7"));
                    ctx.dequeueEvent("q");
                    return ctx.waitForEvent("go").await();
                  })
              .build());

  @AfterEach
  void close() {
    node.close();
  }

  private static WorkItem start(String orchestration, String input, ParentLink parent) {
    return new WorkItem.StartOrchestration(ORDER_7, orchestration, input, null, parent);
  }

  private static List<EventKind> kinds(List<Event> history) {
    return history.stream().map(Event::kind).toList();
  }

  private ErrorDetails.Poison failureOf(long executionId) {
    var last = (EventKind.OrchestrationFailed) node.history(executionId).getLast().kind();
    return (ErrorDetails.Poison) last.details();
  }

  private void assertFailed(long executionId, String output) {
    InstanceStatus status = node.provider.status(ORDER_7).orElseThrow();
    assertThat(status.executionId()).isEqualTo(executionId);
    assertThat(status.status()).isEqualTo(ExecutionStatus.FAILED);
    assertThat(status.output()).isEqualTo(output);
  }

  /** What waits for another instance, which is started so that the store hands it out. */
  private List<WorkItem> inboxOf(String instance) throws InterruptedException {
    node.send(new WorkItem.StartOrchestration(instance, "Order", "in", null, null));
    for (var locked = node.fetch(); locked.isPresent(); locked = node.fetch()) {
      if (locked.get().item().instance().equals(instance)) {
        return locked.get().item().messages().items().stream()
            .filter(item -> !(item instanceof WorkItem.StartLike))
            .toList();
      }
    }
    return List.of();
  }

  private void putTheChildAside() throws InterruptedException {
    LockedOrchestration child = node.fetch().orElseThrow();
    assertThat(child.item().instance()).isEqualTo("ship-7");
    node.provider.abandonOrchestrationItem(child.lockToken(), Duration.ofDays(1), true);
  }

  @Test
  @DisplayName("readable history: fails, cancels what is open and tells the parent")
  void readableHistory() throws InterruptedException {
    node.send(start("Order", "in", PARENT));
    node.step();
    putTheChildAside();
    node.send(go());
    node.stepTooOften();

    List<EventKind> recorded = kinds(node.history(1));
    assertThat(recorded.subList(5, recorded.size() - 1))
        .containsExactly(
            new EventKind.ActivityCancelRequested("orchestration_terminal_failed"),
            new EventKind.SubOrchestrationCancelRequested("orchestration_terminal_failed"),
            new EventKind.ExternalSubscribedCancelled("orchestration_terminal"),
            new EventKind.QueueSubscriptionCancelled("orchestration_terminal"));
    assertThat(failureOf(1).subject()).isEqualTo(new PoisonSubject.Orchestration(ORDER_7, 1));
    assertThat(failureOf(1).attemptCount()).isEqualTo(11);
    assertThat(failureOf(1).maxAttempts()).isEqualTo(10);
    assertFailed(1, "poison: orchestration order-7 exceeded 11 attempts (max 10)");
    assertThat(node.provider.fetchWorkItem(WorkFetch.of(Duration.ofSeconds(30), Duration.ZERO)))
        .isEmpty();
    assertThat(inboxOf("boss"))
        .containsExactly(new WorkItem.SubOrchFailed("boss", 3, 9, failureOf(1)));
    node.advance(Duration.ofDays(2));
    assertThat(inboxOf("ship-7"))
        .containsExactly(new WorkItem.CancelInstance("ship-7", "parent failed", linkTo(3)));
  }

  @Test
  @DisplayName("readable history: ids go on behind the recorded ones, the failure is last")
  void idsGoOn() throws InterruptedException {
    node.send(start("Order", "in", null));
    node.step();
    putTheChildAside();
    node.send(go());
    node.stepTooOften();

    assertThat(node.history(1))
        .extracting(Event::id)
        .containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L, 9L, 10L);
    assertThat(node.history(1)).allMatch(event -> event.execution().equals(Turns.KEY));
    assertThat(node.cache.size()).isZero();
  }

  @Test
  @DisplayName("no history: the start is recorded and failed, its parent told, no code runs")
  void noHistory() throws InterruptedException {
    node.send(start("Order", "in", PARENT));
    node.stepTooOften();

    assertThat(kinds(node.history(1)))
        .containsExactly(
            new EventKind.OrchestrationStarted("Order", "1.0.0", "in", PARENT, Inheritance.NOTHING),
            new EventKind.OrchestrationFailed(failureOf(1)));
    assertFailed(1, "poison: orchestration order-7 exceeded 11 attempts (max 10)");
    assertThat(inboxOf("boss"))
        .containsExactly(new WorkItem.SubOrchFailed("boss", 3, 9, failureOf(1)));
  }

  @Test
  @DisplayName("a start nobody can run is tried ten times, with growing pauses, then failed")
  void unregisteredStart() throws InterruptedException {
    node.send(start("Gone", "in", null));
    for (int attempt = 1; attempt <= 10; attempt++) {
      node.step();
      assertThat(node.history(1)).isEmpty();
      assertThat(node.fetch()).isEmpty();
      node.advance(Duration.ofSeconds(Math.min(1L << (attempt - 1), 60)));
    }
    node.step();

    assertThat(kinds(node.history(1)))
        .containsExactly(
            new EventKind.OrchestrationStarted("Gone", "0.0.0", "in", null, Inheritance.NOTHING),
            new EventKind.OrchestrationFailed(failureOf(1)));
    assertFailed(1, "poison: orchestration order-7 exceeded 11 attempts (max 10)");
    assertThat(node.fetch()).isEmpty();
  }

  @Test
  @DisplayName("a continuation to an unknown version fails the execution it was to begin")
  void unknownContinuation() throws InterruptedException {
    node.send(start("Order", "continue", PARENT));
    node.step();
    List<Event> ended = node.history(1);
    node.stepTooOften();

    assertThat(node.history(1)).isEqualTo(ended);
    assertThat(kinds(node.history(2)))
        .containsExactly(
            new EventKind.OrchestrationStarted(
                "Order", "9.0.0", "next", PARENT, Inheritance.NOTHING),
            new EventKind.OrchestrationFailed(failureOf(2)));
    assertThat(node.history(2)).allMatch(event -> event.execution().executionId() == 2);
    assertThat(failureOf(2).subject()).isEqualTo(new PoisonSubject.Orchestration(ORDER_7, 2));
    assertFailed(2, "poison: orchestration order-7 exceeded 11 attempts (max 10)");
    assertThat(inboxOf("boss"))
        .containsExactly(new WorkItem.SubOrchFailed("boss", 3, 9, failureOf(2)));
  }

  private void stepUnreadable(int attempt) throws InterruptedException {
    StoredHistory unreadable = new StoredHistory.Unreadable("event 2: unknown type");
    node.process(withHistory(node.fetch().orElseThrow(), unreadable, attempt));
  }

  private static LockedOrchestration withHistory(
      LockedOrchestration locked, StoredHistory history, int attempt) {
    OrchestrationItem item = locked.item();
    return new LockedOrchestration(
        new OrchestrationItem(
            item.execution(), item.orchestrationName(), item.version(), history, item.messages()),
        locked.lockToken(),
        attempt);
  }

  @Test
  @DisplayName("unreadable history: handed back for a second while attempts are left")
  void unreadableHandedBack() throws InterruptedException {
    node.send(start("Order", "in", null));
    node.step();
    putTheChildAside();
    node.send(go());
    stepUnreadable(10);

    assertThat(node.history(1)).hasSize(5);
    assertThat(node.fetch()).isEmpty();
    node.advance(Duration.ofSeconds(1));
    assertThat(node.fetch()).isPresent();
  }

  @Test
  @DisplayName("unreadable history: only the failure is written, as event 99999")
  void unreadableHistory() throws InterruptedException {
    node.send(start("Order", "in", null));
    node.step();
    putTheChildAside();
    List<Event> before = node.history(1);
    node.send(go());
    stepUnreadable(11);

    List<Event> after = node.history(1);
    assertThat(after.subList(0, before.size())).isEqualTo(before);
    assertThat(after).hasSize(before.size() + 1);
    assertThat(after.getLast().id()).isEqualTo(99_999);
    assertThat(failureOf(1).subject())
        .isEqualTo(new PoisonSubject.FailedDeserialization(ORDER_7, 1, "event 2: unknown type"));
    assertFailed(
        1,
        "poison: orchestration order-7 history deserialization failed after 11 attempts (max 10):"
            + " event 2: unknown type");
    assertThat(node.fetch()).isEmpty();
  }

  @Test
  @DisplayName("RT-07 unreadable history: parent and children are told all the same")
  void unreadableChild() throws InterruptedException {
    startWithChild();
    stepUnreadable(11);

    assertThat(inboxOf("boss"))
        .containsExactly(new WorkItem.SubOrchFailed("boss", 3, 9, failureOf(1)));
    assertThat(inboxOf("ship-7"))
        .containsExactly(new WorkItem.CancelInstance("ship-7", "parent failed", linkTo(3)));
  }

  private void startWithChild() throws InterruptedException {
    node.send(start("Order", "in", PARENT));
    node.step();
    LockedOrchestration child = node.fetch().orElseThrow();
    node.provider.commitTurn(
        new TurnSource.Fetched(child.lockToken()),
        TurnCommit.events(
            1, List.of(), ExecutionMetadata.started("Ship", "1.0.0").withParent(linkTo(3))),
        WorkClaim.NONE);
    node.send(go());
  }

  @ParameterizedTest
  @ValueSource(strings = {"instanceInfo order-7", "listChildren order-7", "instanceInfo ship-7"})
  @DisplayName("RT-07 unreadable history: while the store is away the end waits, it is not silent")
  void unreadableInAnOutage(String away) throws InterruptedException {
    startWithChild();
    node.faults.fail(away, ProviderException.Kind.UNAVAILABLE);
    stepUnreadable(11);
    assertThat(node.history(1)).hasSize(5);

    node.faults.heal();
    node.advance(Duration.ofMillis(50));
    stepUnreadable(11);
    assertThat(inboxOf("boss"))
        .containsExactly(new WorkItem.SubOrchFailed("boss", 3, 9, failureOf(1)));
    assertThat(inboxOf("ship-7"))
        .containsExactly(new WorkItem.CancelInstance("ship-7", "parent failed", linkTo(3)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"listChildren order-7", "instanceInfo ship-7"})
  @DisplayName("RT-07 unreadable history: a child that is gone does not keep the parent waiting")
  void unreadableWithLostChild(String refused) throws InterruptedException {
    startWithChild();
    node.faults.fail(refused, ProviderException.Kind.NOT_FOUND);
    stepUnreadable(11);

    assertThat(inboxOf("boss"))
        .containsExactly(new WorkItem.SubOrchFailed("boss", 3, 9, failureOf(1)));
  }

  @Test
  @DisplayName("unreadable history: what comes after its end is consumed, not tried for ever")
  void unreadableAfterItsEnd() throws InterruptedException {
    node.send(start("Order", "in", null));
    node.step();
    putTheChildAside();
    node.send(go());
    stepUnreadable(11);
    node.send(go());
    stepUnreadable(11);

    node.advance(Duration.ofSeconds(5));
    assertThat(node.fetch()).isEmpty();
    assertThat(node.history(1)).hasSize(6);
  }

  /** Another orchestration asks for a child with an id that is taken. */
  private void collide() {
    node.send(start("Order", "in", RIVAL));
  }

  private void assertRivalIsRefused() throws InterruptedException {
    assertThat(inboxOf("rival"))
        .singleElement()
        .isInstanceOfSatisfying(
            WorkItem.SubOrchFailed.class,
            refusal -> {
              assertThat(refusal.id()).isEqualTo(RIVAL.scheduleId());
              assertThat(refusal.details().displayMessage()).contains("'order-7' already exists");
            });
  }

  private void startWithoutChild() throws InterruptedException {
    node.send(start("Order", "in", PARENT));
    node.step();
    putTheChildAside();
  }

  @Test
  @DisplayName("RT-05 poison: the parent of a colliding start is refused, not left waiting")
  void poisonRefusesCollision() throws InterruptedException {
    startWithoutChild();
    collide();
    node.stepTooOften();

    assertRivalIsRefused();
  }

  @Test
  @DisplayName("RT-05 poison of a start nobody can run: the second parent is refused")
  void unregisteredRefusesCollision() throws InterruptedException {
    node.send(start("Gone", "in", PARENT));
    collide();
    node.stepTooOften();

    assertRivalIsRefused();
    assertThat(inboxOf("boss"))
        .containsExactly(new WorkItem.SubOrchFailed("boss", 3, 9, failureOf(1)));
  }

  @Test
  @DisplayName("RT-05 end by an incompatible version: the parent of a colliding start is refused")
  void incompatibleRefusesCollision() throws InterruptedException {
    startWithoutChild();
    collide();
    node.cache.close();
    LockedOrchestration locked = node.fetch().orElseThrow();
    EventStamp newer = new EventStamp(Turns.NOON, "99.0.0");
    List<Event> history =
        locked.item().history().events().stream()
            .map(e -> new Event(e.execution(), e.id(), e.source(), newer, e.kind()))
            .toList();
    node.process(withHistory(locked, StoredHistory.of(history), 11));

    assertThat(node.provider.status(ORDER_7).orElseThrow().output())
        .startsWith("incompatible version: order-7/1 is pinned to framework version 99.0.0");
    assertRivalIsRefused();
  }

  @Test
  @DisplayName("RT-05 a turn that the store refuses: the parent of a colliding start is refused")
  void refusedTurnRefusesCollision() throws InterruptedException {
    startWithoutChild();
    collide();
    node.faults.failOnce("commitTurn", ProviderException.Kind.UNKNOWN_PERMANENT);
    node.step();

    assertThat(node.provider.status(ORDER_7).orElseThrow().status())
        .isEqualTo(ExecutionStatus.FAILED);
    assertRivalIsRefused();
  }

  @Test
  @DisplayName("RT-05 unreadable history: the parent of a colliding start is refused")
  void unreadableRefusesCollision() throws InterruptedException {
    startWithoutChild();
    collide();
    stepUnreadable(11);

    assertRivalIsRefused();
    assertThat(inboxOf("boss"))
        .containsExactly(new WorkItem.SubOrchFailed("boss", 3, 9, failureOf(1)));
  }

  @Test
  @DisplayName("RT-05 unreadable history after its end: whoever asks for the instance is answered")
  void unreadableEndAnswersStarts() throws InterruptedException {
    startWithoutChild();
    node.send(go());
    stepUnreadable(11);
    node.send(start("Order", "in", PARENT));
    collide();
    stepUnreadable(11);

    assertRivalIsRefused();
    WorkItem told = new WorkItem.SubOrchFailed("boss", 3, 9, failureOf(1));
    assertThat(inboxOf("boss")).containsExactly(told, told);
  }
}
