package io.duroxide.telemetry;

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
}
