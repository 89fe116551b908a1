package io.duroxide.provider.memory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.duroxide.model.ActivityRouting;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.Subscription;
import io.duroxide.provider.TagFilter;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/** None of these waits out its patience, and the clock stands still, so only wake-ups help. */
@DisplayName("Waiting for work of the in-memory provider")
class WaitingTest {
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final OrchestrationFetch TURN = OrchestrationFetch.of(Store.LOCK, PATIENCE);
  private static final WorkFetch WORK = WorkFetch.of(Store.LOCK, PATIENCE);

  private final Store store = new Store();
  private final MemoryProvider provider = store.provider;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  @AfterEach
  void end() {
    provider.close();
    threads.close();
  }

  @Test
  @DisplayName("many wait, each ready instance goes to one of them")
  void many() throws Exception {
    List<Future<String>> waiters =
        IntStream.range(0, 8).mapToObj(any -> waiting(() -> instance(TURN))).toList();
    for (int i = 0; i < 8; i++) {
      store.start("a" + i);
    }
    for (Future<String> waiter : waiters) {
      assertThat(answer(waiter)).startsWith("a");
    }
  }

  @Test
  @DisplayName("a waiter that cannot serve the work does not swallow the wake-up")
  void interests() throws Exception {
    Future<Long> gpu = waiting(() -> activity(WORK.withTags(TagFilter.tags("gpu"))));
    Future<Long> plain = waiting(() -> activity(WORK));
    provider.enqueueForWorker(Store.activity("a", 1, ActivityRouting.ANYWHERE));
    assertThat(answer(plain)).isEqualTo(1);
    provider.enqueueForWorker(Store.activity("a", 2, new ActivityRouting(null, "gpu")));
    assertThat(answer(gpu)).isEqualTo(2);
  }

  @Test
  @DisplayName("an ack that leaves messages, an abandon and the end of a rest wake")
  void released() throws Exception {
    store.start("a");
    LockedOrchestration first = store.fetched();
    store.poke("a");
    Future<LockedOrchestration> waiter = waiting(() -> turn(TURN));
    provider.commitTurn(
        new TurnSource.Fetched(first.lockToken()), TurnCommit.nothing(1), WorkClaim.NONE);
    LockedOrchestration second = answer(waiter);
    waiter = waiting(() -> turn(TURN));
    provider.abandonOrchestrationItem(second.lockToken(), Duration.ZERO, false);
    LockedOrchestration third = answer(waiter);
    waiter = waiting(() -> turn(TURN));
    provider.abandonOrchestrationItem(third.lockToken(), PATIENCE, false);
    store.advance(PATIENCE);
    assertThat(answer(waiter).attemptCount()).isEqualTo(3);
  }

  @Test
  @DisplayName("the end of a lock and of a lease wake")
  void expiry() throws Exception {
    SessionFetchConfig one = new SessionFetchConfig("one", Duration.ofSeconds(5));
    SessionFetchConfig two = new SessionFetchConfig("two", Duration.ofSeconds(5));
    provider.enqueueForWorker(Store.activity("a", 1, new ActivityRouting("s", null)));
    provider.enqueueForWorker(Store.activity("a", 2, new ActivityRouting("s", null)));
    provider.fetchWorkItem(Store.WORK.withSession(one));
    Future<Long> lease = waiting(() -> activity(WORK.withSession(two)));
    store.advance(Duration.ofSeconds(5));
    assertThat(answer(lease)).isEqualTo(2);
    Future<Long> lock = waiting(() -> activity(WORK.withSession(two)));
    store.advance(Store.LOCK);
    assertThat(answer(lock)).isEqualTo(1);
  }

  @Test
  @DisplayName("an interrupt ends the wait and takes no lock")
  void interrupt() throws Exception {
    CompletableFuture<String> ended = new CompletableFuture<>();
    Thread waiter =
        Thread.ofVirtual()
            .start(() -> {
              try {
                ended.complete(instance(TURN));
              } catch (InterruptedException interrupted) {
                ended.complete("interrupted");
              }
            });
    await().until(() -> waiter.getState() == Thread.State.TIMED_WAITING);
    waiter.interrupt();
    assertThat(answer(ended)).isEqualTo("interrupted");
    store.start("a");
    assertThat(store.fetched().attemptCount()).isEqualTo(1);
  }

  @Test
  @DisplayName("closing the store ends the wait with nothing")
  void close() throws Exception {
    Future<String> waiter = waiting(() -> instance(TURN));
    provider.close();
    assertThat(answer(waiter)).isEqualTo("none");
  }

  @Test
  @DisplayName("a watcher hears of every commit, may read the store and may fail")
  void watch() throws Exception {
    AtomicInteger events = new AtomicInteger();
    Subscription failing =
        provider
            .localBus()
            .watch(
                "a",
                any -> {
                  throw new IllegalStateException("mine");
                });
    Subscription reading =
        provider.localBus().watch("a", any -> events.set(provider.read("a").size()));
    store.create("a");
    assertThat(events).hasValue(1);
    reading.close();
    failing.close();
    events.set(0);
    store.poke("a");
    provider.commitTurn(
        new TurnSource.Fetched(store.fetched().lockToken()), TurnCommit.nothing(1), WorkClaim.NONE);
    assertThat(events).hasValue(0);
  }

  /** Starts a call and lets it get as far as waiting. */
  private <T> Future<T> waiting(Callable<T> call) {
    CompletableFuture<Thread> started = new CompletableFuture<>();
    Future<T> answer =
        threads.submit(() -> {
          started.complete(Thread.currentThread());
          return call.call();
        });
    await().until(() -> started.join().getState() == Thread.State.TIMED_WAITING);
    return answer;
  }

  private static <T> T answer(Future<T> future)
      throws InterruptedException, ExecutionException, TimeoutException {
    return future.get(10, TimeUnit.SECONDS);
  }

  private LockedOrchestration turn(OrchestrationFetch request) throws InterruptedException {
    return provider.fetchOrchestrationItem(request).orElseThrow();
  }

  private String instance(OrchestrationFetch request) throws InterruptedException {
    return provider
        .fetchOrchestrationItem(request)
        .map(locked -> locked.item().instance())
        .orElse("none");
  }

  private long activity(WorkFetch request) throws InterruptedException {
    return provider.fetchWorkItem(request).map(LockedWork::key).orElseThrow().activityId();
  }
}
