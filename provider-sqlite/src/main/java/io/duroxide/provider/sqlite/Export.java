package io.duroxide.provider.sqlite;

import io.duroxide.codec.DecodeException;
import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ParentLink;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.InstanceSnapshot;
import io.duroxide.provider.InstanceSnapshot.EventRow;
import io.duroxide.provider.InstanceSnapshot.ExecutionRow;
import io.duroxide.provider.InstanceSnapshot.Head;
import io.duroxide.provider.InstanceSnapshot.Inbox;
import io.duroxide.provider.InstanceSnapshot.MessageRow;
import io.duroxide.provider.InstanceSnapshot.ValueRow;
import io.duroxide.provider.InstanceSnapshot.WorkRow;
import io.duroxide.provider.MailboxRules;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.StoredText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads whole instances, in their stored form. Confined to one connection. */
final class Export {
  private final Sql sql;

  Export(Sql sql) {
    this.sql = sql;
  }

  private static final String IDS =
      """
      SELECT id FROM duroxide_instance WHERE id >= ?1 AND (?2 OR id <> ?1) ORDER BY id LIMIT 0 + ?3
      """;

  List<String> ids(@Nullable String after, int limit) throws SQLException {
    return sql.list(IDS, row -> row.getString(1), after == null ? "" : after, after == null, limit);
  }

  private static final String KEY =
      """
      SELECT key FROM duroxide_instance WHERE id = ?
      """;

  List<EventRow> events(ExecutionKey execution, long after, int limit) throws SQLException {
    long key = sql.number(KEY, execution.instance());
    return History.on(sql).after(key, execution.executionId(), after, limit).stream()
        .map(event -> new EventRow(event.id(), event.data()))
        .toList();
  }

  private static final String INSTANCE =
      """
      SELECT i.key, i.execution, i.lock_token, i.locked_until, i.stage, i.name, i.version, i.parent,
        i.parent_execution, i.parent_event, s.status, coalesce(s.version, 0), i.created_at,
        i.updated_at, i.mailboxes
      FROM duroxide_instance i LEFT JOIN duroxide_custom_status s ON s.instance = i.key
      WHERE i.id = ?
      """;

  /** The row of an instance. */
  private record Row(
      long key, long execution, InstanceLock lock, @Nullable Head head, MailboxRules mailboxes) {}

  /** Everything under an id but the events; null if there is nothing. */
  @Nullable InstanceSnapshot instance(String id) throws SQLException {
    Row row = sql.first(INSTANCE, Export::row, id);
    if (row == null) {
      return null;
    }
    InstanceSnapshot snapshot =
        new InstanceSnapshot(
            id,
            row.head(),
            row.execution(),
            executions(row.key()),
            values(row.key()),
            new Inbox(rest(row.lock()), row.mailboxes(), messages(id, row)),
            activities(id, row.key()));
    return snapshot.isEmpty() ? null : snapshot;
  }

  private static Row row(ResultSet row) throws SQLException {
    boolean exists = row.getInt(5) == InstanceRow.EXISTS;
    return new Row(
        row.getLong(1),
        row.getLong(2),
        InstanceLock.ofStored(row.getString(3), row.getLong(4)),
        exists ? head(row) : null,
        Mailboxes.readRules(row.getString(15)));
  }

  private static Head head(ResultSet row) throws SQLException {
    String parent = row.getString(8);
    return new Head(
        new OrchestrationIdentity(row.getString(6), row.getString(7)),
        parent == null ? null : new ParentLink(parent, row.getLong(9), row.getLong(10)),
        new CustomStatus(StoredText.read(row.getString(11)), row.getLong(12)),
        Instant.ofEpochMilli(row.getLong(13)),
        Instant.ofEpochMilli(row.getLong(14)));
  }

  private static @Nullable Instant rest(InstanceLock lock) {
    boolean rests = lock.token() == null && lock.until() > 0;
    return rests ? Instant.ofEpochMilli(lock.until()) : null;
  }

  private static final String EXECUTIONS =
      """
      SELECT e.id, e.status, e.output, e.started_at, e.completed_at, n.events, e.pin,
        n.last_event, e.version, e.carried
      FROM duroxide_execution e JOIN duroxide_newest n ON n.instance = e.instance AND n.execution = e.id
      WHERE e.instance = ? ORDER BY e.id
      """;

  private List<ExecutionRow> executions(long key) throws SQLException {
    return sql.list(EXECUTIONS, row -> execution(key, row), key);
  }

  private ExecutionRow execution(long key, ResultSet row) throws SQLException {
    ExecutionInfo info = Inspection.executionInfo(row);
    Long carried = Sql.nullableLong(row, 10);
    return new ExecutionRow(
        info,
        row.getLong(8),
        row.getString(9),
        carried == null ? History.on(sql).carried(key, info.executionId()) : carried);
  }

  private static final String VALUES =
      """
      SELECT key, value, updated_at, 0 FROM duroxide_kv_base WHERE instance = ?1
      UNION ALL
      SELECT key, value, updated_at, 1 FROM duroxide_kv_delta WHERE instance = ?1
      """;

  private List<ValueRow> values(long key) throws SQLException {
    return sql.list(
        VALUES,
        row ->
            new ValueRow(
                row.getString(1),
                StoredText.read(row.getString(2)),
                Instant.ofEpochMilli(row.getLong(3)),
                row.getInt(4) != 0),
        key);
  }

  private static final String MESSAGES =
      """
      SELECT seq, visible_at, created_at, attempts, payload, kind, parked
      FROM duroxide_message WHERE instance = ? ORDER BY seq
      """;

  /** The attempt of a lock is counted when it is given up, which a copy does. */
  private List<MessageRow> messages(String id, Row instance) throws SQLException {
    Batch held = instance.lock().batch();
    return sql.list(
        MESSAGES,
        row -> {
          long seq = row.getLong(1);
          long visibleAt = row.getLong(2);
          MessageKind kind = MessageKind.ofStored(row.getInt(6));
          boolean isHeld =
              held != null && row.getInt(7) == 0 && held.holds(kind, new Place(visibleAt, seq));
          return new MessageRow(
              seq,
              Instant.ofEpochMilli(visibleAt),
              Instant.ofEpochMilli(row.getLong(3)),
              row.getInt(4) + (isHeld ? 1 : 0),
              readable(id, row.getString(5)));
        },
        instance.key());
  }

  private static final String ACTIVITIES =
      """
      SELECT seq, CASE WHEN line = 2 AND token IS NULL THEN slot END, attempts, payload
      FROM duroxide_work WHERE instance = ? ORDER BY seq
      """;

  private List<WorkRow> activities(String id, long key) throws SQLException {
    return sql.list(
        ACTIVITIES,
        row ->
            new WorkRow(
                row.getLong(1),
                Sql.nullableInstant(row, 2),
                row.getInt(3),
                readable(id, row.getString(4))),
        key);
  }

  private static String readable(String id, String payload) {
    try {
      WorkItemCodec.decode(payload);
      return payload;
    } catch (DecodeException e) {
      throw new ProviderException(
          Kind.CORRUPT_DATA,
          "readInstance",
          id + ": " + e.getMessage() + "; repair or delete the instance",
          e);
    }
  }
}
