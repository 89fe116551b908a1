package io.duroxide.e2e;

import io.duroxide.metrics.micrometer.Metric;
import io.duroxide.metrics.micrometer.MicrometerTelemetry;
import io.duroxide.telemetry.TelemetryListener;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;

/** The metrics of a world. Thread-safe. */
final class Metrics {
  private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
  private final MicrometerTelemetry listener = MicrometerTelemetry.of(registry);

  TelemetryListener listener() {
    return listener;
  }

  private static String name(Metric metric) {
    return "duroxide." + metric.path();
  }

  /** A counter, summed over the labels that are not given. */
  long count(Metric metric, String... keysAndValues) {
    return Math.round(
        registry.find(name(metric)).tags(keysAndValues).counters().stream()
            .mapToDouble(Counter::count)
            .sum());
  }

  /** The counters of a metric by the value of one label, those above 0. */
  Map<String, Long> counts(Metric metric, String key) {
    Map<String, Long> counts = new TreeMap<>();
    for (Counter counter : registry.find(name(metric)).counters()) {
      counts.merge(counter.getId().getTag(key), Math.round(counter.count()), Long::sum);
    }
    return counts;
  }

  /** NaN if there is none. */
  double gauge(Metric metric, String... keysAndValues) {
    Gauge gauge = registry.find(name(metric)).tags(keysAndValues).gauge();
    return gauge == null ? Double.NaN : gauge.value();
  }

  long timings(Metric metric, String... keysAndValues) {
    return registry.find(name(metric)).tags(keysAndValues).timers().stream()
        .mapToLong(Timer::count)
        .sum();
  }

  /** The sum of the durations of a timer. */
  double millis(Metric metric, String... keysAndValues) {
    return registry.find(name(metric)).tags(keysAndValues).timers().stream()
        .mapToDouble(timer -> timer.totalTime(TimeUnit.MILLISECONDS))
        .sum();
  }

  /** The sum of what a summary recorded. */
  long total(Metric metric, String... keysAndValues) {
    return Math.round(
        registry.find(name(metric)).tags(keysAndValues).summaries().stream()
            .mapToDouble(DistributionSummary::totalAmount)
            .sum());
  }
}
