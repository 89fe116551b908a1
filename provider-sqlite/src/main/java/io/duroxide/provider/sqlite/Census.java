package io.duroxide.provider.sqlite;

import io.duroxide.provider.QueueDepth;
import io.duroxide.provider.QueueDepths;
import io.duroxide.provider.SystemMetrics;
import java.sql.SQLException;

/**
 * Totals over the store. What is large is counted as it changes; what is counted here is what runs,
 * what failed and what is ready, along indexes. Confined to one connection.
 */
final class Census {
  private final Sql sql;

  Census(Sql sql) {
    this.sql = sql;
  }

  private static final String UNCOMPLETED =
      """
      WITH RECURSIVE found (name) AS (
        SELECT (SELECT name FROM duroxide_instance WHERE stage = 2 ORDER BY name LIMIT 1)
        UNION ALL
        SELECT (SELECT name FROM duroxide_instance WHERE stage = 2 AND name > found.name
          ORDER BY name LIMIT 1)
        FROM found WHERE found.name IS NOT NULL)
      SELECT
        coalesce(sum((SELECT count(*) FROM duroxide_instance i
          WHERE i.stage = 2 AND i.name = found.name
            AND i.status IN ('Running', 'ContinuedAsNew'))), 0),
        coalesce(sum((SELECT count(*) FROM duroxide_instance i
          WHERE i.stage = 2 AND i.name = found.name AND i.status = 'Failed')), 0)
      FROM found WHERE found.name IS NOT NULL
      """;

  private static final String TOTALS =
      """
      SELECT instances, executions, (SELECT coalesce(max(key), 0) FROM duroxide_history) - vacant FROM duroxide_counter
      """;

  /** Instances between two executions are alive, so they count as running. */
  SystemMetrics metrics() throws SQLException {
    long[] open = numbers(UNCOMPLETED, 2);
    long[] totals = numbers(TOTALS, 3);
    long completed = totals[0] - open[0] - open[1];
    return new SystemMetrics(totals[0], totals[1], totals[2], open[0], completed, open[1]);
  }

  private static final String MESSAGES =
      """
      SELECT messages,
        (SELECT count(*) FROM duroxide_instance i
         JOIN duroxide_message m ON m.instance = i.key AND m.visible_at <= ?1 WHERE i.line = 1),
        (SELECT count(*) FROM duroxide_instance i
         JOIN duroxide_message m ON m.instance = i.key AND m.visible_at <= ?1
         WHERE i.line IN (2, 3) AND i.slot_at <= ?1),
        (SELECT count(*) FROM duroxide_instance i
         JOIN duroxide_message m ON m.instance = i.key AND m.visible_at <= ?1
         WHERE i.line = 3 AND i.slot_at > ?1)
      FROM duroxide_counter
      """;

  private static final String WORK =
      """
      SELECT
        (SELECT count(*) FROM duroxide_work WHERE line IN (1, 3)),
        (SELECT count(*) FROM duroxide_work WHERE line = 2 AND slot <= ?1),
        (SELECT count(*) FROM duroxide_work WHERE line = 2 AND slot > ?1 AND token IS NULL),
        (SELECT count(*) FROM duroxide_work WHERE line = 2 AND slot > ?1 AND token IS NOT NULL)
      """;

  QueueDepths depths(long now) throws SQLException {
    long[] messages = numbers(MESSAGES, 4, now);
    long ready = messages[1] + messages[2];
    long[] work = numbers(WORK, 4, now);
    return new QueueDepths(
        new QueueDepth(ready, messages[0] - ready - messages[3], messages[3]),
        new QueueDepth(work[0] + work[1], work[2], work[3]));
  }

  private long[] numbers(String text, int count, Object... values) throws SQLException {
    long[] numbers =
        sql.first(
            text,
            row -> {
              long[] columns = new long[count];
              for (int i = 0; i < count; i++) {
                columns[i] = row.getLong(i + 1);
              }
              return columns;
            },
            values);
    return numbers == null ? new long[count] : numbers;
  }
}
