package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.TurnCommit;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** QUEUE: due timers stand among the messages of an instance by their fire times. */
public abstract class DeliveryOrderTck extends ProviderTck {
  private Instant began = Instant.EPOCH;

  /** For subclasses. */
  protected DeliveryOrderTck() {}

  @BeforeEach
  void createInstance() {
    create("x");
    began = provider.now();
  }

  /** A timer that fires so many milliseconds after the test began. */
  private WorkItem timer(long id, long millis) {
    return Items.timer("x", id, began.plusMillis(millis));
  }

  private static WorkItem message(String data) {
    return Items.raised("x", data);
  }

  /** Sets timers as a turn does, in this order. */
  private void set(WorkItem... timers) {
    poke("x");
    ack(fetched("x"), TurnCommit.nothing(1).withOrchestratorItems(List.of(timers)));
  }

  private void sendAt(long millis, String... data) {
    advance(Duration.between(provider.now(), began.plusMillis(millis)));
    for (String each : data) {
      enqueue(message(each));
    }
  }

  private LockedOrchestration fetchedAt(long millis) {
    sendAt(millis);
    return fetched("x");
  }

  @Test
  @DisplayName("TCK-QUEUE-40 a due timer stands behind what arrived up to its fire time")
  void byFireTime() {
    set(timer(2, 1000), timer(3, 500), timer(4, 1000));
    sendAt(300, "a");
    sendAt(500, "b", "c");
    sendAt(700, "d");
    sendAt(1000, "e");
    sendAt(1001, "f");

    assertThat(messages(fetchedAt(60_000)))
        .containsExactly(
            message("a"),
            message("b"),
            message("c"),
            timer(3, 500),
            message("d"),
            message("e"),
            timer(2, 1000),
            timer(4, 1000),
            message("f"));
  }

  @Test
  @DisplayName("TCK-QUEUE-40 outcomes stand among them like any message")
  void outcomes() {
    set(timer(2, 1000));
    provider.enqueueForWorker(Items.activity("x", 3));
    advance(1000);
    provider.ackWorkItem(work(3).lockToken(), Items.completed("x", 3));

    assertThat(messages(fetchedAt(60_000)))
        .containsExactly(Items.completed("x", 3), timer(2, 1000));
  }

  @Test
  @DisplayName("TCK-QUEUE-41 a clock that was set back changes no order")
  void clockSetBack() {
    set(timer(2, 10_500));
    sendAt(10_000, "a");
    sendAt(8000, "b");
    sendAt(9000, "c");
    sendAt(11_000, "d");

    assertThat(messages(fetchedAt(12_000)))
        .containsExactly(message("a"), message("b"), message("c"), timer(2, 10_500), message("d"));
  }

  @Test
  @DisplayName("TCK-QUEUE-42 a delayed message counts from the end of its delay")
  void delays() {
    set(timer(2, 1000), timer(3, 3000));
    enqueue(message("late"), Duration.ofSeconds(2));
    sendAt(100, "early");

    assertThat(messages(fetchedAt(60_000)))
        .containsExactly(timer(2, 1000), message("late"), message("early"), timer(3, 3000));
  }

  @Test
  @DisplayName("TCK-QUEUE-43 a batch that ends with a timer is consumed as a whole, and only it")
  void consumption() {
    set(timer(2, 1000));
    sendAt(100, "a", "b");
    LockedOrchestration locked = fetchedAt(2000);
    assertThat(messages(locked)).containsExactly(message("a"), message("b"), timer(2, 1000));
    enqueue(message("later"));

    ack(locked, TurnCommit.nothing(1).withOrchestratorItems(List.of(timer(3, 500))));

    LockedOrchestration next = fetched("x");
    assertThat(messages(next)).containsExactly(timer(3, 500), message("later"));
    drain(next);
    advance(60_000);
    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-QUEUE-43 an abandoned batch comes again in the same order")
  void comesAgain() {
    set(timer(2, 1000));
    sendAt(2000, "a");
    LockedOrchestration locked = fetched("x");
    List<WorkItem> once = new ArrayList<>(messages(locked));
    provider.abandonOrchestrationItem(locked.lockToken(), Duration.ZERO, false);
    enqueue(message("b"));

    LockedOrchestration again = fetched("x");

    assertThat(once).containsExactly(timer(2, 1000), message("a"));
    assertThat(messages(again)).containsExactly(timer(2, 1000), message("a"), message("b"));
    assertThat(again.attemptCount()).isEqualTo(2);
  }
}
