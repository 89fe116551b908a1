package io.duroxide.benchmarks;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.sqlite.SqliteProvider;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.LongAdder;

/** Turns through the whole contract: concurrent callers fetch an instance and commit its turn. */
final class ProviderTurns implements AutoCloseable {
  private static final int INSTANCES_PER_CALLER = 4;

  private final SqliteProvider provider;
  private final int callers;
  private final Map<ExecutionKey, CachedHistory.Tip> kept = new ConcurrentHashMap<>();
  private final LongAdder ackNanos = new LongAdder();
  private final OrchestrationFetch fetch =
      OrchestrationFetch.of(Duration.ofSeconds(30), Duration.ofSeconds(1)).withCached(kept::get);

  ProviderTurns(Path file, int callers) throws InterruptedException {
    this.provider = SqliteProvider.open(file);
    this.callers = callers;
    int instances = callers * INSTANCES_PER_CALLER;
    for (int i = 0; i < instances; i++) {
      provider.enqueueForOrchestrator(
          new WorkItem.StartOrchestration("order-" + i, "Order", "{}", null, null), Duration.ZERO);
    }
    for (int i = 0; i < instances; i++) {
      firstTurn();
    }
  }

  private void firstTurn() throws InterruptedException {
    LockedOrchestration locked = provider.fetchOrchestrationItem(fetch).orElseThrow();
    ExecutionKey execution = locked.item().execution();
    commit(
        locked,
        TurnCommit.events(
            1, List.of(TurnRows.started(execution)), ExecutionMetadata.started("Order", "1.0.0")));
  }

  private void commit(LockedOrchestration locked, TurnCommit commit) {
    ExecutionKey execution = locked.item().execution();
    long began = System.nanoTime();
    provider.commitTurn(
        new TurnSource.Fetched(locked.lockToken()),
        commit.withOrchestratorItems(List.of(TurnRows.message(execution))),
        WorkClaim.NONE);
    ackNanos.add(System.nanoTime() - began);
    kept.put(
        execution, new CachedHistory.Tip(commit.historyDelta().getLast().id(), locked.lockToken()));
  }

  Rate run(Duration duration) throws InterruptedException {
    AtomicLong turns = new AtomicLong();
    ackNanos.reset();
    long end = System.nanoTime() + duration.toNanos();
    Rate.Meter meter = new Rate.Meter();
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < callers; i++) {
      threads.add(
          Thread.ofVirtual()
              .start(() -> {
                while (System.nanoTime() < end) {
                  turn();
                  turns.incrementAndGet();
                }
              }));
    }
    for (Thread thread : threads) {
      thread.join();
    }
    return meter.rate(turns.get(), ackNanos.sum());
  }

  private void turn() {
    try {
      LockedOrchestration locked = provider.fetchOrchestrationItem(fetch).orElseThrow();
      ExecutionKey execution = locked.item().execution();
      long last = lastEvent(locked.item().history());
      commit(
          locked,
          TurnCommit.events(1, TurnRows.events(execution, last), ExecutionMetadata.NONE)
              .withWorkerItems(List.of(TurnRows.activity(execution, last + TurnRows.EVENTS))));
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  /** What was committed just now may come along, as another caller has not kept it yet. */
  private static long lastEvent(StoredHistory history) {
    if (!history.events().isEmpty()) {
      return history.events().getLast().id();
    }
    return history instanceof StoredHistory.Rest rest ? rest.after() : 0;
  }

  @Override
  public void close() {
    provider.close();
  }
}
