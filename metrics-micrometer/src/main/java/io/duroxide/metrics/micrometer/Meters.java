package io.duroxide.metrics.micrometer;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;

/** The meters of a registry, each found by its metric and the values of its labels. Thread-safe. */
final class Meters {
  private static final double NANOS_PER_SECOND = 1e9;

  private final MeterRegistry registry;
  private final String prefix;
  private final Tags common;
  private final Map<Key, Counter> counters = new ConcurrentHashMap<>();
  private final Map<Key, Timer> timers = new ConcurrentHashMap<>();
  private final Map<Key, DistributionSummary> summaries = new ConcurrentHashMap<>();

  private record Key(Metric metric, List<String> values) {}

  Meters(MeterRegistry registry, String prefix, Tags common) {
    this.registry = registry;
    this.prefix = prefix;
    this.common = common;
  }

  void count(Metric metric, String... values) {
    count(metric, 1, values);
  }

  void count(Metric metric, long amount, String... values) {
    counters
        .computeIfAbsent(new Key(metric, List.of(values)), this::counter)
        .increment((double) amount);
  }

  void time(Metric metric, Duration duration, String... values) {
    timers.computeIfAbsent(new Key(metric, List.of(values)), this::timer).record(duration);
  }

  void record(Metric metric, long amount, String... values) {
    summaries
        .computeIfAbsent(new Key(metric, List.of(values)), this::summary)
        .record((double) amount);
  }

  void gauge(Metric metric, Supplier<Number> value, String... values) {
    Gauge.builder(name(metric), value)
        .description(metric.description())
        .tags(tags(new Key(metric, List.of(values))))
        .strongReference(true)
        .register(registry);
  }

  private Counter counter(Key key) {
    return Counter.builder(name(key.metric()))
        .description(key.metric().description())
        .tags(tags(key))
        .register(registry);
  }

  private Timer timer(Key key) {
    Duration[] bounds =
        key.metric().buckets().stream()
            .map(seconds -> Duration.ofNanos(Math.round(seconds * NANOS_PER_SECOND)))
            .toArray(Duration[]::new);
    return Timer.builder(name(key.metric()))
        .description(key.metric().description())
        .tags(tags(key))
        .serviceLevelObjectives(bounds)
        .register(registry);
  }

  private DistributionSummary summary(Key key) {
    double[] bounds = key.metric().buckets().stream().mapToDouble(bound -> bound).toArray();
    return DistributionSummary.builder(name(key.metric()))
        .description(key.metric().description())
        .tags(tags(key))
        .serviceLevelObjectives(bounds)
        .register(registry);
  }

  private String name(Metric metric) {
    return prefix + "." + metric.path();
  }

  private Tags tags(Key key) {
    List<String> labels = key.metric().labels();
    if (labels.size() != key.values().size()) {
      throw new IllegalStateException(
          key.metric() + " has the labels " + labels + ", not " + key.values());
    }
    List<Tag> tags = new ArrayList<>();
    for (int i = 0; i < labels.size(); i++) {
      tags.add(Tag.of(labels.get(i), key.values().get(i)));
    }
    return common.and(tags);
  }
}
