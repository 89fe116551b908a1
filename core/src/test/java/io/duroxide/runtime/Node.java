package io.duroxide.runtime;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.memory.MemoryProvider;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A node that takes one step when told to, on a store and a clock of its own. */
final class Node implements AutoCloseable {
  private static final OrchestrationFetch FETCH =
      OrchestrationFetch.of(Duration.ofSeconds(30), Duration.ZERO);

  private Instant now = Turns.NOON;
  final MemoryProvider provider = MemoryProvider.create(() -> now);
  final Faults faults = new Faults();
  final ExecutionCache cache = new ExecutionCache(10, new InstanceTurns(4), evicted -> {});
  final List<ActivityKey> cancelledHere = new ArrayList<>();
  private final TurnProcessor processor;

  Node(OrchestrationRegistry orchestrations) {
    Waiting time =
        new Waiting() {
          @Override
          public long nanoTime() {
            return 0;
          }

          @Override
          public void sleep(Duration duration) {
            advance(duration);
          }
        };
    RuntimeParts parts =
        new RuntimeParts(
            "node",
            faults.before(provider),
            orchestrations,
            ActivityRegistry.builder().build(),
            RuntimeOptions.defaults(),
            time,
            unheard());
    TurnStorage storage =
        new TurnStorage(
            parts,
            cache,
            new WorkClaims(parts, new Slots(0)),
            (execution, cancelled) -> cancelledHere.addAll(cancelled.listed()));
    this.processor = new TurnProcessor(parts, cache, new TurnCommitter(parts, storage));
  }

  /** Steps of a node that keeps no execution. */
  static Steps steps(RuntimeParts parts, Slots slots) {
    ExecutionCache cache = new ExecutionCache(0, new InstanceTurns(4), evicted -> {});
    WorkClaims claims = new WorkClaims(parts, slots);
    return new Steps(
        parts, cache, new TurnStorage(parts, cache, claims, (execution, cancelled) -> {}));
  }

  /** What parts of a runtime that runs nothing share. */
  static RuntimeParts parts(Provider provider, Waiting time) {
    return new RuntimeParts(
        "node",
        provider,
        OrchestrationRegistry.builder().build(),
        ActivityRegistry.builder().build(),
        RuntimeOptions.defaults(),
        time,
        unheard());
  }

  /** Where nobody listens. */
  static Signals unheard() {
    return new Signals(RuntimeOptions.defaults(), "node", new SystemTime(), () -> Turns.NOON);
  }

  void advance(Duration step) {
    now = now.plus(step);
    provider.clockAdvanced();
  }

  void send(WorkItem item) {
    provider.enqueueForOrchestrator(item, Duration.ZERO);
  }

  Optional<LockedOrchestration> fetch() throws InterruptedException {
    return provider.fetchOrchestrationItem(FETCH.withCached(cache));
  }

  void process(LockedOrchestration locked) {
    processor.process(locked);
  }

  /** Runs the next turn. */
  void step() throws InterruptedException {
    process(fetch().orElseThrow());
  }

  /** Runs the next turn as if it had been fetched too often. */
  void stepTooOften() throws InterruptedException {
    LockedOrchestration locked = fetch().orElseThrow();
    process(new LockedOrchestration(locked.item(), locked.lockToken(), 11));
  }

  List<Event> history(long executionId) {
    return provider.readWithExecution(new ExecutionKey(Turns.ORDER_7, executionId));
  }

  @Override
  public void close() {
    cache.close();
    provider.close();
  }
}
