package io.duroxide.provider.sqlite;

import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.OrphanFilter;
import java.sql.SQLException;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** What a deletion would remove. Confined to one connection. */
final class DeletionPreview {
  private final Sql sql;
  private final Hierarchy hierarchy;

  DeletionPreview(Sql sql) {
    this.sql = sql;
    this.hierarchy = new Hierarchy(sql);
  }

  /** As {@link Deletion#finishedTree}, without deleting anything. */
  DeleteResult finishedTree(String root, boolean withRunningDescendants) throws SQLException {
    return count(hierarchy.finishedTree(root, withRunningDescendants));
  }

  /** As {@link Deletion#orphan}, without deleting anything. */
  DeleteResult orphan(String child, OrphanFilter filter) throws SQLException {
    return count(hierarchy.orphanedTree(child, filter));
  }

  private DeleteResult count(List<Hierarchy.Node> tree) throws SQLException {
    Set<Long> keys = tree.stream().map(Hierarchy.Node::key).collect(Collectors.toSet());
    DeleteResult sum = DeleteResult.NONE;
    for (Hierarchy.Node node : tree) {
      sum = sum.plus(count(node)).plus(startsElsewhere(node, keys));
    }
    return sum;
  }

  private static final String STARTS = "SELECT instance FROM duroxide_message WHERE parent = ?";

  private DeleteResult startsElsewhere(Hierarchy.Node node, Set<Long> tree) throws SQLException {
    List<Long> starts = sql.list(STARTS, row -> row.getLong(1), node.id());
    return new DeleteResult(0, 0, 0, starts.stream().filter(key -> !tree.contains(key)).count());
  }

  private static final String COUNT =
      """
      SELECT (SELECT count(*) FROM duroxide_execution WHERE instance = ?1),
        (SELECT sum(events) FROM duroxide_newest WHERE instance = ?1),
        (SELECT count(*) FROM duroxide_message WHERE instance = ?1),
        (SELECT count(*) FROM duroxide_work WHERE instance = ?1)
      """;

  private DeleteResult count(Hierarchy.Node node) throws SQLException {
    DeleteResult counted =
        sql.first(
            COUNT,
            row ->
                new DeleteResult(
                    1, row.getLong(1), row.getLong(2), row.getLong(3) + row.getLong(4)),
            node.key());
    return counted == null ? DeleteResult.NONE : counted;
  }
}
