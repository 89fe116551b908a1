package io.duroxide.provider.postgres;

import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.InstancePage;
import io.duroxide.provider.InstanceQuery;
import java.sql.SQLException;
import java.util.List;

/**
 * Instances in the order in which they are listed: newest first, then by id. Confined to one
 * connection.
 */
final class Listing {
  private final Sql sql;

  Listing(Sql sql) {
    this.sql = sql;
  }

  private static final String IDS =
      """
      SELECT id FROM @.instance WHERE stage = 2 ORDER BY created_at DESC, id
      """;

  List<String> ids() throws SQLException {
    return sql.list(IDS, row -> Sql.text(row, 1));
  }

  private static final String IDS_BY_STATUS =
      """
      SELECT id FROM @.instance WHERE stage = 2 AND status = ? ORDER BY created_at DESC, id
      """;

  /** Ids by the text of a stored status, which may be none of ours. */
  List<String> ids(String status) throws SQLException {
    return sql.list(IDS_BY_STATUS, row -> Sql.text(row, 1), status);
  }

  private static final String BEHIND =
      """
      i.created_at <= ? AND (i.created_at < ? OR i.id > ?)
      """;

  private static final String IN_ORDER =
      """
      ORDER BY i.created_at DESC, i.id LIMIT ?
      """;

  InstancePage page(InstanceQuery query) throws SQLException {
    Criteria criteria = Criteria.of(query.filter());
    if (query.after() != null) {
      Cursor after = Cursor.parse(query.after());
      criteria.and(BEHIND, after.createdAt(), after.createdAt(), after.id());
    }
    List<InstanceInfo> rows =
        sql.list(
            Inspection.INFO + criteria.text() + IN_ORDER,
            Inspection::info,
            criteria.values(query.limit() + 1L));
    boolean more = rows.size() > query.limit();
    List<InstanceInfo> page = more ? rows.subList(0, query.limit()) : rows;
    return new InstancePage(page, more ? Cursor.of(page.getLast()).text() : null);
  }

  /** The last row of a page; the next page begins behind it, whatever was added meanwhile. */
  private record Cursor(long createdAt, String id) {
    private static final char SEPARATOR = ':';

    static Cursor of(InstanceInfo row) {
      return new Cursor(row.createdAt().toEpochMilli(), row.instance());
    }

    static Cursor parse(String text) {
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
