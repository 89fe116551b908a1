package io.duroxide.provider.postgres;

import io.duroxide.codec.DecodeException;
import io.duroxide.codec.EventCodec;
import io.duroxide.model.ActivityKey;
import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.KvEntry;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.InstanceStats;
import io.duroxide.provider.InstanceStatus;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What clients read, each in one statement; changes nothing. Thread-safe. */
final class Reads {
  private final Store store;
  private final StatusReads statuses;

  Reads(Store store) {
    this.store = store;
    this.statuses = new StatusReads(store);
  }

  /** An event with the execution it belongs to. */
  private record Placed(long execution, StoredEvent event) {
    static Placed read(ResultSet row) throws SQLException {
      return new Placed(row.getLong(1), new StoredEvent(row.getLong(2), row.getString(3)));
    }
  }

  private static final String LATEST_HISTORY =
      """
      SELECT h.execution, h.event, h.data
      FROM @.instance i
      CROSS JOIN LATERAL (
        SELECT e.id FROM @.execution e WHERE e.instance = i.key ORDER BY e.id DESC LIMIT 1) e
      JOIN @.history h ON h.instance = i.key AND h.execution = e.id
      WHERE i.id = ? ORDER BY h.event
      """;

  List<Event> latestHistory(String operation, String instance) {
    List<Placed> stored =
        store.read(operation, sql -> sql.list(LATEST_HISTORY, Placed::read, instance));
    return decoded(operation, instance, stored);
  }

  private static final String LAST_EVENT =
      """
      SELECT h.execution, h.event, h.data
      FROM @.instance i
      CROSS JOIN LATERAL (
        SELECT e.id FROM @.execution e WHERE e.instance = i.key ORDER BY e.id DESC LIMIT 1) e
      JOIN @.history h ON h.instance = i.key AND h.execution = e.id
      WHERE i.id = ? ORDER BY h.event DESC LIMIT 1
      """;

  Optional<Event> lastEvent(String operation, String instance) {
    List<Placed> stored =
        store.read(operation, sql -> sql.list(LAST_EVENT, Placed::read, instance));
    return decoded(operation, instance, stored).stream().findFirst();
  }

  private static final String HISTORY =
      """
      SELECT h.execution, h.event, h.data
      FROM @.instance i JOIN @.history h ON h.instance = i.key
      WHERE i.id = ? AND h.execution = ? AND h.event > ? ORDER BY h.event LIMIT ?
      """;

  List<Event> history(String operation, ExecutionKey execution) {
    return history(operation, execution, 0, Integer.MAX_VALUE);
  }

  /** Up to {@code limit} events with larger ids than {@code after}. */
  List<Event> history(String operation, ExecutionKey execution, long after, int limit) {
    List<Placed> stored =
        store.read(
            operation,
            sql ->
                sql.list(
                    HISTORY,
                    Placed::read,
                    execution.instance(),
                    execution.executionId(),
                    after,
                    Math.max(0, limit)));
    return decoded(operation, execution.instance(), stored);
  }

  /** All or nothing: a damaged event is not left out. */
  private static List<Event> decoded(String operation, String instance, List<Placed> stored) {
    List<Event> events = new ArrayList<>(stored.size());
    for (Placed placed : stored) {
      try {
        events.add(EventCodec.decode(placed.event().data()));
      } catch (DecodeException damage) {
        throw new ProviderException(
            Kind.CORRUPT_DATA,
            operation,
            "%s: event %d cannot be decoded: %s; repair or delete the instance"
                .formatted(
                    new ExecutionKey(instance, placed.execution()),
                    placed.event().id(),
                    damage.getMessage()),
            damage);
      }
    }
    return List.copyOf(events);
  }

  private static final String PAST =
      """
      SELECT h.event, h.data FROM @.history h
      WHERE h.instance = ? AND h.execution = ? AND h.event > ? ORDER BY h.event
      """;

  private static final String BASE_VALUES =
      """
      SELECT b.key, b.value, b.updated_at FROM @.kv_base b WHERE b.instance = ? ORDER BY b.key
      """;

  /** What a fetch has left out of a locked instance, behind the event {@code after}. */
  RawTurn.Past past(RawTurn turn, long after) {
    long key = turn.lock().key();
    return store.read(
        FetchTurns.OPERATION,
        sql -> {
          List<StoredEvent> events =
              sql.list(
                  PAST,
                  row -> new StoredEvent(row.getLong(1), row.getString(2)),
                  key,
                  turn.execution().executionId(),
                  after);
          Map<String, KvEntry> values = new LinkedHashMap<>();
          if (after == 0) {
            sql.list(
                BASE_VALUES,
                row ->
                    values.put(
                        Sql.text(row, 1),
                        new KvEntry(Sql.text(row, 2), Instant.ofEpochMilli(row.getLong(3)))),
                key);
          }
          return new RawTurn.Past(after, events, values);
        });
  }

  private static final String HELD =
      """
      SELECT FROM @.instance WHERE key = ? AND lock_token = ? AND locked_until > @.store_now(?)
      """;

  /** Whether a lock is valid. */
  boolean isHeld(Tokens.Turn lock) {
    return store.read(
        CommitTurn.OPERATION,
        sql -> sql.exists(HELD, lock.key(), lock.secret(), store.clock().given()));
  }

  private static final String ACTIVITIES =
      """
      SELECT DISTINCT w.activity FROM @.work w WHERE w.instance = ? AND w.execution = ?
      """;

  /** All activities of an execution that are queued or run. */
  List<ActivityKey> activities(Tokens.Turn lock, long execution) {
    return store.read(
        CommitTurn.OPERATION,
        sql ->
            sql.list(
                ACTIVITIES,
                row -> new ActivityKey(lock.instance(), execution, row.getLong(1)),
                lock.key(),
                execution));
  }

  private static final String CUSTOM_STATUS =
      """
      SELECT s.status, s.version FROM @.instance i JOIN @.custom_status s ON s.instance = i.key
      WHERE i.id = ? AND i.stage > 1 AND s.version > ?
      """;

  Optional<CustomStatus> customStatus(String instance, long lastSeenVersion) {
    return store.read(
        "customStatus",
        sql ->
            Optional.ofNullable(
                sql.first(
                    CUSTOM_STATUS,
                    row -> new CustomStatus(Sql.maybeText(row, 1), row.getLong(2)),
                    instance,
                    lastSeenVersion)));
  }

  private static final String VALUE =
      """
      SELECT CASE WHEN d.instance IS NULL THEN b.value ELSE d.value END
      FROM @.instance i
      LEFT JOIN @.kv_delta d ON d.instance = i.key AND d.key = ?
      LEFT JOIN @.kv_base b ON b.instance = i.key AND b.key = ?
      WHERE i.id = ?
      """;

  Optional<String> value(String instance, String key) {
    return store.read(
        "kvValue",
        sql ->
            Optional.ofNullable(
                    sql.first(
                        VALUE,
                        row -> Optional.ofNullable(Sql.maybeText(row, 1)),
                        key,
                        key,
                        instance))
                .flatMap(found -> found));
  }

  private static final String VALUES =
      """
      SELECT d.key, d.value FROM @.instance i JOIN @.kv_delta d ON d.instance = i.key
      WHERE i.id = ? AND d.value IS NOT NULL
      UNION ALL
      SELECT b.key, b.value FROM @.instance i JOIN @.kv_base b ON b.instance = i.key
      WHERE i.id = ? AND NOT EXISTS (
        SELECT FROM @.kv_delta d WHERE d.instance = b.instance AND d.key = b.key)
      ORDER BY 1
      """;

  Map<String, String> values(String instance) {
    return store.read(
        "kvAllValues",
        sql -> {
          Map<String, String> values = new LinkedHashMap<>();
          sql.list(
              VALUES, row -> values.put(Sql.text(row, 1), Sql.text(row, 2)), instance, instance);
          return Collections.unmodifiableMap(values);
        });
  }

  Optional<InstanceStatus> status(String instance) {
    return statuses.read(instance);
  }

  /** An escape in front of a character is no byte of the value. */
  private static final String STATS =
      """
      SELECT h.events, h.bytes, coalesce(e.carried, 0), v.keys, v.bytes
      FROM @.instance i
      LEFT JOIN @.execution e ON e.instance = i.key AND e.id = i.execution
      CROSS JOIN LATERAL (
        SELECT count(*) AS events, coalesce(sum(octet_length(h.data)), 0) AS bytes
        FROM @.history h WHERE h.instance = i.key AND h.execution = i.execution) h
      CROSS JOIN LATERAL (
        SELECT count(*) AS keys, coalesce(sum(octet_length(translate(x.value, chr(26), ''))), 0) AS bytes
        FROM (
          SELECT d.value FROM @.kv_delta d WHERE d.instance = i.key AND d.value IS NOT NULL
          UNION ALL
          SELECT b.value FROM @.kv_base b WHERE b.instance = i.key AND NOT EXISTS (
            SELECT FROM @.kv_delta d WHERE d.instance = b.instance AND d.key = b.key)) x) v
      WHERE i.id = ? AND i.stage > 1
      """;

  Optional<InstanceStats> stats(String instance) {
    return store.read(
        "instanceStats",
        sql ->
            Optional.ofNullable(
                sql.first(
                    STATS,
                    row ->
                        new InstanceStats(
                            row.getLong(1),
                            row.getLong(2),
                            row.getLong(3),
                            row.getLong(4),
                            row.getLong(5)),
                    instance)));
  }
}
