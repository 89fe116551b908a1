package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.TurnCommit;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** MEXEC: each execution has its own history (8.4). */
public abstract class ExecutionsTck extends ProviderTck {
  /** For subclasses. */
  protected ExecutionsTck() {}

  @Test
  @DisplayName("TCK-MEXEC-01 histories of two executions are apart")
  void isolation() {
    create("x");
    append("x", 1, Events.scheduled(first("x"), 2, 3));
    append("x", 2, List.of(Events.started(second("x")), Events.scheduled(second("x"), 2)));

    assertThat(provider.readWithExecution(first("x"))).hasSize(3);
    assertThat(provider.readWithExecution(second("x"))).hasSize(2);
    assertThat(provider.read("x")).isEqualTo(provider.readWithExecution(second("x")));
  }

  @Test
  @DisplayName("TCK-MEXEC-02 a read without an execution shows the latest")
  void latest() {
    Event a = event("x", 1, "A");
    Event b = event("x", 2, "B");
    start("x");
    ack(fetched("x"), TurnCommit.events(1, List.of(a), identity()));
    append("x", 2, List.of(b));

    assertThat(provider.read("x")).containsExactly(b);
    assertThat(provider.readWithExecution(first("x"))).containsExactly(a);
  }

  @Test
  @DisplayName("TCK-MEXEC-03 only an ack moves an instance to a higher execution")
  void sequencing() {
    create("x");
    start("x");
    LockedOrchestration repeated = fetched("x");
    assertThat(repeated.item().execution()).isEqualTo(first("x"));
    drain(repeated);
    enqueue(Items.continueAsNew("x"));
    LockedOrchestration continued = fetched("x");
    assertThat(continued.item().execution()).isEqualTo(first("x"));

    ack(continued, firstTurn(second("x")));

    poke("x");
    assertThat(fetched("x").item().execution()).isEqualTo(second("x"));
  }

  @Test
  @DisplayName("TCK-MEXEC-04 continue-as-new begins a new execution")
  void continued() {
    create("x");

    continueAsNew("x", 2);

    poke("x");
    LockedOrchestration locked = fetched("x");
    assertThat(locked.item().execution()).isEqualTo(second("x"));
    assertThat(history(locked)).containsExactly(Events.started(second("x")));
  }

  @Test
  @DisplayName("TCK-MEXEC-05 every execution stays readable")
  void persistence() {
    create("x");
    append("x", 2, List.of(event("x", 2, "two")));
    append("x", 3, List.of(event("x", 3, "three")));

    assertThat(provider.readWithExecution(first("x"))).containsExactly(Events.started(first("x")));
    assertThat(provider.readWithExecution(second("x"))).containsExactly(event("x", 2, "two"));
    assertThat(provider.readWithExecution(new ExecutionKey("x", 3)))
        .isEqualTo(provider.read("x"))
        .containsExactly(event("x", 3, "three"));
  }

  @Test
  @DisplayName("TCK-MEXEC-06 an ack for an older execution does not move the instance back")
  void noWayBack() {
    create("x");
    append("x", 2, List.of(event("x", 2, "two")));
    append("x", 3, List.of(event("x", 3, "three")));
    Event late = Events.scheduled(second("x"), 2);

    append("x", 2, List.of(late));

    assertThat(provider.readWithExecution(second("x"))).containsExactly(event("x", 2, "two"), late);
    assertThat(provider.read("x")).containsExactly(event("x", 3, "three"));
    poke("x");
    assertThat(fetched("x").item().execution()).isEqualTo(new ExecutionKey("x", 3));
  }

  @Test
  @DisplayName("TCK-MEXEC-07 until the next execution starts, the old one is the current one")
  void transitional() {
    create("x");

    endForContinue("x");

    assertThat(provider.read("x")).isEqualTo(provider.readWithExecution(first("x"))).hasSize(2);
    poke("x");
    LockedOrchestration locked = fetched("x");
    assertThat(locked.item().execution()).isEqualTo(first("x"));
    assertThat(history(locked)).hasSize(2);
  }

  @Test
  @DisplayName("TCK-MEXEC-08 a fetch brings the history of the current execution alone")
  void fetchesCurrent() {
    create("x");
    continueAsNew("x", 2);
    continueAsNew("x", 3);

    poke("x");

    assertThat(history(fetched("x"))).containsExactly(Events.started(new ExecutionKey("x", 3)));
  }

  @Test
  @Needs.Management
  @DisplayName("TCK-MEXEC-09 each execution keeps its status, output and times")
  void statusPerExecution() {
    create("x");
    advance(10);
    continueAsNew("x", 2);
    advance(10);
    complete("x");

    ExecutionInfo one = admin().executionInfo(first("x"));
    ExecutionInfo two = admin().executionInfo(second("x"));
    assertThat(one.status()).isEqualTo(ExecutionStatus.CONTINUED_AS_NEW);
    assertThat(one.output()).isEqualTo("{}");
    assertThat(two.status()).isEqualTo(ExecutionStatus.COMPLETED);
    assertThat(two.output()).isEqualTo("done");
    assertThat(one.completedAt()).isAfter(one.startedAt());
    assertThat(two.startedAt()).isAfterOrEqualTo(one.completedAt());
    assertThat(two.completedAt()).isAfter(two.startedAt());
  }

  @Test
  @DisplayName("TCK-MEXEC-10 two executions may use the same event ids")
  void equalIds() {
    create("x");

    append("x", 2, List.of(event("x", 2, "two")));

    assertThat(provider.readWithExecution(first("x"))).extracting(Event::id).containsExactly(1L);
    assertThat(provider.readWithExecution(second("x"))).extracting(Event::id).containsExactly(1L);
  }

  @Test
  @DisplayName("TCK-MEXEC-11 events are stored where the lock and the commit say")
  void strayBodies() {
    create("x");
    Event stray = Events.scheduled(new ExecutionKey("elsewhere", 7), 2);

    append("x", 1, List.of(stray));

    assertThat(provider.readWithExecution(first("x")))
        .extracting(Event::id)
        .containsExactly(1L, 2L);
    assertThat(provider.read("elsewhere")).isEmpty();
    assertThat(provider.readWithExecution(new ExecutionKey("elsewhere", 7))).isEmpty();
    assertThat(provider.readWithExecution(new ExecutionKey("x", 7))).isEmpty();
  }

  @Test
  @DisplayName("TCK-MEXEC-12 a history of 10 000 events is fetched whole and in order")
  void longHistory() {
    create("x");
    List<Event> all = new ArrayList<>(provider.read("x"));
    for (int i = 0; i < 100; i++) {
      long last = all.getLast().id();
      List<Event> delta = Events.scheduled(first("x"), last + 1, Math.min(last + 100, 10_000));
      append("x", 1, delta);
      all.addAll(delta);
    }

    poke("x");

    assertThat(all).hasSize(10_000);
    assertThat(history(fetched("x"))).isEqualTo(all);
    assertThat(provider.read("x")).isEqualTo(all);
  }

  private static ExecutionKey second(String instance) {
    return first(instance).next();
  }

  /** Event 1 of an execution, with a text to tell it by. */
  private static Event event(String instance, long execution, String text) {
    return Events.of(
        new ExecutionKey(instance, execution), 1, new EventKind.ExternalEvent("signal", text));
  }

  /** A turn that appends events to this execution. */
  private void append(String instance, long execution, List<Event> delta) {
    poke(instance);
    ack(fetched(instance), TurnCommit.events(execution, delta, identity()));
  }
}
