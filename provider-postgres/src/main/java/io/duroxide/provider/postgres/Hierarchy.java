package io.duroxide.provider.postgres;

import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who is whose child. Confined to one connection. */
final class Hierarchy {
  private final Sql sql;

  Hierarchy(Sql sql) {
    this.sql = sql;
  }

  private static final String CHILDREN =
      """
      SELECT id FROM @.instance WHERE parent = ? AND stage > 1 ORDER BY key
      """;

  List<String> children(String id) throws SQLException {
    return sql.list(CHILDREN, row -> Sql.text(row, 1), id);
  }

  /**
   * An instance of a tree.
   *
   * @param status of its current execution, as stored
   */
  record Node(long key, String id, String status) {
    /** Whether it has come to its end; between two executions it has not. */
    boolean isFinished() {
      return status.equals("Completed") || status.equals("Failed");
    }
  }

  /** The numbers of an instance and all its descendants. */
  static final String TREE_KEYS =
      """
      WITH RECURSIVE tree (key, id) AS (
        SELECT key, id FROM @.instance WHERE id = ? AND stage > 1
        UNION
        SELECT c.key, c.id FROM tree t JOIN @.instance c ON c.parent = t.id AND c.stage > 1)
      SELECT key FROM tree
      """;

  private static final String TREE =
      """
      WITH RECURSIVE tree (key, id, status) AS (
        SELECT key, id, status FROM @.instance WHERE id = ? AND stage > 1
        UNION
        SELECT c.key, c.id, c.status FROM tree t
        JOIN @.instance c ON c.parent = t.id AND c.stage > 1)
      SELECT key, id, status FROM tree
      """;

  /** The instance and all its descendants; empty for an unknown one. */
  List<Node> tree(String id) throws SQLException {
    return sql.list(TREE, row -> new Node(row.getLong(1), Sql.text(row, 2), row.getString(3)), id);
  }

  private static final String NODES =
      """
      SELECT key, id, status FROM @.instance WHERE id = ANY (?) AND stage > 1
      """;

  /** Those of {@code ids} that exist. */
  List<Node> nodes(List<String> ids) throws SQLException {
    return sql.list(
        NODES, row -> new Node(row.getLong(1), Sql.text(row, 2), row.getString(3)), ids);
  }

  private static final String LIVING_PARENT =
      """
      SELECT p.id FROM @.instance c JOIN @.instance p ON p.id = c.parent AND p.stage > 1
      WHERE c.id = ? AND c.stage > 1
      """;

  /** The parent, if it still exists. */
  @Nullable String livingParent(String id) throws SQLException {
    return sql.first(LIVING_PARENT, row -> Sql.text(row, 1), id);
  }
}
