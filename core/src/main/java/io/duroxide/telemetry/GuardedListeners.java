package io.duroxide.telemetry;

import java.util.Collection;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/** Keeps the trouble of listeners away from those who tell them. Thread-safe. */
final class GuardedListeners implements TelemetryListener {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.telemetry");

  private final List<TelemetryListener> listeners;
  private final AtomicBoolean complained = new AtomicBoolean();

  GuardedListeners(Collection<? extends TelemetryListener> listeners) {
    this.listeners = List.copyOf(listeners);
  }

  @Override
  public void on(TelemetryEvent event) {
    for (TelemetryListener listener : listeners) {
      try {
        listener.on(event);
      } catch (RuntimeException | Error e) {
        complain(listener, event, e);
      }
    }
  }

  /** A listener that fails would fail thousands of times a second: one warning is enough. */
  private void complain(TelemetryListener listener, TelemetryEvent event, Throwable cause) {
    LOG.atLevel(complained.compareAndSet(false, true) ? Level.WARN : Level.DEBUG)
        .addKeyValue("listener", listener.getClass().getName())
        .addKeyValue("event", event.getClass().getName())
        .setCause(cause)
        .log("a telemetry listener failed; further failures are logged at DEBUG");
  }
}
