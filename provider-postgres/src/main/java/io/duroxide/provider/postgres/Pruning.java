package io.duroxide.provider.postgres;

import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.PruneResult;
import java.sql.SQLException;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Deletes finished executions that are no longer current. Confined to one transaction. */
final class Pruning {
  private final Sql sql;

  Pruning(Sql sql) {
    this.sql = sql;
  }

  private static final String LOCK =
      """
      SELECT key FROM @.instance WHERE id = ? AND stage > 1 FOR NO KEY UPDATE
      """;

  private static final String PRUNE =
      """
      SELECT o_executions, o_events FROM @.prune(?, ?, ?, ?, true)
      """;

  /** Prunes an instance; nothing is processed if it does not exist. */
  PruneResult prune(String instance, PruneOptions options) throws SQLException {
    Long key = sql.first(LOCK, row -> row.getLong(1), instance);
    if (key == null) {
      return PruneResult.NONE;
    }
    PruneResult result =
        sql.first(
            PRUNE,
            row -> new PruneResult(1, row.getLong(1), row.getLong(2)),
            key,
            options.keepLast(),
            millis(options.completedBefore()),
            options.keepPreviousVersion());
    return result == null ? PruneResult.NONE : result;
  }

  private static @Nullable Long millis(@Nullable Instant instant) {
    return instant == null ? null : Millis.of(instant);
  }
}
