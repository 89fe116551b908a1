package io.duroxide.provider.postgres;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.ParentLink;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.ExecutionCode;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.InstanceTimes;
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

  /** The columns of {@link #info}. */
  static final String INFO =
      """
      SELECT i.id, i.execution, i.name, i.version, i.status, e.output, s.status,
        coalesce(s.version, 0), i.parent, i.parent_execution, i.parent_event, i.created_at,
        i.updated_at, i.completed_at, e.pin
      FROM @.instance i
      LEFT JOIN @.execution e ON e.instance = i.key AND e.id = i.execution
      LEFT JOIN @.custom_status s ON s.instance = i.key
      WHERE i.stage = 2
      """;

  private static final String INSTANCE =
      INFO
          + """
          AND i.id = ?
          """;

  InstanceInfo instance(String operation, String id) throws SQLException {
    InstanceInfo found = sql.first(INSTANCE, Inspection::info, id);
    if (found == null) {
      throw Refusal.unknownInstance(operation, id);
    }
    return found;
  }

  static InstanceInfo info(ResultSet row) throws SQLException {
    String parent = Sql.maybeText(row, 9);
    return new InstanceInfo(
        new ExecutionKey(Sql.text(row, 1), row.getLong(2)),
        new ExecutionCode(
            new OrchestrationIdentity(Sql.text(row, 3), Sql.text(row, 4)),
            StoredPins.read(row.getString(15))),
        ExecutionStatus.ofStored(row.getString(5)),
        Sql.maybeText(row, 6),
        new CustomStatus(Sql.maybeText(row, 7), row.getLong(8)),
        parent == null ? null : new ParentLink(parent, row.getLong(10), row.getLong(11)),
        new InstanceTimes(
            Instant.ofEpochMilli(row.getLong(12)),
            Instant.ofEpochMilli(row.getLong(13)),
            Sql.maybeInstant(row, 14)));
  }

  private static final String EXECUTIONS =
      """
      SELECT e.id FROM @.instance i JOIN @.execution e ON e.instance = i.key
      WHERE i.id = ? ORDER BY e.id
      """;

  List<Long> executions(String instance) throws SQLException {
    return sql.list(EXECUTIONS, row -> row.getLong(1), instance);
  }

  private static final String EXECUTIONS_AFTER =
      """
      SELECT e.id, e.status, e.output, e.started_at, e.completed_at,
        (SELECT count(*) FROM @.history h WHERE h.instance = e.instance AND h.execution = e.id),
        e.pin
      FROM @.instance i JOIN @.execution e ON e.instance = i.key
      WHERE i.id = ? AND e.id > ? ORDER BY e.id LIMIT ?
      """;

  List<ExecutionInfo> executions(String instance, long after, int limit) throws SQLException {
    return sql.list(
        EXECUTIONS_AFTER, Inspection::executionInfo, instance, after, Math.max(0, limit));
  }

  private static final String EXECUTION =
      """
      SELECT e.id, e.status, e.output, e.started_at, e.completed_at,
        (SELECT count(*) FROM @.history h WHERE h.instance = e.instance AND h.execution = e.id),
        e.pin
      FROM @.instance i JOIN @.execution e ON e.instance = i.key
      WHERE i.id = ? AND e.id = ?
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
        Sql.maybeText(row, 3),
        Instant.ofEpochMilli(row.getLong(4)),
        Sql.maybeInstant(row, 5),
        row.getLong(6),
        StoredPins.read(row.getString(7)));
  }
}
