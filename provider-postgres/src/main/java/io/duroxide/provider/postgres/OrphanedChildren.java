package io.duroxide.provider.postgres;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.Orphan;
import io.duroxide.provider.OrphanFilter;
import io.duroxide.provider.OrphanKind;
import io.duroxide.provider.OrphanPage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Children that nobody waits for, by the order of their parents. Confined to one connection. */
final class OrphanedChildren {
  private static final int KIND = 16;
  private static final int KEY = 17;

  private final Sql sql;

  OrphanedChildren(Sql sql) {
    this.sql = sql;
  }

  /** Children in this order. */
  private record Cursor(String parent, long key) {
    private static final char SEPARATOR = ':';

    static Cursor parse(@Nullable String text) {
      if (text == null) {
        return new Cursor("", Long.MIN_VALUE);
      }
      int end = text.indexOf(SEPARATOR);
      try {
        long key = Long.parseLong(text, 0, Math.max(end, 0), 10);
        return new Cursor(text.substring(end + 1), key);
      } catch (NumberFormatException notOurs) {
        throw Refusal.invalid(
            "findOrphans", "'" + text + "' is not the cursor of a page; begin with the first");
      }
    }

    String text() {
      return key + "" + SEPARATOR + parent;
    }
  }

  /** The columns of {@link Inspection#info}, the kind and the key. */
  private static final String ORPHANS =
      """
      SELECT i.id, i.execution, i.name, i.version, i.status, e.output, s.status,
        coalesce(s.version, 0), i.parent, i.parent_execution, i.parent_event, i.created_at,
        i.updated_at, i.completed_at, e.pin, k.kind, i.key
      FROM @.instance i
      LEFT JOIN @.execution e ON e.instance = i.key AND e.id = i.execution
      LEFT JOIN @.custom_status s ON s.instance = i.key
      LEFT JOIN @.instance p ON p.id = i.parent AND p.stage > 1
      LEFT JOIN @.execution x ON x.instance = p.key AND x.id = i.parent_execution
      CROSS JOIN LATERAL (
        SELECT CASE
          WHEN p.key IS NULL THEN 'PARENT_GONE'
          WHEN p.status IN ('Completed', 'Failed') THEN 'PARENT_FINISHED'
          WHEN p.execution > i.parent_execution THEN 'PARENT_MOVED_ON'
        END AS kind) k
      CROSS JOIN (SELECT ?::text[] AS kinds, ?::text[] AS statuses, ?::bigint AS ended) f
      WHERE i.stage = 2 AND i.parent IS NOT NULL AND k.kind = ANY (f.kinds)
        AND (cardinality(f.statuses) = 0 OR i.status = ANY (f.statuses))
        AND CASE
          WHEN f.ended IS NULL OR k.kind = 'PARENT_GONE' THEN true
          WHEN k.kind = 'PARENT_FINISHED' THEN p.completed_at < f.ended
          ELSE x.id IS NULL OR x.completed_at < f.ended
        END
      """;

  private static final String PAGE =
      ORPHANS
          + """
          AND (i.parent, i.key) > (?, ?) ORDER BY i.parent, i.key LIMIT ?
          """;

  /** A row and where it stands. */
  private record Placed(Orphan orphan, Cursor place) {

    static Placed read(ResultSet row) throws SQLException {
      Orphan orphan = new Orphan(Inspection.info(row), OrphanKind.valueOf(row.getString(KIND)));
      return new Placed(orphan, new Cursor(Sql.text(row, 9), row.getLong(KEY)));
    }
  }

  OrphanPage page(OrphanFilter filter, @Nullable String after, int limit) throws SQLException {
    Cursor from = Cursor.parse(after);
    List<Placed> found =
        sql.list(PAGE, Placed::read, values(filter, from.parent(), from.key(), limit + 1L));
    List<Placed> rows = found.subList(0, Math.min(found.size(), limit));
    boolean more = found.size() > rows.size();
    return new OrphanPage(
        rows.stream().map(Placed::orphan).toList(), more ? rows.getLast().place().text() : null);
  }

  private static final String ONE =
      ORPHANS
          + """
          AND i.id = ?
          """;

  boolean isOrphan(String instance, OrphanFilter filter) throws SQLException {
    return sql.exists(ONE, values(filter, instance));
  }

  private static @Nullable Object[] values(OrphanFilter filter, Object... more) {
    Instant end = filter.parentEndedBefore();
    List<@Nullable Object> values = new ArrayList<>();
    values.add(filter.kinds().stream().map(OrphanKind::name).toList());
    values.add(filter.statuses().stream().map(ExecutionStatus::stored).toList());
    values.add(end == null ? null : Millis.of(end));
    values.addAll(Stream.of(more).toList());
    return values.toArray();
  }
}
