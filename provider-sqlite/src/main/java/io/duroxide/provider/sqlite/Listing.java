package io.duroxide.provider.sqlite;

import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.InstancePage;
import io.duroxide.provider.InstanceQuery;
import io.duroxide.provider.Lineage;
import io.duroxide.provider.TimeRange;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Instances in the order in which they are listed: newest first, then by id.
 *
 * <p>A page is a walk along an index from its cursor on. Where the filter leaves few instances, all
 * of them are looked at and put in order; otherwise it is a walk along all instances, or along
 * those of each name and status that passes. Confined to one connection.
 */
final class Listing {
  /** So many instances can be put in order for one page. */
  private static final int FEW = 10_000;

  private final Sql sql;

  Listing(Sql sql) {
    this.sql = sql;
  }

  private static final String IDS =
      """
      SELECT id FROM duroxide_instance WHERE stage = 2 ORDER BY created_at DESC, id
      """;

  List<String> ids() throws SQLException {
    return sql.list(IDS, row -> row.getString(1));
  }

  private static final String IDS_BY_STATUS =
      """
      SELECT id FROM duroxide_instance WHERE stage = 2 AND status = ? ORDER BY created_at DESC, id
      """;

  /** Ids by the text of a stored status, which may be none of ours. */
  List<String> ids(String status) throws SQLException {
    return sql.list(IDS_BY_STATUS, row -> row.getString(1), status);
  }

  /** A row to be shown, not yet read. */
  record Entry(long key, long createdAt, String id) implements Comparable<Entry> {
    static Entry read(ResultSet row) throws SQLException {
      return new Entry(row.getLong(1), row.getLong(2), row.getString(3));
    }

    @Override
    public int compareTo(Entry other) {
      int newestFirst = Long.compare(other.createdAt, createdAt);
      return newestFirst != 0 ? newestFirst : StoredOrder.compare(id, other.id);
    }
  }

  InstancePage page(InstanceQuery query) throws SQLException {
    Cursor after = Cursor.parse(query.after());
    List<Entry> entries = entries(query.filter(), after, query.limit() + 1);
    boolean more = entries.size() > query.limit();
    List<Entry> shown = more ? entries.subList(0, query.limit()) : entries;
    List<InstanceInfo> rows = new ArrayList<>(shown.size());
    for (Entry entry : shown) {
      InstanceInfo row = new Inspection(sql).instance(entry.key());
      if (row != null) {
        rows.add(row);
      }
    }
    return new InstancePage(rows, more ? Cursor.of(shown.getLast()).text() : null);
  }

  /** The first entries that pass, behind the cursor. */
  private List<Entry> entries(InstanceFilter filter, Cursor after, int limit) throws SQLException {
    Criteria criteria = new Criteria(filter);
    Cursor start = after.notAbove(filter.created());
    Set<String> listed = Criteria.listed(sql, filter);
    if (listed != null) {
      return listed(listed, criteria, start, limit);
    }
    if (filter.lineage() instanceof Lineage.ChildrenOf children) {
      return sql.list(OF_PARENT, Entry::read, values(criteria, start, limit, children.parent()));
    }
    String idEnd = Criteria.endOf(filter.idPrefix());
    if (idEnd != null && sql.number(COUNT_IDS, filter.idPrefix(), idEnd, FEW + 1) <= FEW) {
      return sql.list(
          OF_ID_PREFIX, Entry::read, values(criteria, start, limit, filter.idPrefix(), idEnd));
    }
    TimeRange ended = filter.completed();
    long from = Criteria.from(ended);
    long before = Criteria.before(ended);
    if (!ended.isAny() && sql.number(COUNT_ENDED, from, before, FEW + 1) <= FEW) {
      return sql.list(ENDED, Entry::read, values(criteria, start, limit, from, before));
    }
    return isPlain(filter)
        ? sql.list(ALL, Entry::read, values(criteria, start, limit))
        : new MergedWalk(sql, filter, start).first(limit);
  }

  private static boolean isPlain(InstanceFilter filter) {
    return filter.statuses().isEmpty()
        && filter.orchestration().isPrefix()
        && filter.orchestration().name().isEmpty();
  }

  private static @Nullable Object[] values(
      Criteria criteria, Cursor start, int limit, @Nullable Object... own) {
    @Nullable Object[] all = new Object[own.length + 3];
    all[0] = start.createdAt();
    all[1] = start.id();
    all[2] = limit;
    System.arraycopy(own, 0, all, 3, own.length);
    return criteria.values(all);
  }

  private static final String ALL =
      """
      SELECT i.key, i.created_at, i.id FROM duroxide_instance i
      WHERE i.created_at <= ?14 AND (i.created_at < ?14 OR i.id > ?15) AND
      """
          + Criteria.HOLD
          + """
          ORDER BY i.created_at DESC, i.id LIMIT ?16
          """;

  private static final String OF_PARENT =
      """
      SELECT i.key, i.created_at, i.id FROM duroxide_instance i
      WHERE i.parent = ?17 AND +i.created_at <= ?14 AND (i.created_at < ?14 OR i.id > ?15) AND
      """
          + Criteria.HOLD
          + """
          ORDER BY i.created_at DESC, i.id LIMIT ?16
          """;

  private static final String COUNT_IDS =
      """
      SELECT count(*) FROM (SELECT 1 FROM duroxide_instance WHERE id >= ? AND id < ? LIMIT ?)
      """;

  private static final String OF_ID_PREFIX =
      """
      SELECT i.key, i.created_at, i.id FROM duroxide_instance i
      WHERE i.id >= ?17 AND i.id < ?18 AND +i.created_at <= ?14
        AND (+i.created_at < ?14 OR i.id > ?15) AND
      """
          + Criteria.HOLD
          + """
          ORDER BY i.created_at DESC, i.id LIMIT ?16
          """;

  private static final String COUNT_ENDED =
      """
      SELECT count(*) FROM (SELECT 1 FROM duroxide_instance
        WHERE completed_at IS NOT NULL AND completed_at >= ? AND completed_at < ? LIMIT ?)
      """;

  private static final String ENDED =
      """
      SELECT i.key, i.created_at, i.id FROM duroxide_instance i
      WHERE i.completed_at IS NOT NULL AND i.completed_at >= ?17 AND i.completed_at < ?18
        AND +i.created_at <= ?14 AND (+i.created_at < ?14 OR i.id > ?15) AND
      """
          + Criteria.HOLD
          + """
          ORDER BY i.created_at DESC, i.id LIMIT ?16
          """;

  private static final String ONE =
      """
      SELECT i.key, i.created_at, i.id FROM duroxide_instance i
      WHERE i.id = ?17 AND +i.created_at <= ?14 AND (+i.created_at < ?14 OR i.id > ?15) AND
      """
          + Criteria.HOLD
          + """
          LIMIT ?16
          """;

  private List<Entry> listed(Set<String> ids, Criteria criteria, Cursor start, int limit)
      throws SQLException {
    List<Entry> found = new ArrayList<>();
    for (String id : ids) {
      found.addAll(sql.list(ONE, Entry::read, values(criteria, start, limit, id)));
    }
    return found.stream().sorted().limit(limit).toList();
  }

  /** The last row of a page; the next page begins behind it, whatever was added meanwhile. */
  record Cursor(long createdAt, String id) {
    private static final char SEPARATOR = ':';

    static Cursor of(Entry row) {
      return new Cursor(row.createdAt(), row.id());
    }

    static Cursor parse(@Nullable String text) {
      if (text == null) {
        return new Cursor(Long.MAX_VALUE, "");
      }
      int end = text.indexOf(SEPARATOR);
      try {
        long millis = Long.parseLong(text, 0, Math.max(end, 0), 10);
        return new Cursor(millis, text.substring(end + 1));
      } catch (NumberFormatException notOurs) {
        throw Refusal.invalid(
            "listInstances", "'" + text + "' is not the cursor of a page; begin with the first");
      }
    }

    /** This cursor, or the end of the range if that comes first. */
    Cursor notAbove(TimeRange created) {
      long end = Criteria.before(created);
      return createdAt < end ? this : new Cursor(end - 1, "");
    }

    String text() {
      return createdAt + "" + SEPARATOR + id;
    }
  }
}
