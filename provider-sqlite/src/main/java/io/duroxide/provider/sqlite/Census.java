package io.duroxide.provider.sqlite;

import io.duroxide.provider.QueueDepths;
import io.duroxide.provider.SystemMetrics;
import java.sql.SQLException;

/** Totals over the store. Confined to one connection. */
final class Census {
  private final Sql sql;

  Census(Sql sql) {
    this.sql = sql;
  }

  private static final String INSTANCES =
      """
      SELECT count(*), count(*) FILTER (WHERE status = 'Completed'),
        count(*) FILTER (WHERE status = 'Failed')
      FROM instance WHERE stage = 2
      """;

  private static final String EXECUTIONS =
      """
      SELECT count(*) FROM execution
      """;

  private static final String EVENTS =
      """
      SELECT count(*) FROM history
      """;

  /** Instances between two executions are alive, so they count as running. */
  SystemMetrics metrics() throws SQLException {
    long executions = sql.number(EXECUTIONS);
    long events = sql.number(EVENTS);
    SystemMetrics metrics =
        sql.first(
            INSTANCES,
            row -> {
              long total = row.getLong(1);
              long completed = row.getLong(2);
              long failed = row.getLong(3);
              return new SystemMetrics(
                  total, executions, events, total - completed - failed, completed, failed);
            });
    return metrics == null ? new SystemMetrics(0, executions, events, 0, 0, 0) : metrics;
  }

  private static final String MESSAGES =
      """
      SELECT count(*) FILTER (WHERE m.visible_at <= ?1 AND i.locked_until <= ?1),
        count(*) FILTER (WHERE m.visible_at > ?1),
        count(*) FILTER (WHERE m.visible_at <= ?1 AND i.locked_until > ?1)
      FROM message m JOIN instance i ON i.key = m.instance
      """;

  private static final String WORK =
      """
      SELECT count(*) FILTER (WHERE line <> 2 OR slot <= ?1),
        count(*) FILTER (WHERE line = 2 AND slot > ?1 AND token IS NOT NULL)
      FROM work
      """;

  QueueDepths depths(long now) throws SQLException {
    long[] messages =
        sql.first(
            MESSAGES, row -> new long[] {row.getLong(1), row.getLong(2), row.getLong(3)}, now);
    long[] work = sql.first(WORK, row -> new long[] {row.getLong(1), row.getLong(2)}, now);
    return messages == null || work == null
        ? new QueueDepths(0, 0, 0, 0, 0)
        : new QueueDepths(messages[0], work[0], messages[1], messages[2], work[1]);
  }
}
