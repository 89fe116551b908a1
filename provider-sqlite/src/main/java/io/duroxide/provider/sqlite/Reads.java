package io.duroxide.provider.sqlite;

import io.duroxide.codec.DecodeException;
import io.duroxide.codec.EventCodec;
import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.InstanceStats;
import io.duroxide.provider.InstanceStatus;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.StoredText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What clients read; changes nothing. Thread-safe. */
final class Reads {
  private final Readers readers;

  Reads(Readers readers) {
    this.readers = readers;
  }

  /** Events with the execution they belong to. */
  private record Stored(ExecutionKey execution, List<StoredEvent> events) {}

  private static final String LATEST =
      """
      SELECT instance, id FROM duroxide_execution
      WHERE instance = (SELECT key FROM duroxide_instance WHERE id = ?) ORDER BY id DESC LIMIT 1
      """;

  private static long @Nullable [] latest(Sql sql, String instance) throws SQLException {
    return sql.first(LATEST, row -> new long[] {row.getLong(1), row.getLong(2)}, instance);
  }

  List<Event> latestHistory(String operation, String instance) {
    return decoded(
        operation,
        readers.read(
            operation,
            sql -> {
              long[] found = latest(sql, instance);
              return found == null
                  ? new Stored(new ExecutionKey(instance, 0), List.of())
                  : new Stored(
                      new ExecutionKey(instance, found[1]),
                      History.on(sql).after(found[0], found[1], 0));
            }));
  }

  Optional<Event> lastEvent(String operation, String instance) {
    Stored stored =
        readers.read(
            operation,
            sql -> {
              long[] found = latest(sql, instance);
              return found == null
                  ? new Stored(new ExecutionKey(instance, 0), List.of())
                  : new Stored(
                      new ExecutionKey(instance, found[1]),
                      History.on(sql).last(found[0], found[1]));
            });
    return decoded(operation, stored).stream().findFirst();
  }

  private static final String KEY =
      """
      SELECT key FROM duroxide_instance WHERE id = ?
      """;

  List<Event> history(String operation, ExecutionKey execution) {
    return history(operation, execution, 0, Integer.MAX_VALUE);
  }

  List<Event> history(String operation, ExecutionKey execution, long after, int limit) {
    return decoded(
        operation,
        readers.read(
            operation,
            sql -> {
              Long key = sql.first(KEY, row -> row.getLong(1), execution.instance());
              return new Stored(
                  execution,
                  key == null
                      ? List.of()
                      : History.on(sql).after(key, execution.executionId(), after, limit));
            }));
  }

  /** All or nothing: a damaged event is not left out. */
  private static List<Event> decoded(String operation, Stored stored) {
    List<Event> events = new ArrayList<>(stored.events().size());
    for (StoredEvent event : stored.events()) {
      try {
        events.add(EventCodec.decode(event.data()));
      } catch (DecodeException damage) {
        throw new ProviderException(
            Kind.CORRUPT_DATA,
            operation,
            "%s: event %d cannot be decoded: %s; repair or delete the instance"
                .formatted(stored.execution(), event.id(), damage.getMessage()),
            damage);
      }
    }
    return List.copyOf(events);
  }

  private static final String CUSTOM_STATUS =
      """
      SELECT s.status, s.version FROM duroxide_instance i JOIN duroxide_custom_status s ON s.instance = i.key
      WHERE i.id = ? AND i.stage = 2 AND s.version > ?
      """;

  Optional<CustomStatus> customStatus(String instance, long lastSeenVersion) {
    return readers.read(
        "customStatus",
        sql ->
            Optional.ofNullable(
                sql.first(
                    CUSTOM_STATUS,
                    row -> new CustomStatus(StoredText.read(row.getString(1)), row.getLong(2)),
                    instance,
                    lastSeenVersion)));
  }

  private static final String VALUE =
      """
      SELECT CASE WHEN d.key IS NULL THEN b.value ELSE d.value END
      FROM duroxide_instance i
      LEFT JOIN duroxide_kv_delta d ON d.instance = i.key AND d.key = ?2
      LEFT JOIN duroxide_kv_base b ON b.instance = i.key AND b.key = ?2
      WHERE i.id = ?1
      """;

  Optional<String> value(String instance, String key) {
    return readers.read(
        "kvValue",
        sql ->
            Optional.ofNullable(
                    sql.first(
                        VALUE,
                        row -> Optional.ofNullable(StoredText.read(row.getString(1))),
                        instance,
                        key))
                .flatMap(found -> found));
  }

  private static final String VALUES =
      """
      SELECT d.key, d.value FROM duroxide_instance i JOIN duroxide_kv_delta d ON d.instance = i.key
      WHERE i.id = ?1 AND d.value IS NOT NULL
      UNION ALL
      SELECT b.key, b.value FROM duroxide_instance i JOIN duroxide_kv_base b ON b.instance = i.key
      WHERE i.id = ?1
        AND NOT EXISTS (SELECT 1 FROM duroxide_kv_delta d WHERE d.instance = b.instance AND d.key = b.key)
      ORDER BY 1
      """;

  Map<String, String> values(String instance) {
    return readers.read(
        "kvAllValues",
        sql -> {
          Map<String, String> values = new LinkedHashMap<>();
          sql.list(
              VALUES,
              row -> values.put(row.getString(1), StoredText.unescaped(row.getString(2))),
              instance);
          return Collections.unmodifiableMap(values);
        });
  }

  private static final String STATUS =
      """
      SELECT i.execution, i.status, e.output, s.status, coalesce(s.version, 0), i.updated_at
      FROM duroxide_instance i
      LEFT JOIN duroxide_execution e ON e.instance = i.key AND e.id = i.execution
      LEFT JOIN duroxide_custom_status s ON s.instance = i.key
      WHERE i.id = ? AND i.stage = 2
      """;

  Optional<InstanceStatus> status(String instance) {
    return readers.readQuickly(
        "status", sql -> Optional.ofNullable(sql.first(STATUS, Reads::status, instance)));
  }

  private static InstanceStatus status(ResultSet row) throws SQLException {
    return new InstanceStatus(
        row.getLong(1),
        ExecutionStatus.ofStored(row.getString(2)),
        StoredText.read(row.getString(3)),
        new CustomStatus(StoredText.read(row.getString(4)), row.getLong(5)),
        Instant.ofEpochMilli(row.getLong(6)));
  }

  private static final String STATS =
      """
      SELECT i.key, i.execution, e.carried,
        (SELECT n.events FROM duroxide_newest n WHERE n.instance = i.key AND n.execution = i.execution),
        (SELECT n.bytes FROM duroxide_newest n WHERE n.instance = i.key AND n.execution = i.execution)
      FROM duroxide_instance i LEFT JOIN duroxide_execution e ON e.instance = i.key AND e.id = i.execution
      WHERE i.id = ? AND i.stage = 2
      """;

  private static final String VALUE_STATS =
      """
      SELECT count(*), coalesce(sum(octet_length(replace(value, char(26), ''))), 0) FROM (
        SELECT value FROM duroxide_kv_delta WHERE instance = ?1 AND value IS NOT NULL
        UNION ALL
        SELECT value FROM duroxide_kv_base b WHERE instance = ?1
          AND NOT EXISTS (SELECT 1 FROM duroxide_kv_delta d WHERE d.instance = ?1 AND d.key = b.key))
      """;

  /** Figures of a history. */
  private record Size(long key, long execution, @Nullable Long carried, long events, long bytes) {}

  Optional<InstanceStats> stats(String instance) {
    return readers.read(
        "instanceStats",
        sql -> {
          Size size =
              sql.first(
                  STATS,
                  row ->
                      new Size(
                          row.getLong(1),
                          row.getLong(2),
                          Sql.nullableLong(row, 3),
                          row.getLong(4),
                          row.getLong(5)),
                  instance);
          return size == null ? Optional.empty() : Optional.ofNullable(stats(sql, size));
        });
  }

  private static @Nullable InstanceStats stats(Sql sql, Size size) throws SQLException {
    Long carried = size.carried();
    long pending =
        carried == null ? History.on(sql).carried(size.key(), size.execution()) : carried;
    return sql.first(
        VALUE_STATS,
        row ->
            new InstanceStats(size.events(), size.bytes(), pending, row.getLong(1), row.getLong(2)),
        size.key());
  }
}
