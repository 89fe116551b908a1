package io.duroxide.provider.memory;

import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.KvEntry;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.InstanceStats;
import io.duroxide.provider.InstanceStatus;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** What clients read; changes nothing. Guarded by the gate. */
final class Reads {
  private final Instances instances;

  Reads(Instances instances) {
    this.instances = instances;
  }

  List<Event> latestHistory(String operation, String instance) {
    return instances
        .find(instance)
        .flatMap(Instance::latest)
        .map(execution -> execution.read(operation))
        .orElse(List.of());
  }

  List<Event> history(String operation, ExecutionKey key) {
    return instances.execution(key).map(known -> known.read(operation)).orElse(List.of());
  }

  Optional<Event> lastEvent(String operation, String instance) {
    return instances
        .find(instance)
        .flatMap(Instance::latest)
        .flatMap(execution -> execution.readLast(operation).stream().findFirst());
  }

  Optional<CustomStatus> customStatus(String instance, long lastSeenVersion) {
    return instances
        .existing(instance)
        .map(Instance::customStatus)
        .filter(status -> status.version() > lastSeenVersion);
  }

  Map<String, String> kvValues(String instance) {
    Map<String, String> values = new TreeMap<>();
    merged(instance).forEach((key, entry) -> values.put(key, entry.value()));
    return Collections.unmodifiableMap(values);
  }

  Optional<InstanceStatus> status(String id) {
    return instances
        .existing(id)
        .map(instance ->
            new InstanceStatus(
                instance.currentKey().executionId(),
                instance.status(),
                instance.output(),
                instance.customStatus(),
                instance.updatedAt()));
  }

  Optional<InstanceStats> stats(String id) {
    return instances.existing(id).map(this::stats);
  }

  private InstanceStats stats(Instance instance) {
    Optional<Execution> current = Optional.ofNullable(instance.current());
    Collection<KvEntry> values = instance.kv().merged().values();
    return new InstanceStats(
        current.map(Execution::eventCount).orElse(0),
        current.map(Execution::sizeBytes).orElse(0L),
        current.map(Execution::carriedForward).orElse(0L),
        values.size(),
        values.stream().mapToLong(Reads::bytes).sum());
  }

  private Map<String, KvEntry> merged(String instance) {
    return instances.find(instance).map(known -> known.kv().merged()).orElse(Map.of());
  }

  private static long bytes(KvEntry entry) {
    return entry.value().getBytes(StandardCharsets.UTF_8).length;
  }
}
