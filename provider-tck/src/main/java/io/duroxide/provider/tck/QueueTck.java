package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.LongStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** QUEUE: what is queued, and in which order it comes (4, 7.1, 7.6). */
public abstract class QueueTck extends ProviderTck {
  private static final Duration DELAY = Duration.ofMillis(500);

  /** For subclasses. */
  protected QueueTck() {}

  @Test
  @DisplayName("TCK-QUEUE-01 activities come in the order they were queued")
  void fifo() {
    for (long id = 1; id <= 5; id++) {
      act("x", id);
    }
    for (long id = 1; id <= 5; id++) {
      work(id);
    }
    noWork();
  }

  @Test
  @DisplayName("TCK-QUEUE-02 a fetched activity is locked, an acked one is gone")
  void peekLock() {
    act("x", 2);
    LockedWork locked = work(2);
    noWork();

    provider.ackWorkItem(locked.lockToken(), Items.completed("x", 2));

    noWork();
  }

  @Test
  @DisplayName("TCK-QUEUE-03 a worker ack moves the outcome to the orchestrator")
  void workerAck() {
    createWith("x", List.of(Items.activity("x", 2)));

    provider.ackWorkItem(work(2).lockToken(), Items.completed("x", 2));

    noWork();
    assertThat(messages(fetched("x"))).containsExactly(Items.completed("x", 2));
  }

  @Test
  @DisplayName("TCK-QUEUE-05 an activity whose token is lost comes back after its lock")
  void lostToken() {
    act("x", 2);
    work(timeout());
    noWork();

    letLocksExpire();

    work(2);
  }

  @Test
  @DisplayName("TCK-QUEUE-06 a new activity is visible to the next fetch")
  void visibleAtOnce() {
    noWork();
    act("x", 2);
    work(2);
  }

  @Test
  @DisplayName("TCK-QUEUE-07 an activity that waits for its delay is passed over")
  void passedOver() {
    act("x", 2);
    act("x", 3);
    provider.abandonWorkItem(work(2).lockToken(), DELAY, false);

    work(3);
    noWork();
    advance(DELAY.plus(SLACK));
    work(2);
  }

  @Test
  @DisplayName("TCK-QUEUE-12 messages sent one after another come as one batch in that order")
  void batchOrder() {
    create("x");
    List<WorkItem> sent = new ArrayList<>();
    for (int i = 0; i < 50; i++) {
      WorkItem item = Items.raised("x", "m" + i);
      enqueue(item);
      sent.add(item);
    }
    assertThat(messages(fetched("x"))).isEqualTo(sent);
  }

  @Test
  @DisplayName("TCK-QUEUE-13 a batch belongs to one instance and is complete")
  void interleaved() {
    List<String> instances = List.of("a", "b", "c", "d", "e");
    instances.forEach(this::create);
    for (int i = 0; i < 4; i++) {
      for (String x : instances) {
        enqueue(Items.raised(x, "m" + i));
      }
    }
    for (String x : instances) {
      assertThat(messages(fetched(x)))
          .containsExactly(
              Items.raised(x, "m0"),
              Items.raised(x, "m1"),
              Items.raised(x, "m2"),
              Items.raised(x, "m3"));
    }
    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-QUEUE-19 a message for a completed instance is delivered")
  void completedInstance() {
    create("x");
    complete("x");

    enqueue(Items.message("x", "late"));

    assertThat(messages(fetched("x"))).containsExactly(Items.message("x", "late"));
  }

  @Test
  @Needs.TwoHandles
  @DisplayName("TCK-QUEUE-21 consumers on two handles get each activity exactly once")
  void twoHandles() {
    LongStream.rangeClosed(1, 200).forEach(id -> act("x", id));
    Provider other = secondHandle();
    List<Callable<List<Long>>> consumers =
        List.of(
            () -> consume(provider),
            () -> consume(other),
            () -> consume(provider),
            () -> consume(other));

    List<Long> ids =
        race().together(consumers).stream().flatMap(outcome -> outcome.get().stream()).toList();

    assertThat(ids)
        .containsExactlyInAnyOrderElementsOf(LongStream.rangeClosed(1, 200).boxed().toList());
  }

  private static List<Long> consume(Provider handle) {
    List<Long> ids = new ArrayList<>();
    while (true) {
      Optional<LockedWork> locked = wfetch(handle, WorkFetch.of(LOCK, Duration.ZERO));
      if (locked.isEmpty()) {
        return ids;
      }
      handle.ackWorkItem(locked.orElseThrow().lockToken(), null);
      ids.add(locked.orElseThrow().key().activityId());
    }
  }

  @Test
  @DisplayName("TCK-QUEUE-22 outcomes of children reach the parent")
  void children() {
    create("parent");

    enqueue(Items.childCompleted("parent", 2));
    enqueue(Items.childFailed("parent", 3));

    assertThat(messages(fetched("parent")))
        .containsExactly(Items.childCompleted("parent", 2), Items.childFailed("parent", 3));
  }

  @Test
  @DisplayName("TCK-QUEUE-23 an outcome for an older execution is delivered")
  void olderExecution() {
    create("x");
    continueAsNew("x", 2);

    enqueue(Items.completed("x", 2));

    LockedOrchestration locked = fetched("x");
    assertThat(locked.item().execution()).isEqualTo(new ExecutionKey("x", 2));
    assertThat(messages(locked)).containsExactly(Items.completed("x", 2));
  }

  @Test
  @DisplayName("TCK-QUEUE-26 an item for the wrong queue is refused")
  void wrongQueue() {
    create("x");

    fails(Kind.INVALID_INPUT, () -> enqueue(Items.activity("x", 2)));
    fails(Kind.INVALID_INPUT, () -> provider.enqueueForWorker(Items.raised("x", "misplaced")));
    fails(Kind.INVALID_INPUT, () -> provider.enqueueForWorker(Items.start("y")));

    nothingToFetch();
    noWork();
  }

  @Test
  @DisplayName("TCK-QUEUE-27 whoever has queued something can fetch it at once")
  void readYourWrites() {
    create("x");
    for (int i = 1; i <= 500; i++) {
      poke("x");
      drain(fetched("x"));
      act("x", i);
      provider.ackWorkItem(work(i).lockToken(), null);
    }
  }

  @Test
  @DisplayName("TCK-QUEUE-28 a second start is a message like any other")
  void secondStart() {
    create("x");
    WorkItem again = new WorkItem.StartOrchestration("x", "Other", "[]", "7.0.0", null);

    enqueue(again);

    LockedOrchestration locked = fetched("x");
    assertThat(messages(locked)).containsExactly(again);
    assertThat(locked.item().orchestrationName()).isEqualTo(Items.ORCHESTRATION);
    assertThat(locked.item().version()).isEqualTo(Items.VERSION);
    assertThat(history(locked)).containsExactly(Events.started(first("x")));
  }

  @Test
  @DisplayName("TCK-QUEUE-30 who was ready first comes first")
  void oldestFirst() {
    enqueue(Items.start("late"), DELAY);
    start("b");
    start("a");
    advance(DELAY.plus(SLACK));
    start("last");

    fetched("b");
    fetched("a");
    fetched("late");
    fetched("last");
    nothingToFetch();
  }

  @Test
  @DisplayName("TCK-QUEUE-31 name and version come from the start wherever it stands")
  void startBehind() {
    enqueue(Items.cancel("x"));
    enqueue(Items.raised("x", "early"));
    start("x");

    LockedOrchestration locked = fetched("x");

    assertThat(locked.item().orchestrationName()).isEqualTo(Items.ORCHESTRATION);
    assertThat(locked.item().version()).isEqualTo(Items.VERSION);
    assertThat(messages(locked))
        .containsExactly(Items.cancel("x"), Items.raised("x", "early"), Items.start("x"));
    ack(locked, TurnCommit.nothing(1));
  }
}
