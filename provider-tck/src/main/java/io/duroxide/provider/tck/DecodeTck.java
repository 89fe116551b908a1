package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.PoisonSubject;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.TurnCommit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** CAP: history that cannot be decoded. */
public abstract class DecodeTck extends CapabilitySteps {
  /** The id under which the runtime records that it gave up on a history it cannot read. */
  private static final long SENTINEL = 99_999;

  /** For subclasses. */
  protected DecodeTck() {}

  @Test
  @Needs.Damage
  @DisplayName("TCK-CAP-15 damaged history comes back as an item, unless the filter excludes it")
  void filteredOrNot() {
    waiting("x", "1.0.0");
    fixture().corruptHistory("x", HistoryDamage.WRONG_SHAPE);
    nothingIn(TWO);
    unreadable(fetched("x"));
  }

  @Test
  @Needs.Damage
  @Needs.Attempts
  @DisplayName("TCK-CAP-16 fetching damaged history counts the attempt in the store")
  void attemptIsStored() {
    damaged("x");
    for (int i = 0; i < 2; i++) {
      abandon(fetched(Duration.ofMillis(50)));
    }
    assertThat(fixture().maxAttemptCount("x")).isGreaterThanOrEqualTo(2);
  }

  @Test
  @Needs.Damage
  @DisplayName("TCK-CAP-17 damaged history keeps coming back until the runtime gives up")
  void manyAttempts() {
    damaged("x");
    int attempts = 0;
    for (int i = 0; i < 5; i++) {
      LockedOrchestration locked = fetched("x");
      unreadable(locked);
      attempts = locked.attemptCount();
      abandon(locked);
    }
    assertThat(attempts).isGreaterThanOrEqualTo(5);
  }

  @Test
  @Needs.Damage
  @DisplayName("TCK-CAP-18 the filter decides before the history is looked at")
  void filterFirst() {
    waiting("x", "99.0.0");
    fixture().corruptHistory("x", HistoryDamage.NOT_PARSEABLE);
    nothingIn(range("1.0.0", "2.0.0"));
    unreadable(fetched("x"));
  }

  @Test
  @Needs.Damage
  @Needs.Management
  @DisplayName("TCK-CAP-20 a failure can be appended to damaged history")
  void poisonCommit() {
    damaged("x");
    LockedOrchestration locked = fetched("x");
    String error = unreadable(locked);
    giveUp(locked, error);
    InstanceInfo info = admin().instanceInfo("x");
    assertThat(info.status()).isEqualTo(ExecutionStatus.FAILED);
    assertThat(info.output()).contains(error);
  }

  @Test
  @Needs.Damage
  @DisplayName("TCK-CAP-31 every kind of damage yields an error, no history, and the lock")
  void everyDamage() {
    for (HistoryDamage damage : HistoryDamage.values()) {
      String instance = "x-" + damage;
      createLong(instance);
      fixture().corruptHistory(instance, damage);
      poke(instance);
      LockedOrchestration locked = fetched(instance);
      unreadable(locked);
      nothingToFetch();
      drain(locked);
    }
  }

  @Test
  @Needs.Damage
  @DisplayName("TCK-CAP-32 attempts at damaged history are counted one by one")
  void countsAttempts() {
    damaged("x");
    for (int attempt = 1; attempt <= 4; attempt++) {
      LockedOrchestration locked = fetched("x");
      assertThat(locked.attemptCount()).isEqualTo(attempt);
      abandon(locked);
    }
  }

  @Test
  @Needs.Damage
  @DisplayName("TCK-CAP-33 a damaged older execution does not disturb the current one")
  void olderExecution() {
    damaged("x");
    LockedOrchestration last = fetched("x");
    ack(
        last,
        TurnCommit.events(
            1,
            List.of(
                Events.of(
                    last.item().execution(), 50, new EventKind.OrchestrationContinuedAsNew("{}"))),
            identity().withStatus(ExecutionStatus.CONTINUED_AS_NEW, "{}")));
    enqueue(Items.continueAsNew("x"));
    ExecutionKey second = new ExecutionKey("x", 2);
    ack(fetched("x"), firstTurn(second));
    poke("x");
    LockedOrchestration locked = fetched("x");
    assertThat(locked.item().history()).isInstanceOf(StoredHistory.Whole.class);
    assertThat(history(locked)).containsExactly(Events.started(second));
    fails(Kind.CORRUPT_DATA, () -> provider.readWithExecution(new ExecutionKey("x", 1)));
  }

  @Test
  @Needs.Damage
  @DisplayName("TCK-CAP-34 after the runtime gave up, reads fail and messages can be drained")
  void afterPoison() {
    damaged("x");
    LockedOrchestration locked = fetched("x");
    giveUp(locked, unreadable(locked));
    fails(Kind.CORRUPT_DATA, () -> provider.read("x"));
    poke("x");
    LockedOrchestration late = fetched("x");
    unreadable(late);
    assertThat(messages(late)).containsExactly(Items.raised("x", "poke"));
    drain(late);
    nothingToFetch();
  }

  @Test
  @Needs.Damage
  @DisplayName("TCK-CAP-35 damaged history does not delay other instances")
  void othersFlow() {
    create("y");
    damaged("x");
    poke("y");
    LockedOrchestration locked = fetched("x");
    assertThat(history(fetched("y"))).hasSize(1);
    abandon(locked);
    unreadable(fetched("x"));
  }

  @Test
  @DisplayName("TCK-CAP-36 old framework versions in events come back unchanged")
  void oldStamps() {
    ExecutionKey execution = new ExecutionKey("x", 1);
    List<Event> events = new ArrayList<>();
    for (String version : List.of("0.1.0", "0.1.26", "0.0.0", "0.1.27-beta.1", "")) {
      long id = events.size() + 1L;
      EventStamp stamp = new EventStamp(Instant.ofEpochMilli(1_600_000_000_000L + id), version);
      EventKind kind = id == 1 ? Events.started(execution).kind() : message(id);
      events.add(new Event(execution, id, null, stamp, kind));
    }
    start("x");
    ack(fetched("x"), TurnCommit.events(1, events, identity()));
    assertThat(provider.read("x")).isEqualTo(events);
    poke("x");
    assertThat(history(fetched("x"))).isEqualTo(events);
  }

  private static EventKind message(long id) {
    return new EventKind.QueueEventDelivered("mailbox", "message " + id);
  }

  /** An instance with a message waiting and history that cannot be decoded. */
  private void damaged(String instance) {
    create(instance);
    poke(instance);
    fixture().corruptHistory(instance, HistoryDamage.WRONG_SHAPE);
  }

  /** An instance with ten events. */
  private void createLong(String instance) {
    ExecutionKey execution = new ExecutionKey(instance, 1);
    List<Event> events = new ArrayList<>(Events.scheduled(execution, 2, 10));
    events.addFirst(Events.started(execution));
    start(instance);
    ack(fetched(instance), TurnCommit.events(1, events, identity()));
  }

  private void abandon(LockedOrchestration locked) {
    provider.abandonOrchestrationItem(locked.lockToken(), Duration.ZERO, false);
  }

  /** Checks that nothing of the history is shown, and tells why. */
  private static String unreadable(LockedOrchestration locked) {
    assertThat(locked.item().history()).isInstanceOf(StoredHistory.Unreadable.class);
    String error = ((StoredHistory.Unreadable) locked.item().history()).error();
    assertThat(error).isNotBlank();
    return error;
  }

  private void giveUp(LockedOrchestration locked, String error) {
    ExecutionKey execution = locked.item().execution();
    ErrorDetails poison =
        new ErrorDetails.Poison(
            11, 10, new PoisonSubject.FailedDeserialization(execution.instance(), 1, error), error);
    Event failed = Events.of(execution, SENTINEL, new EventKind.OrchestrationFailed(poison));
    ack(
        locked,
        TurnCommit.events(
            1,
            List.of(failed),
            identity().withStatus(ExecutionStatus.FAILED, poison.displayMessage())));
  }
}
