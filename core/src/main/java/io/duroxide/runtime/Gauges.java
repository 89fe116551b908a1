package io.duroxide.runtime;

import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.QueueDepths;
import io.duroxide.provider.SystemMetrics;
import io.duroxide.telemetry.NodeEvent;
import io.duroxide.telemetry.StorageEvent;
import io.duroxide.telemetry.TelemetryListener;

/** Counts the store for those who listen. Thread-safe. */
final class Gauges {
  private final TelemetryListener listener;
  private final Provider provider;

  Gauges(TelemetryListener listener, Provider provider) {
    this.listener = listener;
    this.provider = provider;
  }

  /** What a store does not count is not told. */
  void measure() {
    long dropped = provider.takeDropped();
    if (dropped > 0) {
      listener.on(new NodeEvent.MessagesDropped(NodeEvent.DropReason.NEVER_STARTED, dropped));
    }
    provider.management().ifPresent(this::measure);
  }

  private void measure(ProviderAdmin store) {
    SystemMetrics metrics = store.systemMetrics();
    QueueDepths depths = store.queueDepths();
    listener.on(
        new StorageEvent.Measured(
            metrics.runningInstances(),
            depths.orchestrator().ready(),
            depths.orchestrator().delayed(),
            depths.orchestrator().locked(),
            depths.worker().ready(),
            depths.worker().delayed(),
            depths.worker().locked()));
  }
}
