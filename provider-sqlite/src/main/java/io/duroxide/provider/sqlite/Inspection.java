package io.duroxide.provider.sqlite;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.ParentLink;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.ExecutionCode;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.ExecutionPin;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.InstanceTimes;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.StoredText;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What is known of one instance or execution. Confined to one connection. */
final class Inspection {
  private final Sql sql;

  Inspection(Sql sql) {
    this.sql = sql;
  }

  private static final String INSTANCE =
      """
      SELECT i.id, i.execution, i.name, i.version, i.status, e.output, s.status,
        coalesce(s.version, 0), i.parent, i.parent_execution, i.parent_event, i.created_at,
        i.updated_at, i.completed_at, e.pin
      FROM duroxide_instance i
      LEFT JOIN duroxide_execution e ON e.instance = i.key AND e.id = i.execution
      LEFT JOIN duroxide_custom_status s ON s.instance = i.key
      WHERE i.key = ? AND i.stage = 2
      """;

  /** The instance with this number; null if it does not exist. */
  @Nullable InstanceInfo instance(long key) throws SQLException {
    return sql.first(INSTANCE, Inspection::info, key);
  }

  private static final String KEY =
      """
      SELECT key FROM duroxide_instance WHERE id = ?
      """;

  InstanceInfo instance(String operation, String id) throws SQLException {
    Long key = sql.first(KEY, row -> row.getLong(1), id);
    InstanceInfo found = key == null ? null : instance(key);
    if (found == null) {
      throw Refusal.unknownInstance(operation, id);
    }
    return found;
  }

  private static InstanceInfo info(ResultSet row) throws SQLException {
    String parent = row.getString(9);
    return new InstanceInfo(
        new ExecutionKey(row.getString(1), row.getLong(2)),
        new ExecutionCode(
            new OrchestrationIdentity(row.getString(3), row.getString(4)),
            ExecutionPin.ofStored(row.getString(15))),
        ExecutionStatus.ofStored(row.getString(5)),
        StoredText.read(row.getString(6)),
        new CustomStatus(StoredText.read(row.getString(7)), row.getLong(8)),
        parent == null ? null : new ParentLink(parent, row.getLong(10), row.getLong(11)),
        new InstanceTimes(
            Instant.ofEpochMilli(row.getLong(12)),
            Instant.ofEpochMilli(row.getLong(13)),
            Sql.nullableInstant(row, 14)));
  }

  private static final String EXECUTIONS =
      """
      SELECT id FROM duroxide_execution WHERE instance = (SELECT key FROM duroxide_instance WHERE id = ?) ORDER BY id
      """;

  List<Long> executions(String instance) throws SQLException {
    return sql.list(EXECUTIONS, row -> row.getLong(1), instance);
  }

  private static final String EXECUTIONS_AFTER =
      """
      SELECT e.id, e.status, e.output, e.started_at, e.completed_at,
        (SELECT n.events FROM duroxide_newest n WHERE n.instance = e.instance AND n.execution = e.id),
        e.pin
      FROM duroxide_execution e WHERE e.instance = (SELECT key FROM duroxide_instance WHERE id = ?) AND e.id > ?
      ORDER BY e.id LIMIT ?
      """;

  List<ExecutionInfo> executions(String instance, long after, int limit) throws SQLException {
    return sql.list(
        EXECUTIONS_AFTER, Inspection::executionInfo, instance, after, Math.max(0, limit));
  }

  private static final String EXECUTION =
      """
      SELECT e.id, e.status, e.output, e.started_at, e.completed_at,
        (SELECT n.events FROM duroxide_newest n WHERE n.instance = e.instance AND n.execution = e.id),
        e.pin
      FROM duroxide_execution e WHERE e.instance = (SELECT key FROM duroxide_instance WHERE id = ?) AND e.id = ?
      """;

  ExecutionInfo execution(ExecutionKey key) throws SQLException {
    ExecutionInfo found =
        sql.first(EXECUTION, Inspection::executionInfo, key.instance(), key.executionId());
    if (found == null) {
      throw new ProviderException(
          Kind.NOT_FOUND,
          "executionInfo",
          "execution " + key + " was not found; it may have been pruned");
    }
    return found;
  }

  /** The first seven columns: id, status, output, start, end, number of events, pin. */
  static ExecutionInfo executionInfo(ResultSet row) throws SQLException {
    return new ExecutionInfo(
        row.getLong(1),
        ExecutionStatus.ofStored(row.getString(2)),
        StoredText.read(row.getString(3)),
        Instant.ofEpochMilli(row.getLong(4)),
        Sql.nullableInstant(row, 5),
        row.getLong(6),
        ExecutionPin.ofStored(row.getString(7)));
  }
}
