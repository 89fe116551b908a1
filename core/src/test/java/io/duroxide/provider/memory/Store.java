package io.duroxide.provider.memory;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Inheritance;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A store on a clock of its own, and the phrases its tests speak in. */
final class Store {
  static final Duration LOCK = Duration.ofSeconds(30);
  static final OrchestrationFetch FETCH = OrchestrationFetch.of(LOCK, Duration.ZERO);
  static final WorkFetch WORK = WorkFetch.of(LOCK, Duration.ZERO);

  final TestClock clock = new TestClock();
  final MemoryProvider provider = MemoryProvider.create(clock);

  void advance(Duration step) {
    clock.advance(step);
    provider.clockAdvanced();
  }

  void start(String instance) {
    send(new WorkItem.StartOrchestration(instance, "Order", "{}", "1.0.0", null));
  }

  void poke(String instance) {
    send(new WorkItem.ExternalRaised(instance, "poke", "{}"));
  }

  void send(WorkItem item) {
    provider.enqueueForOrchestrator(item, Duration.ZERO);
  }

  Optional<LockedOrchestration> fetch() throws InterruptedException {
    return provider.fetchOrchestrationItem(FETCH);
  }

  LockedOrchestration fetched() throws InterruptedException {
    return fetch().orElseThrow();
  }

  Optional<LockedWork> fetchWork() throws InterruptedException {
    return provider.fetchWorkItem(WORK);
  }

  /** Starts an instance and commits its first turn. */
  void create(String instance) throws InterruptedException {
    start(instance);
    LockedOrchestration locked = fetched();
    provider.commitTurn(
        new TurnSource.Fetched(locked.lockToken()),
        TurnCommit.events(
            1, List.of(started(instance)), ExecutionMetadata.started("Order", "1.0.0")),
        WorkClaim.NONE);
  }

  Event started(String instance) {
    return event(
        instance,
        1,
        new EventKind.OrchestrationStarted("Order", "1.0.0", "{}", null, Inheritance.NOTHING));
  }

  Event event(String instance, long id, EventKind kind) {
    return new Event(
        new ExecutionKey(instance, 1), id, null, new EventStamp(clock.instant(), "0.1.0"), kind);
  }

  static WorkItem.ActivityExecute activity(String instance, long id, ActivityRouting routing) {
    return new WorkItem.ActivityExecute(
        new ActivityKey(instance, 1, id), "Charge", "{}", routing, ActivityOrigin.UNKNOWN);
  }
}
