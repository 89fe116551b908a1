package io.duroxide.provider.sqlite;

import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.TimeRange;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** The instances that a bulk operation is about. Confined to one connection. */
final class Selection {
  private static final int PAGE = 500;

  private final Sql sql;

  Selection(Sql sql) {
    this.sql = sql;
  }

  /** An instance that has come to its end. */
  record Finished(String id, long completedAt) implements Comparable<Finished> {
    /** Before all others. */
    static final Finished NONE = new Finished("", Long.MIN_VALUE);

    static Finished read(ResultSet row) throws SQLException {
      return new Finished(row.getString(1), row.getLong(2));
    }

    @Override
    public int compareTo(Finished other) {
      int oldestFirst = Long.compare(completedAt, other.completedAt);
      return oldestFirst != 0 ? oldestFirst : StoredOrder.compare(id, other.id);
    }
  }

  private static final String FINISHED =
      """
      SELECT i.id, i.completed_at FROM duroxide_instance i
      WHERE i.completed_at IS NOT NULL AND (i.completed_at, i.id) > (?14, ?15)
        AND i.completed_at < ?16 AND i.status IN ('Completed', 'Failed') AND
      """
          + Criteria.HOLD
          + """
          ORDER BY i.completed_at, i.id LIMIT ?17
          """;

  /** Finished instances that match, oldest completion first, behind {@code after}. */
  List<Finished> finished(InstanceFilter filter, Finished after) throws SQLException {
    Set<String> ids = Criteria.listed(sql, filter);
    if (ids != null) {
      return finishedOf(ids, filter, after);
    }
    Finished from = Collections.max(List.of(after, startOf(filter.completed())));
    return sql.list(
        FINISHED,
        Finished::read,
        new Criteria(filter)
            .values(from.completedAt(), from.id(), Criteria.before(filter.completed()), PAGE));
  }

  /** Before the first that can have ended in the range. */
  private static Finished startOf(TimeRange range) {
    long from = Criteria.from(range);
    return from == Long.MIN_VALUE ? Finished.NONE : new Finished("", from - 1);
  }

  private static final String FINISHED_ONE =
      """
      SELECT i.id, i.completed_at FROM duroxide_instance i
      WHERE i.id = ?14 AND i.status IN ('Completed', 'Failed') AND
      """
          + Criteria.HOLD;

  private List<Finished> finishedOf(Set<String> ids, InstanceFilter filter, Finished after)
      throws SQLException {
    Criteria criteria = new Criteria(filter);
    List<Finished> found = new ArrayList<>();
    for (String id : ids) {
      found.addAll(sql.list(FINISHED_ONE, Finished::read, criteria.values(id)));
    }
    return found.stream().filter(one -> one.compareTo(after) > 0).sorted().toList();
  }

  private static final String ANY =
      """
      SELECT i.key, i.created_at, i.id FROM duroxide_instance i WHERE
      """
          + Criteria.HOLD
          + """
          ORDER BY i.created_at, i.id DESC LIMIT ?14
          """;

  private static final String ANY_ONE =
      """
      SELECT i.key, i.created_at, i.id FROM duroxide_instance i WHERE i.id = ?14 AND
      """
          + Criteria.HOLD;

  /** Instances that match, finished or not, oldest first. */
  List<String> any(InstanceFilter filter, int limit) throws SQLException {
    Criteria criteria = new Criteria(filter);
    Set<String> ids = Criteria.listed(sql, filter);
    List<Listing.Entry> found = new ArrayList<>();
    if (ids == null) {
      found = sql.list(ANY, Listing.Entry::read, criteria.values(Math.max(0, limit)));
    } else {
      for (String id : ids) {
        found.addAll(sql.list(ANY_ONE, Listing.Entry::read, criteria.values(id)));
      }
    }
    return found.stream()
        .sorted(Comparator.reverseOrder())
        .limit(Math.max(0, limit))
        .map(Listing.Entry::id)
        .toList();
  }
}
