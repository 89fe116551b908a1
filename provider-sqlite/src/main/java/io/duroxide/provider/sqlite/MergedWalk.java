package io.duroxide.provider.sqlite;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.OrchestrationFilter;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/**
 * Instances of several names and statuses in one order.
 *
 * <p>The index holds those of each name and status in order, so this is one walk for each pair,
 * merged; the names are found by skipping along the index from one to the next. A walk reads a few
 * rows at first and more each time it is asked again. Confined to one connection.
 */
final class MergedWalk {
  private static final int FIRST_READ = 8;
  private static final int LONGEST_READ = 512;

  private final Sql sql;
  private final Criteria criteria;
  private final PriorityQueue<Walk> heads =
      new PriorityQueue<>(Comparator.comparing((Walk walk) -> walk.read.getFirst()));

  MergedWalk(Sql sql, InstanceFilter filter, Listing.Cursor start) throws SQLException {
    this.sql = sql;
    this.criteria = new Criteria(filter);
    for (String name : names(filter.orchestration())) {
      for (ExecutionStatus status : ExecutionStatus.values()) {
        if (filter.statuses().isEmpty() || filter.statuses().contains(status)) {
          queue(new Walk(name, status, start));
        }
      }
    }
  }

  /** The first entries of all walks together. */
  List<Listing.Entry> first(int limit) throws SQLException {
    List<Listing.Entry> entries = new ArrayList<>();
    while (entries.size() < limit && !heads.isEmpty()) {
      Walk walk = heads.remove();
      entries.add(walk.read.removeFirst());
      queue(walk);
    }
    return entries;
  }

  private void queue(Walk walk) throws SQLException {
    if (walk.hasNext()) {
      heads.add(walk);
    }
  }

  private static final String NAME_FROM =
      """
      SELECT name FROM duroxide_instance WHERE stage = 2 AND name >= ? ORDER BY name LIMIT 1
      """;

  private static final String NAME_AFTER =
      """
      SELECT name FROM duroxide_instance WHERE stage = 2 AND name > ? ORDER BY name LIMIT 1
      """;

  private List<String> names(OrchestrationFilter wanted) throws SQLException {
    if (!wanted.isPrefix()) {
      return List.of(wanted.name());
    }
    List<String> names = new ArrayList<>();
    String name = sql.first(NAME_FROM, row -> row.getString(1), wanted.name());
    while (name != null && name.startsWith(wanted.name())) {
      names.add(name);
      name = sql.first(NAME_AFTER, row -> row.getString(1), name);
    }
    return names;
  }

  private static final String OF_NAME_AND_STATUS =
      """
      SELECT i.key, i.created_at, i.id FROM duroxide_instance i
      WHERE i.name = ?17 AND i.status = ?18
        AND i.created_at <= ?14 AND (i.created_at < ?14 OR i.id > ?15) AND
      """
          + Criteria.HOLD
          + """
          ORDER BY i.created_at DESC, i.id LIMIT ?16
          """;

  /** Along the instances of one name and status. */
  private final class Walk {
    private final String name;
    private final ExecutionStatus status;
    private final Deque<Listing.Entry> read = new ArrayDeque<>();
    private Listing.@Nullable Cursor next;
    private int size = FIRST_READ;

    Walk(String name, ExecutionStatus status, Listing.Cursor start) {
      this.name = name;
      this.status = status;
      this.next = start;
    }

    boolean hasNext() throws SQLException {
      if (read.isEmpty() && next != null) {
        readOn(next);
      }
      return !read.isEmpty();
    }

    private void readOn(Listing.Cursor from) throws SQLException {
      read.addAll(
          sql.list(
              OF_NAME_AND_STATUS,
              Listing.Entry::read,
              criteria.values(from.createdAt(), from.id(), size, name, status.stored())));
      next = read.size() < size ? null : Listing.Cursor.of(read.getLast());
      size = Math.min(size * 4, LONGEST_READ);
    }
  }
}
