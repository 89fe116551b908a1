package io.duroxide.metrics.micrometer;

import io.duroxide.telemetry.ActivityEvent;
import io.duroxide.telemetry.ActivityOutcome;
import io.duroxide.telemetry.ClientCall;
import io.duroxide.telemetry.Ending;
import io.duroxide.telemetry.ExecutionEvent;
import io.duroxide.telemetry.Failure;
import io.duroxide.telemetry.Initiator;
import io.duroxide.telemetry.NodeEvent;
import io.duroxide.telemetry.StorageEvent;
import io.duroxide.telemetry.StoreTrouble;
import io.duroxide.telemetry.TelemetryListener;
import io.duroxide.telemetry.TurnEnd;
import io.duroxide.telemetry.WorkQueue;
import java.time.Duration;
import java.util.Map;

/** One of everything. */
final class AllEvents {
  private AllEvents() {}

  static void tell(TelemetryListener listener) {
    executions(listener);
    activities(listener);
    node(listener);
    storage(listener);
    for (ClientCall.Operation operation : ClientCall.Operation.values()) {
      listener.on(new ClientCall(operation, "order-7", "name", Duration.ofMillis(5), null));
    }
  }

  private static void executions(TelemetryListener listener) {
    listener.on(Told.started(Told.ORDER, Initiator.CLIENT));
    listener.on(
        Told.turn(
            TurnEnd.WAITING, new ExecutionEvent.TurnWork(1, 5, 3, false, Duration.ofMillis(1))));
    listener.on(Told.ended(Told.ORDER, Ending.COMPLETED, null, 2));
    listener.on(Told.ended(Told.ORDER, Ending.CONTINUED_AS_NEW, null, 2));
    listener.on(Told.failed(Failure.of(Told.INFRASTRUCTURE)));
    listener.on(Told.failed(Failure.of(Told.CONFIGURATION)));
    listener.on(Told.failed(Failure.of(Told.POISON)));
    listener.on(
        new ExecutionEvent.ChildEnded(
            Told.ORDER,
            new ExecutionEvent.Child(4, "Ship", "order-7::sub::4"),
            ExecutionEvent.ChildEnd.COMPLETED,
            Told.NOON,
            Told.NOON));
    listener.on(new ExecutionEvent.DetachedStart(Told.ORDER, "Audit", "audit-7", Told.NOON));
    listener.on(new ExecutionEvent.VersionRefused(Told.ORDER, "9.0.0", 1));
  }

  private static void activities(TelemetryListener listener) {
    listener.on(new ActivityEvent.Started(Told.charge(null), 1, Told.NOON, Duration.ofMillis(5)));
    for (ActivityOutcome outcome : ActivityOutcome.values()) {
      listener.on(Told.finished(outcome, 1));
    }
  }

  private static void node(TelemetryListener listener) {
    listener.on(new NodeEvent.Started("node", Told.vitals(0, 0)));
    listener.on(new NodeEvent.Fetched(WorkQueue.ORCHESTRATOR, 1));
    listener.on(new NodeEvent.Fetched(WorkQueue.WORKER, 1));
    listener.on(new NodeEvent.Fetched(WorkQueue.WORKER, 0));
    listener.on(new NodeEvent.FetchFailed(WorkQueue.WORKER, StoreTrouble.TIMEOUT));
    listener.on(new NodeEvent.CommitRetried(WorkQueue.WORKER, StoreTrouble.TIMEOUT));
    listener.on(
        new NodeEvent.RenewalFailed(NodeEvent.LockKind.SESSION, StoreTrouble.TIMEOUT, false));
    listener.on(
        new NodeEvent.HandlerMissing(WorkQueue.WORKER, "Charge", null, 1, Duration.ofSeconds(1)));
    listener.on(new NodeEvent.Evicted(2));
    listener.on(new NodeEvent.TurnInVain(NodeEvent.VainReason.RACE));
    listener.on(new NodeEvent.ClockWentBack(Duration.ofHours(1)));
    listener.on(new NodeEvent.SessionClaimed(true));
    listener.on(new NodeEvent.MessagesDropped(NodeEvent.DropReason.STALE, 2));
  }

  private static void storage(TelemetryListener listener) {
    listener.on(
        new StorageEvent.Called("read", Duration.ofMillis(1), StorageEvent.Result.DONE, null, 3));
    listener.on(
        new StorageEvent.Called("read", null, StorageEvent.Result.FAILED, StoreTrouble.OTHER, 0));
    listener.on(new StorageEvent.Measured(1, 2, 3, 4, 5, 9, 6));
    for (String error : new String[] {null, "disk full"}) {
      listener.on(
          new StorageEvent.Pruned(
              StorageEvent.PruneSource.CLIENT, "Order", 2, 20, Duration.ofMillis(3), error));
    }
    listener.on(new StorageEvent.Stranded(3, 4));
    listener.on(new StorageEvent.Waiting(Map.of("gpu", 2L)));
    listener.on(new StorageEvent.OrphansCleaned(StorageEvent.OrphanKind.PARENT_ENDED, 2));
  }
}
