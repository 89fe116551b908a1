package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

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
}
