package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.Inheritance;
import io.duroxide.model.Retention;
import io.duroxide.model.SystemActivities;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

class TurnCountTest {
  private final List<Event> history = new ArrayList<>();
  private Instant now = Turns.NOON;

  private TurnCountTest then(EventKind... kinds) {
    for (EventKind kind : kinds) {
      add(null, kind);
    }
    return this;
  }

  private TurnCountTest answer(long source, EventKind kind) {
    add(source, kind);
    return this;
  }

  private void add(Long source, EventKind kind) {
    EventStamp stamp = new EventStamp(now, "0.1.0");
    history.add(new Event(Turns.KEY, history.size() + 1, source, stamp, kind));
  }

  private TurnCountTest later() {
    now = now.plusMillis(1);
    return this;
  }

  private static EventKind started() {
    return new EventKind.OrchestrationStarted("Order", "1.0.0", "in", null, Inheritance.NOTHING);
  }

  private static EventKind activity(String name) {
    return new EventKind.ActivityScheduled(name, "", null, null);
  }

  private static EventKind completed() {
    return new EventKind.ActivityCompleted("done");
  }

  private static EventKind raised() {
    return new EventKind.ExternalEvent("go", "");
  }

  private int turns() {
    return TurnCount.of(history);
  }

  @Test
  @DisplayName("nothing recorded, no turn; a start and what the code did is one")
  void first() {
    assertThat(turns()).isZero();
    then(started()).later().then(activity("A"), activity("B"));
    assertThat(turns()).isEqualTo(1);
  }

  @Test
  @DisplayName("what arrives behind something the code did begins a turn, whatever the clock says")
  void arrivals() {
    then(started(), activity("A")).answer(2, completed()).then(activity("B"));
    answer(4, completed()).then(new EventKind.OrchestrationCompleted("out"));

    assertThat(turns()).isEqualTo(3);
  }

  @Test
  @DisplayName("arrivals in a row are one turn if they bear one time, else several")
  void rows() {
    then(started(), activity("A"), activity("B"), activity("C"));
    later().answer(2, completed()).answer(3, completed());
    assertThat(turns()).isEqualTo(2);
    later().answer(4, completed());
    assertThat(turns()).isEqualTo(3);
  }

  @Test
  @DisplayName("what came with the start belongs to the first turn")
  void withTheStart() {
    then(started()).later().then(raised(), activity("A"));

    assertThat(turns()).isEqualTo(1);
  }

  @Test
  @DisplayName("a cancel begins a turn")
  void cancel() {
    then(started(), activity("A"), new EventKind.OrchestrationCancelRequested("left"));

    assertThat(turns()).isEqualTo(2);
  }

  @Test
  @DisplayName("a system call that the turn answered itself begins none; one by a worker does")
  void systemCalls() {
    then(started(), activity(SystemActivities.NEW_GUID)).answer(2, completed());
    then(activity(SystemActivities.UTC_NOW)).answer(4, completed());
    assertThat(turns()).isEqualTo(1);

    then(new EventKind.HistoryPruneRequested(Retention.keepLast(1)));
    answer(6, new EventKind.HistoryPruned(0, 0, 1, null, null));
    assertThat(turns()).isEqualTo(1);

    then(activity(SystemActivities.UTC_NOW)).later().answer(8, completed());
    assertThat(turns()).isEqualTo(2);
  }
}
