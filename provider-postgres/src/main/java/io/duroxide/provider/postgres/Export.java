package io.duroxide.provider.postgres;

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
import io.duroxide.provider.QueueRoom;
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
      SELECT id FROM @.instance WHERE id >= ? AND (? OR id <> ?) ORDER BY id LIMIT ?
      """;

  List<String> ids(@Nullable String after, int limit) throws SQLException {
    String from = after == null ? "" : after;
    return sql.list(IDS, row -> Sql.text(row, 1), from, after == null, from, limit);
  }

  private static final String EVENTS =
      """
      SELECT h.event, h.data FROM @.instance i JOIN @.history h ON h.instance = i.key
      WHERE i.id = ? AND h.execution = ? AND h.event > ? ORDER BY h.event LIMIT ?
      """;

  List<EventRow> events(ExecutionKey execution, long after, int limit) throws SQLException {
    return sql.list(
        EVENTS,
        row -> new EventRow(row.getLong(1), Sql.text(row, 2)),
        execution.instance(),
        execution.executionId(),
        after,
        limit);
  }

  private static final String SNAPSHOT =
      """
      SET TRANSACTION ISOLATION LEVEL REPEATABLE READ READ ONLY
      """;

  private static final String INSTANCE =
      """
      SELECT i.key, i.execution, i.lock_token IS NULL, i.locked_until, i.stage, i.name, i.version,
        i.parent, i.parent_execution, i.parent_event, s.status, coalesce(s.version, 0),
        i.created_at, i.updated_at
      FROM @.instance i LEFT JOIN @.custom_status s ON s.instance = i.key
      WHERE i.id = ?
      """;

  /** The row of an instance. */
  private record Row(long key, long execution, @Nullable Instant restsUntil, @Nullable Head head) {}

  /** Everything under an id but the events; null if there is nothing. Begins its transaction. */
  @Nullable InstanceSnapshot instance(String id) throws SQLException {
    sql.update(SNAPSHOT);
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
            new Inbox(row.restsUntil(), mailboxes(row.key()), messages(id, row.key())),
            activities(id, row.key()));
    return snapshot.isEmpty() ? null : snapshot;
  }

  private static Row row(ResultSet row) throws SQLException {
    boolean rests = row.getBoolean(3) && row.getLong(4) > 0;
    boolean exists = row.getInt(5) == 2;
    return new Row(
        row.getLong(1),
        row.getLong(2),
        rests ? Instant.ofEpochMilli(row.getLong(4)) : null,
        exists ? head(row) : null);
  }

  private static Head head(ResultSet row) throws SQLException {
    String parent = Sql.maybeText(row, 8);
    return new Head(
        new OrchestrationIdentity(Sql.text(row, 6), Sql.text(row, 7)),
        parent == null ? null : new ParentLink(parent, row.getLong(9), row.getLong(10)),
        new CustomStatus(Sql.maybeText(row, 11), row.getLong(12)),
        Instant.ofEpochMilli(row.getLong(13)),
        Instant.ofEpochMilli(row.getLong(14)));
  }

  private static final String EXECUTIONS =
      """
      SELECT e.id, e.status, e.output, e.started_at, e.completed_at, h.events, e.pin, h.last,
        e.version, coalesce(e.carried, 0)
      FROM @.execution e
      CROSS JOIN LATERAL (
        SELECT count(*) AS events, coalesce(max(h.event), 0) AS last FROM @.history h
        WHERE h.instance = e.instance AND h.execution = e.id) h
      WHERE e.instance = ? ORDER BY e.id
      """;

  private List<ExecutionRow> executions(long key) throws SQLException {
    return sql.list(EXECUTIONS, Export::execution, key);
  }

  private static ExecutionRow execution(ResultSet row) throws SQLException {
    ExecutionInfo info = Inspection.executionInfo(row);
    return new ExecutionRow(info, row.getLong(8), Sql.maybeText(row, 9), row.getLong(10));
  }

  private static final String VALUES =
      """
      SELECT key, value, updated_at, false FROM @.kv_base WHERE instance = ?
      UNION ALL
      SELECT key, value, updated_at, true FROM @.kv_delta WHERE instance = ?
      """;

  private List<ValueRow> values(long key) throws SQLException {
    return sql.list(
        VALUES,
        row ->
            new ValueRow(
                Sql.text(row, 1),
                Sql.maybeText(row, 2),
                Instant.ofEpochMilli(row.getLong(3)),
                row.getBoolean(4)),
        key,
        key);
  }

  /** The attempt of a lock is counted when it is given up, which a copy does. */
  private static final String MESSAGES =
      """
      SELECT m.seq, m.visible_at - CASE WHEN m.visible_at < @.far() THEN 0 ELSE @.far() END,
        m.created_at,
        m.attempts + coalesce(i.lock_token IS NOT NULL AND m.seq = ANY (i.batch), false)::integer,
        m.payload
      FROM @.message m JOIN @.instance i ON i.key = m.instance
      WHERE m.instance = ? ORDER BY m.seq
      """;

  private static final String MAILBOXES =
      """
      SELECT r.queue, r.messages, r.bytes
      FROM @.instance i CROSS JOIN LATERAL unnest(i.mailboxes) r WHERE i.key = ?
      """;

  private MailboxRules mailboxes(long key) throws SQLException {
    return StoredRoom.rules(
        sql.list(
            MAILBOXES,
            row ->
                new StoredRoom(Sql.maybeText(row, 1), new QueueRoom(row.getInt(2), row.getLong(3))),
            key));
  }

  private List<MessageRow> messages(String id, long key) throws SQLException {
    return sql.list(
        MESSAGES,
        row ->
            new MessageRow(
                row.getLong(1),
                Instant.ofEpochMilli(row.getLong(2)),
                Instant.ofEpochMilli(row.getLong(3)),
                row.getInt(4),
                readable(id, Sql.text(row, 5))),
        key);
  }

  private static final String ACTIVITIES =
      """
      SELECT w.seq, CASE WHEN NOT w.ready AND w.token IS NULL THEN w.wake_at END, w.attempts, w.payload
      FROM @.work w WHERE w.instance = ? ORDER BY w.seq
      """;

  private List<WorkRow> activities(String id, long key) throws SQLException {
    return sql.list(
        ACTIVITIES,
        row ->
            new WorkRow(
                row.getLong(1),
                Sql.maybeInstant(row, 2),
                row.getInt(3),
                readable(id, row.getString(4))),
        key);
  }

  private static String readable(String id, String payload) {
    try {
      WorkItemCodec.decode(payload);
      return payload;
    } catch (DecodeException e) {
      throw damaged(id, e.getMessage(), e);
    }
  }

  private static ProviderException damaged(
      String id, @Nullable String what, @Nullable Throwable cause) {
    return new ProviderException(
        Kind.CORRUPT_DATA,
        "readInstance",
        id + ": " + what + "; repair or delete the instance",
        cause);
  }
}
