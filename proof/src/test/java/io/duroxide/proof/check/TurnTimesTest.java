package io.duroxide.proof.check;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("A time before the last turn")
class TurnTimesTest {
  private static final EventKind STARTED =
      new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, Inheritance.NOTHING);
  private static final EventKind MAIL = new EventKind.QueueEventDelivered("mail", "m");
  private static final EventKind WAIT = new EventKind.QueueSubscribed("mail");
  private static final EventKind CONTINUED = new EventKind.OrchestrationContinuedAsNew("{}");
  private static final EventKind DONE = new EventKind.OrchestrationCompleted("{}");

  private final List<Event> history = new ArrayList<>();

  private void add(long at, EventKind... kinds) {
    EventStamp stamp = new EventStamp(Instant.ofEpochMilli(at), "1.0.0");
    for (EventKind kind : kinds) {
      history.add(new Event(new ExecutionKey("x", 1), history.size() + 1L, null, stamp, kind));
    }
  }

  private long beforeLast() {
    return TurnTimes.beforeLast(new TreeMap<>(Map.of(1L, List.copyOf(history))));
  }

  @Test
  @DisplayName("is when something of the turn before was recorded")
  void turnBefore() {
    add(10, STARTED, WAIT);
    add(20, MAIL, WAIT);
    add(30, MAIL);
    add(31, DONE);

    assertThat(beforeLast()).isEqualTo(20);
  }

  @Test
  @DisplayName("is not when the only turn was computed, long after it was fetched")
  void onlyTurn() {
    add(10, STARTED);
    add(11, WAIT);
    add(12, DONE);

    assertThat(beforeLast()).isEqualTo(TurnTimes.NEVER);
  }

  @Test
  @DisplayName("is not when the first turn began, if that had messages and was the last")
  void onlyTurnWithMail() {
    add(10, STARTED);
    add(11, MAIL, WAIT);
    add(12, DONE);

    assertThat(beforeLast()).isEqualTo(TurnTimes.NEVER);
  }

  @Test
  @DisplayName("is when the execution before ended, if the last one had one turn")
  void executionBefore() {
    add(10, STARTED, WAIT);
    add(20, MAIL);
    add(21, CONTINUED);
    List<Event> before = List.copyOf(history);
    history.clear();
    add(30, STARTED);
    add(31, WAIT);
    add(32, DONE);

    assertThat(TurnTimes.beforeLast(new TreeMap<>(Map.of(1L, before, 2L, history)))).isEqualTo(21);
  }

  @Test
  @DisplayName("is when the last turn was recorded, if the instance goes on")
  void goesOn() {
    add(10, STARTED, WAIT);
    add(20, MAIL, WAIT);

    assertThat(beforeLast()).isEqualTo(20);
  }
}
