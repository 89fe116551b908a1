package io.duroxide.provider.memory;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.KvEntry;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.ExecutionPin;
import io.duroxide.provider.InstanceSnapshot.ExecutionRow;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.StoredHistory;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** One execution of an instance and its history. Guarded by the gate. */
final class Execution {
  private final ExecutionKey key;
  private final Instant startedAt;
  private final NavigableMap<Long, Event> events = new TreeMap<>();
  private final Map<Long, String> damage = new HashMap<>();
  private ExecutionStatus status = ExecutionStatus.RUNNING;
  private @Nullable String output;
  private @Nullable Instant completedAt;
  private @Nullable ExecutionPin pin;
  private @Nullable Integer carryForwardCount;
  private @Nullable String version;
  private boolean isUnloadable;

  Execution(ExecutionKey key, Instant startedAt) {
    this.key = key;
    this.startedAt = startedAt;
  }

  /** An execution of another store. */
  static Execution restored(ExecutionKey key, ExecutionRow row, List<Event> history) {
    ExecutionInfo info = row.info();
    Execution execution = new Execution(key, info.startedAt());
    execution.status = info.status();
    execution.output = info.output();
    execution.completedAt = info.completedAt();
    execution.pin = row.pin();
    execution.version = row.version();
    execution.carryForwardCount = row.carried() == 0 ? null : Math.toIntExact(row.carried());
    execution.append(history);
    return execution;
  }

  ExecutionRow row() {
    return new ExecutionRow(info(), newestEvent(), version, carriedForward());
  }

  ExecutionKey key() {
    return key;
  }

  ExecutionStatus status() {
    return status;
  }

  @Nullable String output() {
    return output;
  }

  @Nullable Instant completedAt() {
    return completedAt;
  }

  @Nullable ExecutionPin pin() {
    return pin;
  }

  /** The version of the orchestration that it runs; null if no commit has told. */
  @Nullable String version() {
    return version;
  }

  int eventCount() {
    return events.size();
  }

  ExecutionInfo info() {
    return new ExecutionInfo(
        key.executionId(), status, output, startedAt, completedAt, events.size(), pin);
  }

  /** The largest stored event id; 0 for none. */
  long newestEvent() {
    return events.isEmpty() ? 0 : events.lastKey();
  }

  /** Notes what a commit says about this execution; absent fields leave things as they are. */
  void note(ExecutionMetadata metadata, Instant now) {
    if (metadata.pinnedVersion() != null) {
      pin = ExecutionPin.of(metadata.pinnedVersion());
    }
    if (metadata.carryForwardCount() != null) {
      carryForwardCount = metadata.carryForwardCount();
    }
    if (metadata.orchestrationName() != null && metadata.orchestrationVersion() != null) {
      version = metadata.orchestrationVersion();
    }
    if (metadata.status() != null) {
      status = metadata.status();
      output = metadata.output();
      completedAt = status.isTerminal() ? now : null;
    }
  }

  /** Refuses events that could not be appended. {@code stored} is null for a new execution. */
  static void check(
      String operation, ExecutionKey key, @Nullable Execution stored, List<Event> delta) {
    checkIds(operation, key, delta);
    checkNew(operation, key, stored, delta);
  }

  /** Refuses events that no execution could have. */
  static void checkIds(String operation, ExecutionKey key, List<Event> delta) {
    for (Event event : delta) {
      if (event.id() < 1) {
        throw Refusal.invalid(operation, key + ": event ids begin at 1, got " + event.id());
      }
    }
  }

  /** Refuses events that are there already. {@code stored} is null for a new execution. */
  static void checkNew(
      String operation, ExecutionKey key, @Nullable Execution stored, List<Event> delta) {
    Set<Long> seen = new HashSet<>();
    for (Event event : delta) {
      long id = event.id();
      if (!seen.add(id) || (stored != null && stored.events.containsKey(id))) {
        throw new ProviderException(
            ProviderException.Kind.DUPLICATE_EVENT,
            operation,
            key + ": event " + id + " is stored already; drop the turn and fetch again");
      }
    }
  }

  /** Appends events that passed {@link #check}; what is stored is not looked at. */
  void append(List<Event> delta) {
    delta.forEach(event -> events.put(event.id(), event));
  }

  /**
   * What a fetch returns, without what the caller has up to {@code cached}.
   *
   * @param values the state at the start of this execution
   */
  StoredHistory fetch(long cached, Map<String, KvEntry> values) {
    if (isUnloadable) {
      throw new OutOfMemoryError("made");
    }
    boolean usable = cached > 0 && !events.isEmpty() && cached <= events.lastKey();
    long after = usable ? cached : 0;
    Collection<Event> newer = events.tailMap(after, false).values();
    return firstDamage(newer)
        .<StoredHistory>map(StoredHistory.Unreadable::new)
        .orElseGet(() ->
            usable
                ? new StoredHistory.Rest(after, List.copyOf(newer))
                : new StoredHistory.Whole(List.copyOf(newer), values));
  }

  void makeUnloadable() {
    isUnloadable = true;
  }

  /** All events; refused when one cannot be decoded. */
  List<Event> read(String operation) {
    return readable(operation, events.values());
  }

  /** Up to {@code limit} events behind {@code after}; refused when one cannot be decoded. */
  List<Event> read(String operation, long after, int limit) {
    return readable(
        operation, events.tailMap(after, false).values().stream().limit(limit).toList());
  }

  /** The newest event, or nothing. */
  List<Event> readLast(String operation) {
    return events.isEmpty()
        ? List.of()
        : readable(operation, List.of(events.lastEntry().getValue()));
  }

  private List<Event> readable(String operation, Collection<Event> wanted) {
    firstDamage(wanted)
        .ifPresent(error -> {
          throw new ProviderException(
              ProviderException.Kind.CORRUPT_DATA,
              operation,
              key + ": " + error + "; repair or delete the instance");
        });
    return List.copyOf(wanted);
  }

  private Optional<String> firstDamage(Collection<Event> wanted) {
    if (damage.isEmpty()) {
      return Optional.empty();
    }
    return wanted.stream()
        .filter(event -> damage.containsKey(event.id()))
        .findFirst()
        .map(event -> "event " + event.id() + " cannot be decoded: " + damage.get(event.id()));
  }

  /** Makes a stored event unreadable. */
  void damage(long eventId, String error) {
    damage.put(eventId, error);
  }

  /** Makes the pin unreadable. */
  void damagePin(String text) {
    pin = new ExecutionPin(text);
  }

  /** The ids of all stored events. */
  Set<Long> eventIds() {
    return events.keySet();
  }

  /** The start recorded in the history, if there is one that can be decoded. */
  Optional<EventKind.OrchestrationStarted> start() {
    return events.values().stream()
        .filter(event -> !damage.containsKey(event.id()))
        .map(Event::kind)
        .filter(EventKind.OrchestrationStarted.class::isInstance)
        .map(EventKind.OrchestrationStarted.class::cast)
        .findFirst();
  }

  /** Messages carried into this execution: as noted by the runtime, else as its start says. */
  long carriedForward() {
    if (carryForwardCount != null) {
      return carryForwardCount;
    }
    return start().map(started -> started.inheritance().messages().size()).orElse(0);
  }

  /** An estimate: nothing is encoded here. */
  long sizeBytes() {
    return events.values().stream()
        .mapToLong(event -> event.toString().getBytes(StandardCharsets.UTF_8).length)
        .sum();
  }
}
