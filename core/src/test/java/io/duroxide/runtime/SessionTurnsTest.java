package io.duroxide.runtime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duroxide.api.Activity;
import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.WorkFetch;
import io.duroxide.provider.memory.MemoryProvider;
import io.duroxide.threads.ThreadMaker;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Activities of one session on a node that runs them one after the other. */
@DisplayName("Turns of a session")
@Timeout(30)
class SessionTurnsTest {
  private static final Activity<Integer, Integer> WORK =
      Activity.of("Work", Integer.class, Integer.class);
  private static final String SESSION = "photo";
  private static final int SLOTS = 3;

  /** A time in which nobody's patience ends. */
  private static final Waiting STILL =
      new Waiting() {
        @Override
        public long nanoTime() {
          return 0;
        }

        @Override
        public void sleep(Duration duration) throws InterruptedException {
          new CountDownLatch(1).await();
        }
      };

  private final MemoryProvider store = MemoryProvider.create(() -> Turns.NOON);
  private final Slots slots = new Slots(SLOTS);
  private final ConcurrentLinkedQueue<Integer> begun = new ConcurrentLinkedQueue<>();
  private final Semaphore mayEnd = new Semaphore(0);
  private final RunningActivities running = new RunningActivities();
  private final List<Thread> threads = new ArrayList<>();
  private final RuntimeParts parts =
      new RuntimeParts(
          "node",
          store,
          OrchestrationRegistry.builder().build(),
          ActivityRegistry.builder()
              .register(
                  WORK,
                  (ctx, in) -> {
                    begun.add(in);
                    mayEnd.acquire();
                    return in;
                  })
              .build(),
          RuntimeOptions.defaults(),
          STILL,
          Node.unheard());
  private final Sessions sessions =
      new Sessions(parts.options(), parts.runtimeId(), slots, parts.signals());
  private final LeaseKeeper leases = new LeaseKeeper(parts);
  private final ActivityProcessor processor =
      new ActivityProcessor(parts, leases, running, sessions, Node.steps(parts, slots));

  @AfterEach
  void close() throws InterruptedException {
    mayEnd.release(1_000);
    for (Thread thread : threads) {
      thread.join();
    }
    leases.close();
    store.close();
  }

  private Optional<LockedWork> fetch() throws InterruptedException {
    Duration lock = Duration.ofSeconds(30);
    return store.fetchWorkItem(
        WorkFetch.of(lock, Duration.ZERO)
            .withSession(new SessionFetchConfig(sessions.ownerId(), lock, 1)));
  }

  /** Fetches an activity of the session and processes it on a slot. */
  private ActivityKey begin(int number) throws InterruptedException {
    ActivityKey key = new ActivityKey("order-7", 1, number);
    store.enqueueForWorker(
        new WorkItem.ActivityExecute(
            key,
            "Work",
            Integer.toString(number),
            new ActivityRouting(SESSION, null),
            ActivityOrigin.UNKNOWN));
    LockedWork work = fetch().orElseThrow();
    assertThat(sessions.register(SESSION)).isTrue();
    slots.take();
    threads.add(
        Thread.ofVirtual().start(() -> processor.process(work, new Release(this::done), false)));
    return key;
  }

  private void done() {
    sessions.unregister(SESSION);
    slots.giveBack();
  }

  private ActivityKey beginAndWait(int number) throws InterruptedException {
    int before = sessions.waiting();
    ActivityKey key = begin(number);
    await().until(() -> sessions.waiting() == before + 1);
    return key;
  }

  private void beginFirst() throws InterruptedException {
    begin(1);
    await().until(() -> begun.contains(1));
  }

  private void endAll() throws InterruptedException {
    mayEnd.release(threads.size());
    for (Thread thread : threads) {
      thread.join();
    }
  }

  @Test
  @DisplayName("E2E-510 those that wait need no slots, and come one after the other")
  void waitingTakesNoSlot() throws InterruptedException {
    beginFirst();
    for (int number = 2; number <= 10; number++) {
      beginAndWait(number);
    }

    assertThat(slots.free()).isEqualTo(SLOTS - 1);
    assertThat(begun).containsExactly(1);
    endAll();
    assertThat(begun).containsExactly(1, 2, 3, 4, 5, 6, 7, 8, 9, 10);
    assertThat(slots.free()).isEqualTo(SLOTS);
    assertThat(sessions.waiting()).isZero();
  }

  @Test
  @DisplayName("an activity that is cancelled while it waits does not run when its turn comes")
  void cancelledWhileWaiting() throws InterruptedException {
    beginFirst();
    running.cancel(List.of(beginAndWait(2)));
    beginAndWait(3);
    endAll();

    assertThat(begun).containsExactly(1, 3);
    assertThat(slots.free()).isEqualTo(SLOTS);
    assertThat(sessions.distinct()).isZero();
  }

  @Test
  @DisplayName("an activity that is handed over while it waits gives its slot back once")
  void handedOverWhileWaiting() throws InterruptedException {
    beginFirst();
    beginAndWait(2);
    slots.close();
    for (Thread handingOver : running.handOverAll(ThreadMaker.SYSTEM)) {
      handingOver.join();
    }
    endAll();

    assertThat(begun).containsExactly(1);
    assertThat(slots.free()).isEqualTo(SLOTS);
    assertThat(fetch()).isPresent();
    assertThat(fetch()).isPresent();
  }

  @Test
  @DisplayName("what waits when the node is stopped is handed back, not begun")
  void stoppedWhileWaiting() throws InterruptedException {
    beginFirst();
    beginAndWait(2);
    slots.close();
    endAll();

    assertThat(begun).containsExactly(1);
    assertThat(slots.free()).isEqualTo(SLOTS);
    assertThat(fetch()).hasValueSatisfying(again -> assertThat(again.attemptCount()).isOne());
    assertThat(fetch()).isEmpty();
  }

  @Test
  @DisplayName("while very many wait, no more work of sessions is fetched")
  void mostWaiting() throws InterruptedException {
    beginFirst();
    assertThat(sessions.atCapacity()).isFalse();
    for (int number = 2; number <= Sessions.MOST_WAITING + 1; number++) {
      begin(number);
    }
    await().until(() -> sessions.waiting() == Sessions.MOST_WAITING);

    assertThat(sessions.fetchConfig()).isNull();
    assertThat(sessions.atCapacity()).isTrue();
    endAll();
    assertThat(sessions.fetchConfig()).isNotNull();
    assertThat(begun).hasSize(Sessions.MOST_WAITING + 1);
  }
}
