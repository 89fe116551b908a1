package io.duroxide.replay;

import io.duroxide.api.DataConversionException;
import io.duroxide.api.DataConverter;
import io.duroxide.api.KeyValueStore;
import io.duroxide.api.TypeRef;
import io.duroxide.model.KvEntry;
import io.duroxide.model.TextLimit;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * The key-value store as the code sees it: the state at the start of the execution changed by every
 * write since. A replayed write takes its stamp from history, so that pruning decides as it did.
 */
final class KvState implements KeyValueStore {
  private final Conductor conductor;
  private final DataConverter converter;
  private final InstantSource clock;
  private final TreeMap<String, KvEntry> entries = new TreeMap<>();
  private final ArrayDeque<Instant> recordedStamps = new ArrayDeque<>(0);

  KvState(Conductor conductor, EngineOptions options) {
    this.conductor = conductor;
    this.converter = options.converter();
    this.clock = options.clock();
  }

  void seed(Map<String, KvEntry> snapshot) {
    entries.putAll(snapshot);
  }

  /** The stamp of the next write that history already has. */
  void recorded(Instant stamp) {
    recordedStamps.add(stamp);
  }

  @Override
  public void put(String key, Object value) {
    putText(key, converter.encodeJson(value));
  }

  @Override
  public <T> Optional<T> get(String key, TypeRef<T> type) {
    return getText(key).map(text -> decode(key, text, type));
  }

  private <T> T decode(String key, String text, TypeRef<T> type) {
    try {
      return converter.decodeJson(text, type);
    } catch (DataConversionException e) {
      throw new DataConversionException("KV key '" + key + "': " + e.getMessage(), e);
    }
  }

  @Override
  public void putText(String key, String text) {
    TextLimit.KEY.check(Objects.requireNonNull(key, "key"));
    Objects.requireNonNull(text, "text");
    if (!conductor.live()) {
      return;
    }
    Instant recorded = recordedStamps.poll();
    Instant stamp =
        recorded == null ? Instant.ofEpochMilli(clock.instant().toEpochMilli()) : recorded;
    entries.put(key, new KvEntry(text, stamp));
    conductor.emit(new Action.SetKeyValue(key, text, stamp));
  }

  @Override
  public Optional<String> getText(String key) {
    return Optional.ofNullable(entries.get(key)).map(KvEntry::value);
  }

  @Override
  public Map<String, String> all() {
    TreeMap<String, String> values = new TreeMap<>();
    entries.forEach((key, entry) -> values.put(key, entry.value()));
    return Collections.unmodifiableMap(values);
  }

  @Override
  public SortedSet<String> keys() {
    return Collections.unmodifiableSortedSet(new TreeSet<>(entries.keySet()));
  }

  @Override
  public int size() {
    return entries.size();
  }

  @Override
  public void clear(String key) {
    Objects.requireNonNull(key, "key");
    if (conductor.live()) {
      entries.remove(key);
      conductor.emit(new Action.ClearKeyValue(key));
    }
  }

  @Override
  public void clearAll() {
    if (conductor.live()) {
      entries.clear();
      conductor.emit(new Action.ClearKeyValues());
    }
  }

  @Override
  public int pruneUpdatedBefore(Instant cutoff) {
    List<String> old =
        entries.entrySet().stream()
            .filter(entry -> entry.getValue().updatedAt().isBefore(cutoff))
            .map(Map.Entry::getKey)
            .toList();
    old.forEach(this::clear);
    return old.size();
  }
}
