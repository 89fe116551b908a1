package io.duroxide.provider.sqlite;

import java.util.HashMap;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Instances that turns were committed for or messages sent to, as they are now, so that what comes
 * next for them need not look them up. Confined to the writer.
 */
final class KeptRows {
  private static final int MAX = 10_000;

  private final Map<Long, InstanceRow> rows = new HashMap<>();
  private final Map<String, InstanceRow> rowsById = new HashMap<>();

  @Nullable InstanceRow get(long key) {
    return rows.get(key);
  }

  @Nullable InstanceRow get(String id) {
    return rowsById.get(id);
  }

  void put(InstanceRow row) {
    if (rows.size() >= MAX) {
      clear();
    }
    rows.put(row.key(), row);
    rowsById.put(row.id(), row);
  }

  /** Changes a row if it is kept. */
  void change(long key, UnaryOperator<InstanceRow> change) {
    InstanceRow row = rows.get(key);
    if (row != null) {
      put(change.apply(row));
    }
  }

  void remove(long key) {
    InstanceRow row = rows.remove(key);
    if (row != null) {
      rowsById.remove(row.id());
    }
  }

  void clear() {
    rows.clear();
    rowsById.clear();
  }
}
