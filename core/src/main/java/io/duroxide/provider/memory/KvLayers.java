package io.duroxide.provider.memory;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.KvEntry;
import io.duroxide.provider.InstanceSnapshot.ValueRow;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The key-value store of an instance in two layers.
 *
 * <p>Replay must not see what later turns of the same execution wrote, so writes go into {@code
 * delta} and reach {@code base} when the execution ends. The fetch reads the base alone, clients
 * read both. Guarded by the gate.
 */
final class KvLayers {
  private final Map<String, KvEntry> base = new LinkedHashMap<>();
  private final Map<String, Change> delta = new LinkedHashMap<>();

  /**
   * @param value null for a tombstone
   */
  private record Change(@Nullable String value, Instant at) {}

  /** Applies the KV events of a commit in order. */
  void apply(List<Event> events, Instant now) {
    for (Event event : events) {
      if (event.kind() instanceof EventKind.KeyValueSet set) {
        delta.put(set.key(), new Change(set.value(), set.lastUpdatedAt()));
      } else if (event.kind() instanceof EventKind.KeyValueCleared cleared) {
        delta.put(cleared.key(), new Change(null, now));
      } else if (event.kind() instanceof EventKind.KeyValuesCleared) {
        Change tombstone = new Change(null, now);
        delta.replaceAll((key, change) -> tombstone);
        base.keySet().forEach(key -> delta.put(key, tombstone));
      }
    }
  }

  /** The execution has ended: its changes become the state the next one starts from. */
  void merge() {
    delta.forEach((key, change) -> overlay(base, key, change));
    delta.clear();
  }

  /** The state at the start of the current execution. */
  Map<String, KvEntry> snapshot() {
    return base;
  }

  Optional<String> value(String key) {
    Change change = delta.get(key);
    if (change != null) {
      return Optional.ofNullable(change.value());
    }
    return Optional.ofNullable(base.get(key)).map(KvEntry::value);
  }

  /** What clients see: the current execution's changes over the base. */
  Map<String, KvEntry> merged() {
    Map<String, KvEntry> view = new LinkedHashMap<>(base);
    delta.forEach((key, change) -> overlay(view, key, change));
    return view;
  }

  /** Both layers. */
  List<ValueRow> rows() {
    List<ValueRow> rows = new ArrayList<>();
    base.forEach((key, entry) ->
        rows.add(new ValueRow(key, entry.value(), StoreClock.stored(entry.updatedAt()), false)));
    delta.forEach((key, change) ->
        rows.add(new ValueRow(key, change.value(), StoreClock.stored(change.at()), true)));
    return rows;
  }

  /** Fills both layers. */
  void restore(List<ValueRow> rows) {
    for (ValueRow row : rows) {
      Change change = new Change(row.value(), row.updatedAt());
      if (row.pending()) {
        delta.put(row.key(), change);
      } else {
        overlay(base, row.key(), change);
      }
    }
  }

  private static void overlay(Map<String, KvEntry> view, String key, Change change) {
    if (change.value() == null) {
      view.remove(key);
    } else {
      view.put(key, new KvEntry(change.value(), change.at()));
    }
  }
}
