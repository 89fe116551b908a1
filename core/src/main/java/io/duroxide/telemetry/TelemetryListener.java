package io.duroxide.telemetry;

import java.util.Collection;

/**
 * Hears what happens in a runtime or a client.
 *
 * <p>Called on the thread to which it happened, once it is stored, so it must be quick and must not
 * block. What it throws is logged and dropped. Implementations are thread-safe.
 */
@FunctionalInterface
public interface TelemetryListener {
  /** Hears nothing. */
  TelemetryListener NONE = event -> {};

  void on(TelemetryEvent event);

  /**
   * All of them as one; what one throws is logged and reaches neither the others nor the caller.
   */
  static TelemetryListener together(Collection<? extends TelemetryListener> listeners) {
    return listeners.isEmpty() ? NONE : new GuardedListeners(listeners);
  }
}
