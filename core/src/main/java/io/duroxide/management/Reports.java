package io.duroxide.management;

import io.duroxide.provider.OrphanKind;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.PruneResult;
import io.duroxide.telemetry.StorageEvent;
import io.duroxide.telemetry.TelemetryListener;
import java.time.Duration;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Tells a listener what operators did. Thread-safe. */
final class Reports {
  /** Tells nobody. */
  static final Reports UNTOLD = new Reports(TelemetryListener.NONE);

  /** Stands for the orchestrations of a bulk operation. */
  static final String MANY = "unknown";

  private final TelemetryListener listener;

  private Reports(TelemetryListener listener) {
    this.listener = listener;
  }

  static Reports toldTo(TelemetryListener listener) {
    return new Reports(TelemetryListener.together(List.of(listener)));
  }

  /**
   * Prunes.
   *
   * @param orchestration whose executions; asked for only if somebody listens
   */
  PruneResult pruned(Supplier<String> orchestration, Supplier<PruneResult> prune) {
    if (listener.equals(TelemetryListener.NONE)) {
      return prune.get();
    }
    String name = orchestration.get();
    long began = SystemTime.nanoTime();
    try {
      PruneResult result = prune.get();
      tell(name, result, began, null);
      return result;
    } catch (ProviderException e) {
      tell(name, PruneResult.NONE, began, String.valueOf(e.getMessage()));
      throw e;
    }
  }

  private void tell(String name, PruneResult result, long began, @Nullable String error) {
    listener.on(
        new StorageEvent.Pruned(
            StorageEvent.PruneSource.CLIENT,
            name,
            result.executionsDeleted(),
            result.eventsDeleted(),
            Duration.ofNanos(SystemTime.nanoTime() - began),
            error));
  }

  void cleaned(OrphanKind kind, long instances) {
    listener.on(
        new StorageEvent.OrphansCleaned(
            switch (kind) {
              case PARENT_GONE -> StorageEvent.OrphanKind.PARENT_DELETED;
              case PARENT_FINISHED -> StorageEvent.OrphanKind.PARENT_ENDED;
              case PARENT_MOVED_ON -> StorageEvent.OrphanKind.PARENT_MOVED_ON;
            },
            instances));
  }
}
