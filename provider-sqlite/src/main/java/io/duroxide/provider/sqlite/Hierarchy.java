package io.duroxide.provider.sqlite;

import io.duroxide.provider.OrphanFilter;
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
      SELECT id FROM duroxide_instance WHERE parent = ? AND stage = 2 ORDER BY key
      """;

  List<String> children(String id) throws SQLException {
    return sql.list(CHILDREN, row -> row.getString(1), id);
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

  private static final String TREE =
      """
      WITH RECURSIVE tree (key, id, status) AS (
        SELECT key, id, status FROM duroxide_instance WHERE id = ? AND stage = 2
        UNION
        SELECT c.key, c.id, c.status FROM tree t
        JOIN duroxide_instance c ON c.parent = t.id AND c.stage = 2)
      SELECT key, id, status FROM tree
      """;

  /** The instance, first, and all its descendants; empty for an unknown one. */
  List<Node> tree(String root) throws SQLException {
    return sql.list(
        TREE, row -> new Node(row.getLong(1), row.getString(2), row.getString(3)), root);
  }

  /**
   * The tree below a root that has finished, if all of it has or the descendants may run on; else
   * empty.
   */
  List<Node> finishedTree(String root, boolean withRunningDescendants) throws SQLException {
    // Asked first: of a deep tree, every instance below the root would be the top of a long walk.
    if (livingParent(root) != null) {
      return List.of();
    }
    List<Node> tree = tree(root);
    boolean finished =
        !tree.isEmpty()
            && tree.getFirst().isFinished()
            && (withRunningDescendants || tree.stream().allMatch(Node::isFinished));
    return finished ? tree : List.of();
  }

  /** The tree below a child that nobody waits for, if all of it has finished; else empty. */
  List<Node> orphanedTree(String child, OrphanFilter filter) throws SQLException {
    List<Node> tree = tree(child);
    boolean finished = tree.stream().allMatch(Node::isFinished);
    return finished && new Orphans(sql).isOrphan(child, filter) ? tree : List.of();
  }

  private static final String NODE =
      """
      SELECT key, id, status FROM duroxide_instance WHERE id = ? AND stage = 2
      """;

  @Nullable Node node(String id) throws SQLException {
    return sql.first(NODE, row -> new Node(row.getLong(1), row.getString(2), row.getString(3)), id);
  }

  private static final String PARENT =
      """
      SELECT p.id FROM duroxide_instance c JOIN duroxide_instance p ON p.id = c.parent AND p.stage = 2
      WHERE c.id = ?
      """;

  /** The parent, if there is one that still exists. */
  @Nullable String livingParent(String id) throws SQLException {
    return sql.first(PARENT, row -> row.getString(1), id);
  }
}
