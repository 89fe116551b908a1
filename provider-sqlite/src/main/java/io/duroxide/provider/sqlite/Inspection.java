package io.duroxide.provider.sqlite;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** What is known of one instance or execution. Confined to one connection. */
final class Inspection {
  private final Sql sql;

  Inspection(Sql sql) {
    this.sql = sql;
  }

  private static final String INSTANCE =
      """
      SELECT i.id, i.execution, i.name, i.version, i.status, e.output, i.parent, i.created_at,
        i.updated_at
      FROM instance i LEFT JOIN execution e ON e.instance = i.key AND e.id = i.execution
      WHERE i.id = ? AND i.stage = 2
      """;

  InstanceInfo instance(String operation, String id) throws SQLException {
    InstanceInfo found = sql.first(INSTANCE, Inspection::info, id);
    if (found == null) {
      throw Refusal.unknownInstance(operation, id);
    }
    return found;
  }

  static InstanceInfo info(ResultSet row) throws SQLException {
    return new InstanceInfo(
        new ExecutionKey(row.getString(1), row.getLong(2)),
        new OrchestrationIdentity(row.getString(3), row.getString(4)),
        ExecutionStatus.ofStored(row.getString(5)),
        row.getString(6),
        row.getString(7),
        Instant.ofEpochMilli(row.getLong(8)),
        Instant.ofEpochMilli(row.getLong(9)));
  }

  private static final String EXECUTIONS =
      """
      SELECT id FROM execution WHERE instance = (SELECT key FROM instance WHERE id = ?) ORDER BY id
      """;

  List<Long> executions(String instance) throws SQLException {
    return sql.list(EXECUTIONS, row -> row.getLong(1), instance);
  }

  private static final String EXECUTION =
      """
      SELECT e.id, e.status, e.output, e.started_at, e.completed_at,
        (SELECT count(*) FROM history h WHERE h.instance = e.instance AND h.execution = e.id)
      FROM execution e WHERE e.instance = (SELECT key FROM instance WHERE id = ?) AND e.id = ?
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

  private static ExecutionInfo executionInfo(ResultSet row) throws SQLException {
    Long completedAt = Sql.nullableLong(row, 5);
    return new ExecutionInfo(
        row.getLong(1),
        ExecutionStatus.ofStored(row.getString(2)),
        row.getString(3),
        Instant.ofEpochMilli(row.getLong(4)),
        completedAt == null ? null : Instant.ofEpochMilli(completedAt),
        row.getLong(6));
  }
}
