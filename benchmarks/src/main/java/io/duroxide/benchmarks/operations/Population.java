package io.duroxide.benchmarks.operations;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.Inheritance;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Instances by the thousand, made through the contract: each is started, fetched and committed.
 *
 * <p>Of ten, one runs, one has failed and eight have completed; their orchestrations have ten names
 * in turn.
 */
final class Population {
  private static final List<String> NAMES =
      List.of(
          "OrderPay",
          "OrderShip",
          "OrderPack",
          "OrderBill",
          "OrderAudit",
          "UserJoin",
          "UserLeave",
          "StockCount",
          "StockMove",
          "Report");
  private static final int AT_ONCE = 500;
  private static final String PAYLOAD = "{\"order\":7,\"item\":\"lamp\",\"cents\":4900}";
  private static final OrchestrationFetch FETCH =
      OrchestrationFetch.of(Duration.ofMinutes(1), Duration.ofSeconds(1));

  private final Provider store;

  Population(Provider store) {
    this.store = store;
  }

  /** Makes instances with ids from {@code order-0000000} on. */
  void make(int count) throws Exception {
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int from = 0; from < count; from += AT_ONCE) {
        int to = Math.min(count, from + AT_ONCE);
        List<WorkItem> starts = new ArrayList<>();
        for (int n = from; n < to; n++) {
          starts.add(new WorkItem.StartOrchestration(id(n), name(n), PAYLOAD, "1.0.0", null));
        }
        store.enqueueForOrchestrator(starts);
        List<Future<?>> commits = new ArrayList<>();
        while (commits.size() < to - from) {
          for (LockedOrchestration locked : store.fetchOrchestrationItems(FETCH, AT_ONCE)) {
            commits.add(threads.submit(() -> commit(locked)));
          }
        }
        for (Future<?> commit : commits) {
          commit.get();
        }
      }
    }
  }

  private static String id(int number) {
    return "order-%07d".formatted(number);
  }

  private static String name(int number) {
    return NAMES.get(number % NAMES.size());
  }

  private void commit(LockedOrchestration locked) {
    ExecutionKey execution = locked.item().execution();
    String name = locked.item().orchestrationName();
    int lot = number(execution.instance()) / NAMES.size() % 10;
    EventStamp stamp = new EventStamp(store.now(), "0.1.0");
    List<Event> events = new ArrayList<>();
    events.add(
        new Event(
            execution,
            1,
            null,
            stamp,
            new EventKind.OrchestrationStarted(name, "1.0.0", PAYLOAD, null, Inheritance.NOTHING)));
    ExecutionMetadata metadata = ExecutionMetadata.started(name, "1.0.0");
    if (lot > 0) {
      events.add(
          new Event(execution, 2, null, stamp, new EventKind.OrchestrationCompleted(PAYLOAD)));
      metadata =
          metadata.withStatus(
              lot == 1 ? ExecutionStatus.FAILED : ExecutionStatus.COMPLETED, PAYLOAD);
    }
    store.commitTurn(
        new TurnSource.Fetched(locked.lockToken()),
        TurnCommit.events(1, events, metadata),
        WorkClaim.NONE);
  }

  private static int number(String id) {
    return Integer.parseInt(id.substring(id.indexOf('-') + 1));
  }
}
