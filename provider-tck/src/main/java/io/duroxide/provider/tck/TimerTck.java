package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.TurnCommit;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** QUEUE: timers are visible from their time on (4). */
public abstract class TimerTck extends ProviderTck {
  private static final Duration SOON = Duration.ofSeconds(10);
  private static final Instant NEVER = Instant.ofEpochMilli(Long.MAX_VALUE);

  /** For subclasses. */
  protected TimerTck() {}

  @Test
  @DisplayName("TCK-QUEUE-04 a timer queued with a delay comes after it")
  void delayed() {
    create("x");
    WorkItem timer = Items.timer("x", 2, Instant.EPOCH);

    enqueue(timer, Duration.ofSeconds(5));

    nothingToFetch();
    advance(5100);
    assertThat(messages(fetched("x"))).containsExactly(timer);
  }

  @Test
  @DisplayName("TCK-QUEUE-09 a timer set by an ack comes at its time")
  void byAck() {
    create("x");
    poke("x");
    WorkItem timer = Items.timer("x", 2, provider.now().plusMillis(700));

    ack(fetched("x"), TurnCommit.nothing(1).withOrchestratorItems(List.of(timer)));

    nothingToFetch();
    advance(800);
    assertThat(messages(fetched("x"))).containsExactly(timer);
  }

  @Test
  @DisplayName("TCK-QUEUE-10 the later of fire time and delay decides")
  void laterDecides() {
    for (String x : List.of("fire time", "delay", "fire time alone")) {
      create(x);
    }
    Instant now = provider.now();
    enqueue(Items.timer("fire time", 2, now.plusMillis(1500)), Duration.ofMillis(300));
    enqueue(Items.timer("delay", 2, now.plusMillis(300)), Duration.ofMillis(2500));
    enqueue(Items.timer("fire time alone", 2, now.plusMillis(700)));

    nothingToFetch();
    advance(800);
    fetched("fire time alone");
    nothingToFetch();
    advance(800);
    fetched("fire time");
    nothingToFetch();
    advance(1000);
    fetched("delay");
  }

  @Test
  @DisplayName("TCK-QUEUE-11 a past fire time is visible at once, the last instant never")
  void extremes() {
    create("x");
    WorkItem past = Items.timer("x", 2, provider.now().minusSeconds(60));
    WorkItem zero = Items.timer("x", 3, Instant.EPOCH);
    enqueue(past);
    enqueue(zero);
    enqueue(Items.timer("x", 4, NEVER));
    LockedOrchestration locked = fetched("x");
    assertThat(messages(locked)).containsExactly(past, zero);

    ack(
        locked,
        TurnCommit.nothing(1)
            .withOrchestratorItems(List.of(past, zero, Items.timer("x", 5, NEVER))));

    LockedOrchestration next = fetched("x");
    assertThat(messages(next)).containsExactly(past, zero);
    drain(next);
    advance(1000);
    nothingToFetch();
  }

  private void setTimers(WorkItem... timers) {
    poke("x");
    ack(fetched("x"), TurnCommit.nothing(1).withOrchestratorItems(List.of(timers)));
  }

  private void withdraw(Long... timers) {
    poke("x");
    ack(fetched("x"), TurnCommit.nothing(1).withWithdrawnTimers(List.of(timers)));
  }

  @Test
  @Needs.WithdrawnTimers
  @DisplayName("TCK-QUEUE-67 a withdrawn timer is gone, its twin of the same fire time stays")
  void withdrawn() {
    create("x");
    create("y");
    Instant due = provider.now().plus(SOON);
    setTimers(Items.timer("x", 2, due), Items.timer("x", 3, due), Items.timer("x", 22, due));
    poke("y");
    ack(
        fetched("y"),
        TurnCommit.nothing(1).withOrchestratorItems(List.of(Items.timer("y", 2, due))));

    withdraw(2L);

    advance(SOON.plus(SLACK));
    LockedOrchestration x = fetched("x");
    assertThat(messages(x)).containsExactly(Items.timer("x", 3, due), Items.timer("x", 22, due));
    assertThat(messages(fetched("y"))).containsExactly(Items.timer("y", 2, due));
  }

  @Test
  @Needs.WithdrawnTimers
  @DisplayName("TCK-QUEUE-67 a timer that is withdrawn last leaves nothing to wait for")
  void lastWithdrawn() {
    create("x");
    setTimers(Items.timer("x", 2, provider.now().plus(SOON)));

    withdraw(2L);

    advance(SOON.plus(SLACK));
    nothingToFetch();
    poke("x");
    assertThat(messages(fetched("x"))).containsExactly(Items.raised("x", "poke"));
  }

  @Test
  @Needs.WithdrawnTimers
  @DisplayName("TCK-QUEUE-67 unknown timers, and those of the batch, are ignored")
  void withdrawnInVain() {
    create("x");
    WorkItem timer = Items.timer("x", 2, provider.now().plus(SOON));
    setTimers(timer);
    advance(SOON.plus(SLACK));
    LockedOrchestration locked = fetched("x");
    assertThat(messages(locked)).containsExactly(timer);

    ack(locked, TurnCommit.nothing(1).withWithdrawnTimers(List.of(2L, 77L)));

    nothingToFetch();
  }

  @Test
  @Needs.WithdrawnTimers
  @DisplayName("TCK-QUEUE-68 completing removes the timers of its execution and no others")
  void removedByCompletion() {
    removedAtTheEnd(ExecutionStatus.COMPLETED);
  }

  @Test
  @Needs.WithdrawnTimers
  @DisplayName("TCK-QUEUE-68 failing removes the timers of its execution and no others")
  void removedByFailure() {
    removedAtTheEnd(ExecutionStatus.FAILED);
  }

  @Test
  @Needs.WithdrawnTimers
  @DisplayName("TCK-QUEUE-68 continuing as new removes the timers of its execution and no others")
  void removedByContinuation() {
    removedAtTheEnd(ExecutionStatus.CONTINUED_AS_NEW);
  }

  private void removedAtTheEnd(ExecutionStatus status) {
    create("x");
    create("y");
    Instant due = provider.now().plus(SOON);
    WorkItem next = new WorkItem.TimerFired("x", 2, 2, due);
    WorkItem tenth = new WorkItem.TimerFired("x", 10, 2, due);
    setTimers(Items.timer("x", 2, due), next, Items.timer("x", 13, due), tenth);
    poke("y");
    ack(
        fetched("y"),
        TurnCommit.nothing(1).withOrchestratorItems(List.of(Items.timer("y", 2, due))));
    poke("x");
    LockedOrchestration locked = fetched("x");
    WorkItem sent = Items.raised("y", "sent at the end");

    ack(
        locked,
        next(
                locked,
                new EventKind.OrchestrationCompleted("done"),
                identity().withStatus(status, "done"))
            .withOrchestratorItems(List.of(sent)));

    advance(SOON.plus(SLACK));
    assertThat(messages(fetched("y"))).containsExactly(sent, Items.timer("y", 2, due));
    assertThat(messages(fetched("x"))).containsExactly(next, tenth);
    nothingToFetch();
  }
}
