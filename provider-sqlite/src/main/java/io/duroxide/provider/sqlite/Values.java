package io.duroxide.provider.sqlite;

import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.KvEntry;
import io.duroxide.provider.StoredText;
import java.sql.SQLException;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The key-value entries of instances in two layers.
 *
 * <p>Replay must not see what later turns of the same execution wrote, so writes go into {@code
 * kv_delta} and reach {@code kv_base} when the execution ends. Confined to the writer.
 */
final class Values {
  private final Tx tx;
  private final Sql sql;

  Values(Tx tx) {
    this.tx = tx;
    this.sql = tx.sql();
  }

  /** The changes among the events of a commit, in order. */
  static List<EventKind> changes(List<Event> events) {
    return events.stream()
        .map(Event::kind)
        .filter(kind ->
            kind instanceof EventKind.KeyValueSet
                || kind instanceof EventKind.KeyValueCleared
                || kind instanceof EventKind.KeyValuesCleared)
        .toList();
  }

  void apply(long instance, List<EventKind> changes) throws SQLException {
    for (EventKind change : changes) {
      if (change instanceof EventKind.KeyValueSet set) {
        set(instance, set);
      } else if (change instanceof EventKind.KeyValueCleared cleared) {
        clear(instance, cleared.key());
      } else {
        clearAll(instance);
      }
    }
  }

  private static final String SET =
      """
      INSERT OR REPLACE INTO duroxide_kv_delta (instance, key, updated_at, value) VALUES (?, ?, ?, ?)
      """;

  private void set(long instance, EventKind.KeyValueSet set) throws SQLException {
    long at = StoreTime.millis(set.lastUpdatedAt());
    sql.update(SET, instance, set.key(), at, StoredText.escaped(set.value()));
  }

  private void clear(long instance, String key) throws SQLException {
    sql.update(SET, instance, key, tx.now(), null);
  }

  private static final String CLEAR_DELTA =
      """
      UPDATE duroxide_kv_delta SET value = NULL, updated_at = ? WHERE instance = ?
      """;

  private static final String CLEAR_BASE =
      """
      INSERT OR IGNORE INTO duroxide_kv_delta (instance, key, updated_at, value)
      SELECT instance, key, ?, NULL FROM duroxide_kv_base WHERE instance = ?
      """;

  private void clearAll(long instance) throws SQLException {
    sql.update(CLEAR_DELTA, tx.now(), instance);
    sql.update(CLEAR_BASE, tx.now(), instance);
  }

  private static final String MERGE_VALUES =
      """
      INSERT OR REPLACE INTO duroxide_kv_base (instance, key, updated_at, value)
      SELECT instance, key, updated_at, value FROM duroxide_kv_delta
      WHERE instance = ? AND value IS NOT NULL
      """;

  private static final String MERGE_TOMBSTONES =
      """
      DELETE FROM duroxide_kv_base WHERE instance = ?1
        AND key IN (SELECT key FROM duroxide_kv_delta WHERE instance = ?1 AND value IS NULL)
      """;

  private static final String EMPTY_DELTA =
      """
      DELETE FROM duroxide_kv_delta WHERE instance = ?
      """;

  /** The execution has ended: its changes become the state the next one starts from. */
  void merge(long instance) throws SQLException {
    sql.update(MERGE_VALUES, instance);
    sql.update(MERGE_TOMBSTONES, instance);
    sql.update(EMPTY_DELTA, instance);
  }

  private static final String SNAPSHOT =
      """
      SELECT key, value, updated_at FROM duroxide_kv_base WHERE instance = ? ORDER BY key
      """;

  /** The state at the start of the current execution. */
  Map<String, KvEntry> snapshot(long instance) throws SQLException {
    Map<String, KvEntry> entries = new LinkedHashMap<>();
    sql.list(
        SNAPSHOT,
        row -> {
          KvEntry entry =
              new KvEntry(
                  StoredText.unescaped(row.getString(2)), Instant.ofEpochMilli(row.getLong(3)));
          return entries.put(row.getString(1), entry);
        },
        instance);
    return entries;
  }

  private static final String EMPTY_BASE =
      """
      DELETE FROM duroxide_kv_base WHERE instance = ?
      """;

  void deleteAll(long instance) throws SQLException {
    sql.update(EMPTY_BASE, instance);
    sql.update(EMPTY_DELTA, instance);
  }
}
