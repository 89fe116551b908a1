package io.duroxide.provider.small;

import io.duroxide.codec.EventCodec;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.KvEntry;
import io.duroxide.provider.BatchBound;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.ExecutionPin;
import io.duroxide.provider.InstanceStats;
import io.duroxide.provider.InstanceStatus;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.TurnCommit;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The rows of one id: instance, executions, events, values. Guarded by the provider's lock. */
final class SmallInstance {
  private final TreeMap<Long, ExecutionRow> executions = new TreeMap<>();
  private final TreeMap<String, KvEntry> base = new TreeMap<>();
  private final TreeMap<String, Optional<KvEntry>> pending = new TreeMap<>();
  private @Nullable OrchestrationIdentity named;
  private long current;
  private CustomStatus customStatus = new CustomStatus(null, 0);
  private Instant updatedAt = Instant.EPOCH;

  /** One execution and its history. */
  private static final class ExecutionRow {
    final TreeMap<Long, Event> events = new TreeMap<>();
    ExecutionStatus status = ExecutionStatus.RUNNING;
    @Nullable String output;
    @Nullable ExecutionPin pin;
    @Nullable Integer carried;

    Optional<EventKind.OrchestrationStarted> start() {
      return events.values().stream()
          .map(Event::kind)
          .filter(EventKind.OrchestrationStarted.class::isInstance)
          .map(EventKind.OrchestrationStarted.class::cast)
          .findFirst();
    }
  }

  /** Whether clients see it: a commit has named its orchestration. */
  boolean exists() {
    return named != null;
  }

  /** The largest id that a commit has named; without a name the largest that is stored. */
  long currentId() {
    return exists() ? current : executions.isEmpty() ? ExecutionKey.FIRST : executions.lastKey();
  }

  private ExecutionRow currentRow() {
    return executions.getOrDefault(currentId(), new ExecutionRow());
  }

  boolean hasEnded() {
    return exists() && currentRow().status.endsInstance();
  }

  @Nullable ExecutionPin pin() {
    return currentRow().pin;
  }

  /** Name and version as a commit has told them, else as the newest history does. */
  Optional<OrchestrationIdentity> recorded() {
    return Optional.ofNullable(named)
        .or(() ->
            Optional.ofNullable(executions.lastEntry())
                .flatMap(newest -> newest.getValue().start())
                .map(start -> new OrchestrationIdentity(start.name(), start.version())));
  }

  /** What a fetch returns: all events, and the values that the execution began with. */
  StoredHistory history() {
    return new StoredHistory.Whole(List.copyOf(currentRow().events.values()), base);
  }

  /** Events of the newest execution that is stored. */
  List<Event> newestEvents() {
    return executions.isEmpty() ? List.of() : events(executions.lastKey());
  }

  List<Event> events(long executionId) {
    ExecutionRow row = executions.get(executionId);
    return row == null ? List.of() : List.copyOf(row.events.values());
  }

  /** Refuses events that are stored, or stand twice in {@code delta}. */
  void checkNew(String operation, long executionId, List<Event> delta) {
    ExecutionRow row = executions.getOrDefault(executionId, new ExecutionRow());
    Set<Long> seen = new HashSet<>(row.events.keySet());
    for (Event event : delta) {
      if (!seen.add(event.id())) {
        throw new ProviderException(
            ProviderException.Kind.DUPLICATE_EVENT,
            operation,
            event.execution() + ": event " + event.id() + " is stored already");
      }
    }
  }

  void append(long executionId, List<Event> delta) {
    ExecutionRow row = executions.computeIfAbsent(executionId, any -> new ExecutionRow());
    delta.forEach(event -> row.events.put(event.id(), event));
  }

  /** Everything that a commit says of its instance. */
  void apply(TurnCommit commit, Instant now) {
    ExecutionMetadata metadata = commit.metadata();
    String name = metadata.orchestrationName();
    String version = metadata.orchestrationVersion();
    if (name != null && version != null) {
      named = new OrchestrationIdentity(name, version);
    }
    current = Math.max(current, commit.executionId());
    updatedAt = now;
    append(commit.executionId(), commit.historyDelta());
    note(executions.get(commit.executionId()), metadata);
    commit.historyDelta().forEach(this::noteValue);
    commit.historyDelta().reversed().stream()
        .map(Event::kind)
        .filter(EventKind.CustomStatusUpdated.class::isInstance)
        .map(EventKind.CustomStatusUpdated.class::cast)
        .filter(last -> exists())
        .findFirst()
        .ifPresent(
            last -> customStatus = new CustomStatus(last.status(), customStatus.version() + 1));
    ExecutionStatus status = metadata.status();
    if (status != null && status.isTerminal()) {
      Map<String, KvEntry> merged = values();
      base.clear();
      base.putAll(merged);
      pending.clear();
    }
  }

  /** What is absent stays as it is; the output goes with the status. */
  private static void note(ExecutionRow row, ExecutionMetadata metadata) {
    if (metadata.pinnedVersion() != null) {
      row.pin = ExecutionPin.of(metadata.pinnedVersion());
    }
    if (metadata.carryForwardCount() != null) {
      row.carried = metadata.carryForwardCount();
    }
    if (metadata.status() != null) {
      row.status = metadata.status();
      row.output = metadata.output();
    }
  }

  private void noteValue(Event event) {
    switch (event.kind()) {
      case EventKind.KeyValueSet set ->
          pending.put(set.key(), Optional.of(new KvEntry(set.value(), set.lastUpdatedAt())));
      case EventKind.KeyValueCleared cleared -> pending.put(cleared.key(), Optional.empty());
      case EventKind.KeyValuesCleared cleared -> {
        base.keySet().forEach(key -> pending.put(key, Optional.empty()));
        pending.replaceAll((key, value) -> Optional.empty());
      }
      default -> {}
    }
  }

  /** What readers outside see of the values. */
  Map<String, String> texts() {
    TreeMap<String, String> texts = new TreeMap<>();
    values().forEach((key, entry) -> texts.put(key, entry.value()));
    return texts;
  }

  /** The changes of the running execution over the base. */
  private Map<String, KvEntry> values() {
    TreeMap<String, KvEntry> seen = new TreeMap<>(base);
    pending.forEach((key, value) ->
        value.ifPresentOrElse(entry -> seen.put(key, entry), () -> seen.remove(key)));
    return seen;
  }

  CustomStatus customStatus() {
    return customStatus;
  }

  InstanceStatus status() {
    ExecutionRow row = currentRow();
    return new InstanceStatus(currentId(), row.status, row.output, customStatus, updatedAt);
  }

  InstanceStats stats() {
    ExecutionRow row = currentRow();
    Map<String, KvEntry> values = values();
    Integer carried = row.carried;
    return new InstanceStats(
        row.events.size(),
        row.events.values().stream().mapToLong(SmallInstance::bytes).sum(),
        carried == null
            ? row.start().map(start -> start.inheritance().messages().size()).orElse(0)
            : carried,
        values.size(),
        values.values().stream().mapToLong(entry -> BatchBound.bytesOf(entry.value())).sum());
  }

  private static long bytes(Event event) {
    return BatchBound.bytesOf(EventCodec.encode(event));
  }
}
