package io.duroxide.metrics.micrometer;

import io.duroxide.telemetry.ClientCall;
import java.util.Objects;

/** What clients tell; a call that failed sent nothing. Thread-safe. */
final class ClientMetrics {
  private final Meters meters;
  private final KnownNames orchestrations;
  private final KnownNames events;

  ClientMetrics(Meters meters, Bounds bounds) {
    this.meters = meters;
    this.orchestrations = bounds.orchestrations();
    this.events = bounds.events();
  }

  void on(ClientCall call) {
    if (call.operation() == ClientCall.Operation.WAIT) {
      meters.time(Metric.CLIENT_WAIT_DURATION, call.took());
    } else if (call.error() == null) {
      sent(call);
    }
  }

  private void sent(ClientCall call) {
    String name = Objects.requireNonNullElse(call.name(), "");
    switch (call.operation()) {
      case START -> meters.count(Metric.CLIENT_ORCHESTRATION_STARTS, orchestrations.of(name));
      case RAISE_EVENT, ENQUEUE ->
          meters.count(Metric.CLIENT_EXTERNAL_EVENTS_RAISED, events.of(name));
      case CANCEL -> meters.count(Metric.CLIENT_CANCELLATIONS);
      case WAIT -> {}
    }
  }
}
