package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.MessageBatch;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.TurnCommit;
import io.duroxide.telemetry.ExecutionEvent;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** What is remembered of executions, on one node and when another has taken over. */
class TallyTest {
  private static final ExecutionKey KEY = Turns.KEY;

  private final Tallies tallies = new Tallies(10);
  private final List<Event> history = new ArrayList<>();
  private Instant now = Turns.NOON;

  private static EventKind started() {
    return new EventKind.OrchestrationStarted(
        "Order", "1.0.0", "in", Turns.PARENT, Inheritance.NOTHING);
  }

  private Event event(Long source, EventKind kind) {
    Event event = new Event(KEY, history.size() + 1, source, new EventStamp(now, "0.1.0"), kind);
    history.add(event);
    return event;
  }

  private static EventKind timer() {
    return new EventKind.TimerCreated(Turns.NOON);
  }

  private static EventKind fired() {
    return new EventKind.TimerFired(Turns.NOON);
  }

  private static EventKind child(String instance) {
    return new EventKind.SubOrchestrationScheduled("Ship", instance, "in");
  }

  /** A turn that this node takes, having been given {@code known}. */
  private Tally turn(StoredHistory known, Event... delta) {
    return tallies.take(record(known, delta));
  }

  private static TurnRecord record(StoredHistory known, Event... delta) {
    OrchestrationItem item =
        new OrchestrationItem(
            KEY, "Order", "1.0.0", known, new MessageBatch(List.<WorkItem>of(), null));
    return new TurnRecord(item, TurnCommit.events(1, List.of(delta), ExecutionMetadata.NONE));
  }

  private StoredHistory all() {
    return StoredHistory.of(history);
  }

  private static StoredHistory nothing() {
    return StoredHistory.of(List.of());
  }

  @Test
  @DisplayName("an execution is remembered from its first turn on, with parent and start")
  void fromTheStart() {
    Event first = event(null, started());
    Tally tally = turn(nothing(), first);
    tally.add(List.of(first));

    assertThat(tally.execution().parent()).isEqualTo(Turns.PARENT);
    assertThat(tally.totals()).isEqualTo(new ExecutionEvent.Totals(Turns.NOON, 1, 1));
  }

  @Test
  @DisplayName("silent turns within a millisecond are told apart by the node that takes them")
  void exactOnOneNode() {
    List<Event> delta = List.of(event(null, started()), event(null, timer()), event(null, timer()));
    Tally tally = turn(nothing(), delta.getFirst());
    tally.add(delta);
    tallies.keep(tally);
    for (long timer = 2; timer <= 3; timer++) {
      StoredHistory replayed = all();
      Event answer = event(timer, fired());
      tally = turn(replayed, answer);
      tally.add(List.of(answer));
      tallies.keep(tally);
    }

    assertThat(tally.totals().turns()).isEqualTo(3);
    assertThat(tally.totals().events()).isEqualTo(5);
  }

  @Test
  @DisplayName("a node that takes over infers from history what it did not see")
  void takenOver() {
    event(null, started());
    event(null, timer());
    now = now.plusSeconds(5);
    event(2L, fired());
    event(null, timer());
    StoredHistory known = all();
    Event answer = event(4L, fired());

    Tally tally = turn(known, answer);
    tally.add(List.of(answer));

    assertThat(tally.totals()).isEqualTo(new ExecutionEvent.Totals(Turns.NOON, 3, 5));
  }

  @Test
  @DisplayName("turns of another node in between are caught up with, from newer events alone")
  void inBetween() {
    List<Event> delta = List.of(event(null, started()), event(null, timer()));
    Tally tally = turn(nothing(), delta.getFirst());
    tally.add(delta);
    tallies.keep(tally);
    Event elsewhere = event(2L, fired());
    Event more = event(null, timer());
    Event answer = event(4L, fired());

    Tally caughtUp = turn(new StoredHistory.Rest(2, List.of(elsewhere, more)), answer);
    caughtUp.add(List.of(answer));

    assertThat(caughtUp).isSameAs(tally);
    assertThat(caughtUp.totals().turns()).isEqualTo(3);
  }

  @Test
  @DisplayName("an instance that was deleted and started again is another")
  void startedAgain() {
    List<Event> delta = List.of(event(null, started()), event(null, timer()));
    Tally before = turn(nothing(), delta.getFirst());
    before.add(delta);
    tallies.keep(before);
    history.clear();
    now = now.plusSeconds(60);
    event(null, started());
    event(null, timer());
    StoredHistory known = all();
    Event answer = event(2L, fired());

    Tally after = turn(known, answer);

    assertThat(after).isNotSameAs(before);
    assertThat(after.totals().startedAt()).isEqualTo(now);
  }

  @Test
  @DisplayName("nobody knows how an execution began whose beginning was not fetched")
  void unknown() {
    assertThat(turn(new StoredHistory.Rest(7, List.of()))).isNull();
  }

  @Test
  @DisplayName("a child's call ends once: answered, failed or given up; known from history too")
  void children() {
    event(null, started());
    event(null, child("sub::2"));
    event(null, child("own"));
    event(null, child("sub::4"));
    now = now.plusSeconds(3);
    StoredHistory known = all();
    Event answered = event(2L, new EventKind.SubOrchestrationCompleted("ok"));
    Event failed = event(3L, new EventKind.SubOrchestrationFailed(null));
    Event givenUp = event(4L, new EventKind.SubOrchestrationCancelRequested("dropped"));
    Event late = event(4L, new EventKind.SubOrchestrationCompleted("late"));

    List<ExecutionEvent.ChildEnded> ended =
        turn(known, answered).add(List.of(answered, failed, givenUp, late));

    assertThat(ended)
        .extracting(ExecutionEvent.ChildEnded::end)
        .containsExactly(
            ExecutionEvent.ChildEnd.COMPLETED,
            ExecutionEvent.ChildEnd.FAILED,
            ExecutionEvent.ChildEnd.CANCELLED);
    assertThat(ended)
        .extracting(child -> child.child().instance())
        .containsExactly("order-7::sub::2", "own", "order-7::sub::4");
    assertThat(ended.getFirst().scheduledAt()).isEqualTo(Turns.NOON);
    assertThat(ended.getFirst().at()).isEqualTo(now);
  }

  @Test
  @DisplayName("only so many are remembered, the newest")
  void bounded() {
    for (int i = 0; i < 10_001; i++) {
      ExecutionKey key = new ExecutionKey("order-" + i, 1);
      tallies.keep(Tally.begin(key, new Event(key, 1, null, Turns.STAMP, started())));
    }

    assertThat(kept("order-0")).isNull();
    assertThat(kept("order-10000")).isNotNull();
  }

  private Tally kept(String instance) {
    OrchestrationItem item =
        new OrchestrationItem(
            new ExecutionKey(instance, 1),
            "Order",
            "1.0.0",
            new StoredHistory.Rest(1, List.of()),
            new MessageBatch(List.of(), null));
    return tallies.take(new TurnRecord(item, TurnCommit.nothing(1)));
  }
}
