package io.duroxide.runtime;

import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderListener;
import io.duroxide.provider.ProviderOperation;
import io.duroxide.telemetry.StorageEvent;
import io.duroxide.telemetry.StoreTrouble;
import io.duroxide.telemetry.TelemetryListener;
import java.util.Set;

/** Tells listeners of every call to the store. Thread-safe. */
final class StoreCalls implements ProviderListener {
  /** Operations that answer nothing. */
  private static final Set<String> WITHOUT_ROWS =
      Set.of(
          "enqueueForOrchestrator",
          "commitTurn",
          "abandonOrchestrationItem",
          "renewOrchestrationItemLock",
          "enqueueForWorker",
          "ackWorkItem",
          "renewWorkItemLock",
          "abandonWorkItem",
          "appendWithExecution");

  private final TelemetryListener listener;

  StoreCalls(TelemetryListener listener) {
    this.listener = listener;
  }

  @Override
  public void onOperation(ProviderOperation operation) {
    int rows = WITHOUT_ROWS.contains(operation.operation()) ? -1 : operation.rows();
    listener.on(
        switch (operation.outcome()) {
          case ProviderOperation.Outcome.Success ignored ->
              new StorageEvent.Called(
                  operation.operation(),
                  operation.duration(),
                  StorageEvent.Result.DONE,
                  null,
                  rows);
          case ProviderOperation.Outcome.Empty ignored ->
              new StorageEvent.Called(
                  operation.operation(),
                  operation.duration(),
                  StorageEvent.Result.EMPTY,
                  null,
                  rows);
          case ProviderOperation.Outcome.Failure failure ->
              new StorageEvent.Called(
                  operation.operation(),
                  operation.duration(),
                  StorageEvent.Result.FAILED,
                  trouble(failure.kind()),
                  rows);
        });
  }

  static StoreTrouble trouble(ProviderException.Kind kind) {
    return switch (kind) {
      case CONTENTION -> StoreTrouble.CONTENTION;
      case TIMEOUT -> StoreTrouble.TIMEOUT;
      case UNAVAILABLE -> StoreTrouble.UNAVAILABLE;
      case LOCK_LOST -> StoreTrouble.LOCK_LOST;
      case ALREADY_EXISTS,
          DUPLICATE_EVENT,
          INVALID_INPUT,
          CORRUPT_DATA,
          NOT_FOUND,
          STILL_RUNNING,
          NOT_ROOT,
          ORPHANS,
          UNKNOWN_PERMANENT,
          UNKNOWN ->
          StoreTrouble.OTHER;
    };
  }
}
