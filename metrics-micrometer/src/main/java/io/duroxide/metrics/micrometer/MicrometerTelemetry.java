package io.duroxide.metrics.micrometer;

import io.duroxide.telemetry.ActivityEvent;
import io.duroxide.telemetry.ClientCall;
import io.duroxide.telemetry.ExecutionEvent;
import io.duroxide.telemetry.NodeEvent;
import io.duroxide.telemetry.StorageEvent;
import io.duroxide.telemetry.TelemetryEvent;
import io.duroxide.telemetry.TelemetryListener;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.Objects;

/**
 * Puts every {@link Metric} into a registry.
 *
 * <p>One for each store: runtimes and clients of the same store may share it, those of another need
 * one with a prefix or tags of its own. Labels never hold ids, and names beyond a limit are counted
 * as {@code other}, so the number of time series is bounded. Thread-safe.
 */
public final class MicrometerTelemetry implements TelemetryListener {
  static final String DEFAULT_PREFIX = "duroxide";
  private static final int DEFAULT_NAMES = 100;

  private final OrchestrationMetrics executions;
  private final ActivityMetrics activities;
  private final NodeMetrics nodes;
  private final StorageMetrics storage;
  private final ClientMetrics clients;

  private MicrometerTelemetry(Builder set) {
    Meters meters = new Meters(set.registry, set.prefix, set.tags);
    Bounds bounds = Bounds.of(set.names);
    this.executions = new OrchestrationMetrics(meters, bounds);
    this.activities = new ActivityMetrics(meters, bounds);
    this.nodes = new NodeMetrics(meters, bounds);
    this.storage = new StorageMetrics(meters, bounds, executions);
    this.clients = new ClientMetrics(meters, bounds);
    nodes.registerGauges();
  }

  /** With the default prefix {@code duroxide}. */
  public static MicrometerTelemetry of(MeterRegistry registry) {
    return builder(registry).build();
  }

  public static Builder builder(MeterRegistry registry) {
    return new Builder(registry);
  }

  @Override
  public void on(TelemetryEvent event) {
    switch (event) {
      case ExecutionEvent e -> executions.on(e);
      case ActivityEvent e -> activities.on(e);
      case NodeEvent e -> nodes.on(e);
      case StorageEvent e -> storage.on(e);
      case ClientCall e -> clients.on(e);
    }
  }

  /** Collects how metrics are named. */
  public static final class Builder {
    private final MeterRegistry registry;
    private String prefix = DEFAULT_PREFIX;
    private Tags tags = Tags.empty();
    private int names = DEFAULT_NAMES;

    private Builder(MeterRegistry registry) {
      this.registry = Objects.requireNonNull(registry, "registry");
    }

    /** What every name begins with. */
    public Builder prefix(String newPrefix) {
      prefix = Objects.requireNonNull(newPrefix, "prefix");
      return this;
    }

    /** Tags that every meter carries, as keys and values in turn. */
    public Builder tags(String... keysAndValues) {
      tags = Tags.of(keysAndValues);
      return this;
    }

    /** How many names of orchestrations, activities and events are told apart; 100 by default. */
    public Builder mostNames(int count) {
      if (count < 1) {
        throw new IllegalArgumentException("mostNames must be at least 1");
      }
      names = count;
      return this;
    }

    public MicrometerTelemetry build() {
      return new MicrometerTelemetry(this);
    }
  }
}
