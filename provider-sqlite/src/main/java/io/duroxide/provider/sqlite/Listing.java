package io.duroxide.provider.sqlite;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.InstancePage;
import io.duroxide.provider.InstanceQuery;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Instances in the order in which they are listed: newest first, then by id.
 *
 * <p>Every page is a walk along an index from its cursor on. With a filter it is one walk for each
 * pair of name and status that passes, merged; the names are found by skipping along the index from
 * one to the next. Confined to one connection.
 */
final class Listing {
  private static final Comparator<InstanceInfo> NEWEST_FIRST =
      Comparator.comparing(InstanceInfo::createdAt)
          .reversed()
          .thenComparing(InstanceInfo::instance);

  private final Sql sql;

  Listing(Sql sql) {
    this.sql = sql;
  }

  private static final String IDS =
      """
      SELECT id FROM instance WHERE stage = 2 ORDER BY created_at DESC, id
      """;

  List<String> ids() throws SQLException {
    return sql.list(IDS, row -> row.getString(1));
  }

  private static final String IDS_BY_STATUS =
      """
      SELECT id FROM instance WHERE stage = 2 AND status = ? ORDER BY created_at DESC, id
      """;

  /** Ids by the text of a stored status, which may be none of ours. */
  List<String> ids(String status) throws SQLException {
    return sql.list(IDS_BY_STATUS, row -> row.getString(1), status);
  }

  InstancePage page(InstanceQuery query) throws SQLException {
    Cursor after = Cursor.parse(query.after());
    boolean filtered = query.namePrefix() != null || !query.statuses().isEmpty();
    List<InstanceInfo> rows = filtered ? filtered(query, after) : all(query, after);
    boolean more = rows.size() > query.limit();
    List<InstanceInfo> page = more ? rows.subList(0, query.limit()) : rows;
    return new InstancePage(page, more ? Cursor.of(page.getLast()).text() : null);
  }

  private static final String ALL =
      """
      SELECT i.id, i.execution, i.name, i.version, i.status, e.output, i.parent, i.created_at,
        i.updated_at
      FROM instance i LEFT JOIN execution e ON e.instance = i.key AND e.id = i.execution
      WHERE i.stage = 2 AND i.created_at <= ?1 AND (i.created_at < ?1 OR i.id > ?2)
        AND substr(i.id, 1, length(?3)) = ?3
      ORDER BY i.created_at DESC, i.id LIMIT ?4
      """;

  private List<InstanceInfo> all(InstanceQuery query, Cursor after) throws SQLException {
    return sql.list(
        ALL,
        Inspection::info,
        after.createdAt(),
        after.id(),
        orEmpty(query.idPrefix()),
        query.limit() + 1L);
  }

  private static final String OF_NAME_AND_STATUS =
      """
      SELECT i.id, i.execution, i.name, i.version, i.status, e.output, i.parent, i.created_at,
        i.updated_at
      FROM instance i LEFT JOIN execution e ON e.instance = i.key AND e.id = i.execution
      WHERE i.stage = 2 AND i.created_at <= ?1 AND (i.created_at < ?1 OR i.id > ?2)
        AND substr(i.id, 1, length(?3)) = ?3 AND i.name = ?5 AND i.status = ?6
      ORDER BY i.created_at DESC, i.id LIMIT ?4
      """;

  private List<InstanceInfo> filtered(InstanceQuery query, Cursor after) throws SQLException {
    List<InstanceInfo> rows = new ArrayList<>();
    for (String name : names(orEmpty(query.namePrefix()))) {
      for (ExecutionStatus status : statuses(query.statuses())) {
        rows.addAll(
            sql.list(
                OF_NAME_AND_STATUS,
                Inspection::info,
                after.createdAt(),
                after.id(),
                orEmpty(query.idPrefix()),
                query.limit() + 1L,
                name,
                status.stored()));
      }
    }
    Stream<InstanceInfo> newest = rows.stream().sorted(NEWEST_FIRST);
    return newest.limit(query.limit() + 1L).toList();
  }

  private static List<ExecutionStatus> statuses(Set<ExecutionStatus> wanted) {
    return Arrays.stream(ExecutionStatus.values())
        .filter(status -> wanted.isEmpty() || wanted.contains(status))
        .toList();
  }

  private static final String NAME_FROM =
      """
      SELECT name FROM instance WHERE stage = 2 AND name >= ? ORDER BY name LIMIT 1
      """;

  private static final String NAME_AFTER =
      """
      SELECT name FROM instance WHERE stage = 2 AND name > ? ORDER BY name LIMIT 1
      """;

  /** The names of orchestrations that begin with {@code prefix}. */
  private List<String> names(String prefix) throws SQLException {
    List<String> names = new ArrayList<>();
    String name = sql.first(NAME_FROM, row -> row.getString(1), prefix);
    while (name != null && name.startsWith(prefix)) {
      names.add(name);
      name = sql.first(NAME_AFTER, row -> row.getString(1), name);
    }
    return names;
  }

  private static String orEmpty(@Nullable String prefix) {
    return prefix == null ? "" : prefix;
  }

  /** The last row of a page; the next page begins behind it, whatever was added meanwhile. */
  private record Cursor(long createdAt, String id) {
    private static final char SEPARATOR = ':';

    static Cursor of(InstanceInfo row) {
      return new Cursor(row.createdAt().toEpochMilli(), row.instance());
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

    String text() {
      return createdAt + "" + SEPARATOR + id;
    }
  }
}
