package io.duroxide.provider.sqlite;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.Orphan;
import io.duroxide.provider.OrphanFilter;
import io.duroxide.provider.OrphanKind;
import io.duroxide.provider.OrphanPage;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Children that nobody waits for, by the order of their parents. Confined to one connection. */
final class Orphans {
  private static final int PAGE = 1000;

  private final Sql sql;

  Orphans(Sql sql) {
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

  /**
   * A child and its parent.
   *
   * @param parentStatus null if the parent is gone
   * @param parentEnd when the parent ended, if it has
   * @param spawnerEnd when the execution ended that asked for the child, if that is stored
   */
  private record Child(
      Cursor place,
      String status,
      long spawner,
      @Nullable String parentStatus,
      long parentExecution,
      @Nullable Long parentEnd,
      @Nullable Spawner spawnerEnd) {}

  /** An execution that is stored. */
  private record Spawner(@Nullable Long end) {}

  private static final String CHILDREN =
      """
      SELECT c.parent, c.key, c.status, c.parent_execution, p.status, p.execution, p.completed_at,
        x.id, x.completed_at
      FROM duroxide_instance c
      LEFT JOIN duroxide_instance p ON p.id = c.parent AND p.stage = 2
      LEFT JOIN duroxide_execution x ON x.instance = p.key AND x.id = c.parent_execution
      WHERE c.parent IS NOT NULL AND (c.parent, c.key) > (?, ?) AND c.stage = 2
      ORDER BY c.parent, c.key LIMIT ?
      """;

  private static Child read(ResultSet row) throws SQLException {
    Long spawnerEnd = Sql.nullableLong(row, 9);
    boolean stored = Sql.nullableLong(row, 8) != null;
    return new Child(
        new Cursor(row.getString(1), row.getLong(2)),
        row.getString(3),
        row.getLong(4),
        row.getString(5),
        row.getLong(6),
        Sql.nullableLong(row, 7),
        stored ? new Spawner(spawnerEnd) : null);
  }

  OrphanPage page(OrphanFilter filter, @Nullable String after, int limit) throws SQLException {
    Cursor from = Cursor.parse(after);
    List<Orphan> rows = new ArrayList<>();
    while (true) {
      List<Child> children = sql.list(CHILDREN, Orphans::read, from.parent(), from.key(), PAGE);
      for (Child child : children) {
        OrphanKind kind = kind(child, filter);
        InstanceInfo info = kind == null ? null : new Inspection(sql).instance(child.place().key());
        if (kind != null && info != null) {
          if (rows.size() == limit) {
            return new OrphanPage(rows, from.text());
          }
          rows.add(new Orphan(info, kind));
        }
        from = child.place();
      }
      if (children.size() < PAGE) {
        return new OrphanPage(rows, null);
      }
    }
  }

  private static final String ONE =
      """
      SELECT c.parent, c.key, c.status, c.parent_execution, p.status, p.execution, p.completed_at,
        x.id, x.completed_at
      FROM duroxide_instance c
      LEFT JOIN duroxide_instance p ON p.id = c.parent AND p.stage = 2
      LEFT JOIN duroxide_execution x ON x.instance = p.key AND x.id = c.parent_execution
      WHERE c.id = ? AND c.parent IS NOT NULL AND c.stage = 2
      """;

  boolean isOrphan(String instance, OrphanFilter filter) throws SQLException {
    Child child = sql.first(ONE, Orphans::read, instance);
    return child != null && kind(child, filter) != null;
  }

  private static @Nullable OrphanKind kind(Child child, OrphanFilter filter) {
    Set<String> statuses =
        filter.statuses().stream().map(ExecutionStatus::stored).collect(Collectors.toSet());
    OrphanKind kind = kind(child);
    boolean wanted =
        kind != null
            && filter.kinds().contains(kind)
            && (statuses.isEmpty() || statuses.contains(child.status()));
    return kind != null && wanted && isOld(child, kind, filter.parentEndedBefore()) ? kind : null;
  }

  private static @Nullable OrphanKind kind(Child child) {
    String parent = child.parentStatus();
    if (parent == null) {
      return OrphanKind.PARENT_GONE;
    }
    if (parent.equals("Completed") || parent.equals("Failed")) {
      return OrphanKind.PARENT_FINISHED;
    }
    return child.parentExecution() > child.spawner() ? OrphanKind.PARENT_MOVED_ON : null;
  }

  private static boolean isOld(Child child, OrphanKind kind, @Nullable Instant end) {
    if (end == null) {
      return true;
    }
    return switch (kind) {
      case PARENT_GONE -> true;
      case PARENT_FINISHED -> isBefore(child.parentEnd(), end);
      case PARENT_MOVED_ON -> child.spawnerEnd() == null || isBefore(child.spawnerEnd().end(), end);
    };
  }

  private static boolean isBefore(@Nullable Long millis, Instant end) {
    return millis != null && millis < StoreTime.millis(end);
  }
}
