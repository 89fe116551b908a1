package io.duroxide.provider.sqlite;

import io.duroxide.provider.InstanceFilter;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The instances that a bulk operation is about. Confined to one connection. */
final class Selection {
  private static final int PAGE = 500;

  private final Sql sql;

  Selection(Sql sql) {
    this.sql = sql;
  }

  /** The last candidate of a page. */
  record Cursor(long completedAt, String id) {
    static final Cursor BEGINNING = new Cursor(Long.MIN_VALUE, "");
  }

  /** An instance that has come to its end. */
  record Finished(String id, long completedAt) {
    Cursor cursor() {
      return new Cursor(completedAt, id);
    }
  }

  private static final String FINISHED =
      """
      SELECT id, completed_at FROM instance
      WHERE completed_at IS NOT NULL AND (completed_at, id) > (?, ?) AND completed_at < ?
        AND stage = 2 AND status IN ('Completed', 'Failed')
      ORDER BY completed_at, id LIMIT ?
      """;

  /** Finished instances that match, oldest completion first, from a cursor on. */
  List<Finished> finished(InstanceFilter filter, Cursor after) throws SQLException {
    List<String> ids = filter.instanceIds();
    if (ids != null) {
      return finishedOf(ids, end(filter), after);
    }
    return sql.list(
        FINISHED,
        row -> new Finished(row.getString(1), row.getLong(2)),
        after.completedAt(),
        after.id(),
        end(filter),
        PAGE);
  }

  private static final String FINISHED_ONE =
      """
      SELECT id, completed_at FROM instance
      WHERE id = ? AND stage = 2 AND status IN ('Completed', 'Failed') AND completed_at < ?
      """;

  private List<Finished> finishedOf(List<String> ids, long end, Cursor after) throws SQLException {
    List<Finished> found = new ArrayList<>();
    for (String id : new LinkedHashSet<>(ids)) {
      found.addAll(
          sql.list(FINISHED_ONE, row -> new Finished(row.getString(1), row.getLong(2)), id, end));
    }
    Predicate<Finished> behind =
        one ->
            one.completedAt() > after.completedAt()
                || (one.completedAt() == after.completedAt() && one.id().compareTo(after.id()) > 0);
    return found.stream()
        .filter(behind)
        .sorted(Comparator.comparingLong(Finished::completedAt).thenComparing(Finished::id))
        .toList();
  }

  private static final String ANY =
      """
      SELECT id FROM instance WHERE stage = 2 ORDER BY created_at, id LIMIT ?
      """;

  private static final String ENDED =
      """
      SELECT id FROM instance
      WHERE stage = 2 AND completed_at IS NOT NULL AND completed_at < ?
      ORDER BY created_at, id LIMIT ?
      """;

  /** Instances that match, finished or not, in the order of their creation. */
  List<String> any(InstanceFilter filter) throws SQLException {
    int limit = Math.max(0, filter.limit());
    List<String> ids = filter.instanceIds();
    if (ids != null) {
      return anyOf(ids, filter.completedBefore(), limit);
    }
    return filter.completedBefore() == null
        ? sql.list(ANY, row -> row.getString(1), limit)
        : sql.list(ENDED, row -> row.getString(1), end(filter), limit);
  }

  private static final String ANY_ONE =
      """
      SELECT id, created_at, completed_at FROM instance WHERE id = ? AND stage = 2
      """;

  /** An instance and its times. */
  private record Row(String id, long createdAt, @Nullable Long completedAt) {}

  private List<String> anyOf(List<String> ids, @Nullable Instant before, int limit)
      throws SQLException {
    List<Row> found = new ArrayList<>();
    for (String id : new LinkedHashSet<>(ids)) {
      found.addAll(
          sql.list(
              ANY_ONE,
              row -> new Row(row.getString(1), row.getLong(2), Sql.nullableLong(row, 3)),
              id));
    }
    return found.stream()
        .filter(row -> before == null || endedBefore(row.completedAt(), before))
        .sorted(Comparator.comparingLong(Row::createdAt).thenComparing(Row::id))
        .limit(limit)
        .map(Row::id)
        .toList();
  }

  private static boolean endedBefore(@Nullable Long completedAt, Instant end) {
    return completedAt != null && completedAt < StoreTime.millis(end);
  }

  private static long end(InstanceFilter filter) {
    Instant end = filter.completedBefore();
    return end == null ? StoreTime.NEVER : StoreTime.millis(end);
  }
}
