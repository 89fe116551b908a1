package io.duroxide.provider.sqlite;

import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.PruneResult;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;

/** Deletes finished executions that are no longer current. Run by the writer. */
final class Pruning {
  private final Tables tables;
  private final Sql sql;

  Pruning(Tables tables) {
    this.tables = tables;
    this.sql = tables.tx().sql();
  }

  private static final String OVER =
      """
      SELECT id FROM (
        SELECT id, status, completed_at, row_number() OVER (ORDER BY id DESC) AS age
        FROM execution WHERE instance = ?1)
      WHERE age > ?2 AND id <> ?3 AND status <> 'Running'
        AND (?4 IS NULL OR completed_at < ?4)
      """;

  private static final String DELETE =
      """
      DELETE FROM execution WHERE instance = ? AND id = ?
      """;

  /** Prunes an instance; nothing is processed if it does not exist. */
  PruneResult prune(String instance, PruneOptions options) throws SQLException {
    InstanceRow row = tables.instances().find(instance);
    if (row == null || !row.exists()) {
      return PruneResult.NONE;
    }
    Integer keepLast = options.keepLast();
    Instant before = options.completedBefore();
    List<Long> over =
        sql.list(
            OVER,
            result -> result.getLong(1),
            row.key(),
            keepLast == null ? 0 : Math.max(0, keepLast),
            row.execution(),
            before == null ? null : StoreTime.millis(before));
    long events = 0;
    for (long execution : over) {
      events += tables.records().history().delete(row.key(), execution);
      sql.update(DELETE, row.key(), execution);
    }
    return new PruneResult(1, over.size(), events);
  }
}
