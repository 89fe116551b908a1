package io.duroxide.provider.postgres;

import io.duroxide.provider.InstanceFilter;
import java.sql.SQLException;
import java.util.List;

/** The instances that a bulk operation is about. Confined to one connection. */
final class Selection {
  private static final int PAGE = 500;

  private final Sql sql;

  Selection(Sql sql) {
    this.sql = sql;
  }

  /** An instance that has come to its end. */
  record Finished(String id, long completedAt) {
    /** Before all others. */
    static final Finished NONE = new Finished("", Long.MIN_VALUE);
  }

  private static final String FINISHED =
      """
      SELECT i.id, i.completed_at FROM @.instance i
      WHERE i.stage = 2 AND i.completed_at IS NOT NULL AND i.status IN ('Completed', 'Failed')
      """;

  private static final String BEHIND =
      """
      (i.completed_at, i.id) > (?, ?)
      """;

  private static final String OLDEST_END_FIRST =
      """
      ORDER BY i.completed_at, i.id LIMIT ?
      """;

  /** Finished instances that match, oldest completion first, behind {@code after}. */
  List<Finished> finished(InstanceFilter filter, Finished after) throws SQLException {
    Criteria criteria = Criteria.of(filter).and(BEHIND, after.completedAt(), after.id());
    return sql.list(
        FINISHED + criteria.text() + OLDEST_END_FIRST,
        row -> new Finished(Sql.text(row, 1), row.getLong(2)),
        criteria.values(PAGE));
  }

  private static final String ANY =
      """
      SELECT i.id FROM @.instance i WHERE i.stage = 2
      """;

  private static final String OLDEST_FIRST =
      """
      ORDER BY i.created_at, i.id DESC LIMIT ?
      """;

  /** Instances that match, finished or not, in the order of their creation. */
  List<String> any(InstanceFilter filter, int limit) throws SQLException {
    Criteria criteria = Criteria.of(filter);
    return sql.list(
        ANY + criteria.text() + OLDEST_FIRST,
        row -> Sql.text(row, 1),
        criteria.values(Math.max(0, limit)));
  }
}
