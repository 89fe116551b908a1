package io.duroxide.tracing.opentelemetry;

import io.duroxide.telemetry.ActivityEvent;
import io.duroxide.telemetry.ClientCall;
import io.duroxide.telemetry.ExecutionEvent;
import io.duroxide.telemetry.NodeEvent;
import io.duroxide.telemetry.StorageEvent;
import io.duroxide.telemetry.TelemetryEvent;
import io.duroxide.telemetry.TelemetryListener;
import io.opentelemetry.api.OpenTelemetry;
import java.util.Objects;

/**
 * Makes spans of client calls, executions, turns, activities and children.
 *
 * <p>Every execution has a trace, whose id any process can compute, so spans of all nodes meet in
 * it without anything being stored or sent. Children under generated ids share the trace of their
 * parent; other children, detached instances, the executions of a continue-as-new and the traces of
 * callers point at each other by links.
 *
 * <p>The tracer provider should use {@link DuroxideIdGenerator}. Thread-safe.
 */
public final class OpenTelemetryTracing implements TelemetryListener {
  private static final String SCOPE = "io.duroxide";

  private final ExecutionSpans executions;
  private final ActivitySpans activities;
  private final ClientSpans clients;

  private OpenTelemetryTracing(Builder set) {
    Spans spans = new Spans(set.telemetry.getTracer(SCOPE), new TraceIds(set.sampledShare));
    this.executions = new ExecutionSpans(spans, set.turns);
    this.activities = new ActivitySpans(spans);
    this.clients = new ClientSpans(spans, SystemTime.clock());
  }

  /** Every trace sampled, with spans of turns. */
  public static OpenTelemetryTracing of(OpenTelemetry telemetry) {
    return builder(telemetry).build();
  }

  public static Builder builder(OpenTelemetry telemetry) {
    return new Builder(telemetry);
  }

  @Override
  public void on(TelemetryEvent event) {
    switch (event) {
      case ExecutionEvent e -> executions.on(e);
      case ActivityEvent e -> activities.on(e);
      case ClientCall e -> clients.on(e);
      case NodeEvent ignored -> {}
      case StorageEvent ignored -> {}
    }
  }

  /** Collects what is traced. */
  public static final class Builder {
    private final OpenTelemetry telemetry;
    private double sampledShare = 1;
    private boolean turns = true;

    private Builder(OpenTelemetry telemetry) {
      this.telemetry = Objects.requireNonNull(telemetry, "telemetry");
    }

    /**
     * The share of traces that are sampled, from 0 to 1: that of the SDK's ratio sampler, if it has
     * one. All nodes decide alike, because they decide by the trace id.
     */
    public Builder sampledShare(double share) {
      if (!(share >= 0 && share <= 1)) {
        throw new IllegalArgumentException("sampledShare must lie between 0 and 1, not " + share);
      }
      sampledShare = share;
      return this;
    }

    /** Whether turns have spans, which executions with many turns may not want. */
    public Builder turns(boolean traced) {
      turns = traced;
      return this;
    }

    public OpenTelemetryTracing build() {
      return new OpenTelemetryTracing(this);
    }
  }
}
