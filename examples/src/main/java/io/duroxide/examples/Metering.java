package io.duroxide.examples;

import io.duroxide.client.Client;
import io.duroxide.metrics.micrometer.Metric;
import io.duroxide.metrics.micrometer.MicrometerTelemetry;
import io.duroxide.provider.sqlite.SqliteProvider;
import io.duroxide.runtime.DuroxideRuntime;
import io.duroxide.runtime.RuntimeOptions;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;

/** Metrics of a runtime and a client, in a registry of Micrometer. */
public final class Metering {
  private Metering() {}

  static String total(MeterRegistry registry, Metric metric) {
    var counters = registry.get("duroxide." + metric.path()).counters();
    long total = (long) counters.stream().mapToDouble(Counter::count).sum();
    return metric.prometheusName() + " " + total;
  }

  public static void main(String[] args) {
    MeterRegistry registry = new SimpleMeterRegistry();
    MicrometerTelemetry metrics = MicrometerTelemetry.of(registry);
    RuntimeOptions options = RuntimeOptions.builder().telemetry(metrics).build();

    try (var store = SqliteProvider.inMemory();
        var runtime = Chain.register(DuroxideRuntime.builder(store).options(options)).start()) {
      Client client = Client.of(store).withTelemetry(metrics);
      Chain.run(client);
    }
    List.of(
            Metric.CLIENT_ORCHESTRATION_STARTS,
            Metric.ORCHESTRATION_COMPLETIONS,
            Metric.ACTIVITY_EXECUTIONS)
        .forEach(metric -> System.out.println(total(registry, metric)));
  }
}
