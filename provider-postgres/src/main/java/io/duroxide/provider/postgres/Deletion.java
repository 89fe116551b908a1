package io.duroxide.provider.postgres;

import io.duroxide.provider.BulkDeletion;
import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.OrphanFilter;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Deletes instances with everything that belongs to them. Confined to one transaction.
 *
 * <p>All rows are locked before anything is decided: the instances, and the children that have not
 * begun. While they are being locked, a turn may commit that gives one of them another child; so
 * they are looked up and locked until there are no more than are locked.
 */
final class Deletion {
  private final Sql sql;
  private final Hierarchy hierarchy;
  private final String operation;

  Deletion(Sql sql, String operation) {
    this.sql = sql;
    this.hierarchy = new Hierarchy(sql);
    this.operation = operation;
  }

  /** Which instances are meant, as the store has it now. */
  @FunctionalInterface
  private interface Subject {
    List<Hierarchy.Node> nodes() throws SQLException;
  }

  private static final String LOCK =
      """
      SELECT key FROM @.instance WHERE key = ANY (?) ORDER BY key FOR UPDATE
      """;

  private static final String STARTING_CHILDREN =
      """
      SELECT DISTINCT m.instance FROM @.message m WHERE m.parent = ANY (?)
      """;

  private List<Hierarchy.Node> locked(Subject subject) throws SQLException {
    Set<Long> held = new HashSet<>();
    while (true) {
      List<Hierarchy.Node> nodes = subject.nodes();
      Set<Long> wanted = new TreeSet<>(nodes.stream().map(Hierarchy.Node::key).toList());
      wanted.addAll(sql.list(STARTING_CHILDREN, row -> row.getLong(1), ids(nodes)));
      if (held.containsAll(wanted)) {
        return nodes;
      }
      long[] keys = wanted.stream().mapToLong(key -> key).toArray();
      sql.list(LOCK, row -> row.getLong(1), keys);
      held.addAll(wanted);
    }
  }

  private static List<String> ids(List<Hierarchy.Node> nodes) {
    return nodes.stream().map(Hierarchy.Node::id).toList();
  }

  /** Deletes the tree below a root. */
  DeleteResult tree(String root, boolean force) throws SQLException {
    List<Hierarchy.Node> tree = locked(() -> hierarchy.tree(root));
    if (tree.isEmpty()) {
      throw Refusal.unknownInstance(operation, root);
    }
    String parent = hierarchy.livingParent(root);
    if (parent != null) {
      throw new ProviderException(
          Kind.NOT_ROOT,
          operation,
          root + " is a child of '" + parent + "'; delete the root of its tree");
    }
    return exactly(tree, force);
  }

  /** Deletes those of {@code ids} that exist. */
  DeleteResult listed(List<String> ids, boolean force) throws SQLException {
    return exactly(locked(() -> hierarchy.nodes(ids)), force);
  }

  /** Deletes the tree below a finished root, or counts it; nothing if the tree may not go. */
  DeleteResult finishedTree(String root, BulkDeletion how) throws SQLException {
    // Asked first: of a deep tree, every instance below the root would be the top of a long walk.
    if (hierarchy.livingParent(root) != null) {
      return DeleteResult.NONE;
    }
    List<Hierarchy.Node> tree =
        how.dryRun() ? hierarchy.tree(root) : locked(() -> hierarchy.tree(root));
    boolean deletable =
        !tree.isEmpty()
            && tree.getFirst().isFinished()
            && (how.withRunningDescendants() || tree.stream().allMatch(Hierarchy.Node::isFinished));
    if (!deletable) {
      return DeleteResult.NONE;
    }
    return how.dryRun() ? count(tree) : exactly(tree, how.withRunningDescendants());
  }

  /** Deletes a child that nobody waits for, with its descendants, if all have finished. */
  DeleteResult orphan(String child, OrphanFilter filter, boolean dryRun) throws SQLException {
    List<Hierarchy.Node> tree =
        dryRun ? hierarchy.tree(child) : locked(() -> hierarchy.tree(child));
    boolean deletable =
        tree.stream().allMatch(Hierarchy.Node::isFinished)
            && new OrphanedChildren(sql).isOrphan(child, filter);
    if (!deletable) {
      return DeleteResult.NONE;
    }
    return dryRun ? count(tree) : exactly(tree, false);
  }

  private static final String COUNT =
      """
      SELECT (SELECT count(*) FROM @.execution WHERE instance = ANY (?)),
        (SELECT count(*) FROM @.history WHERE instance = ANY (?)),
        (SELECT count(*) FROM @.message WHERE instance = ANY (?) OR parent = ANY (?))
          + (SELECT count(*) FROM @.work WHERE instance = ANY (?))
      """;

  /** What deleting these would remove. */
  private DeleteResult count(List<Hierarchy.Node> nodes) throws SQLException {
    long[] keys = nodes.stream().mapToLong(Hierarchy.Node::key).toArray();
    DeleteResult counted =
        sql.first(
            COUNT,
            row -> new DeleteResult(nodes.size(), row.getLong(1), row.getLong(2), row.getLong(3)),
            keys,
            keys,
            keys,
            ids(nodes),
            keys);
    return counted == null ? DeleteResult.NONE : counted;
  }

  private DeleteResult exactly(List<Hierarchy.Node> nodes, boolean force) throws SQLException {
    for (Hierarchy.Node node : nodes) {
      if (!force && !node.isFinished()) {
        throw new ProviderException(
            Kind.STILL_RUNNING,
            operation,
            node.id() + " is still running; cancel it first, or delete with force");
      }
    }
    checkNoOrphans(nodes);
    return nodes.isEmpty() ? DeleteResult.NONE : remove(nodes);
  }

  private static final String ORPHAN =
      """
      SELECT c.parent, c.id FROM @.instance c
      WHERE c.parent = ANY (?) AND c.stage > 1 AND NOT c.id = ANY (?) ORDER BY c.key LIMIT 1
      """;

  private void checkNoOrphans(List<Hierarchy.Node> nodes) throws SQLException {
    List<String> ids = ids(nodes);
    List<String> orphans =
        sql.list(
            ORPHAN,
            row ->
                "%s would leave its child '%s' an orphan; list the whole tree"
                    .formatted(Sql.text(row, 1), Sql.text(row, 2)),
            ids,
            ids);
    if (!orphans.isEmpty()) {
      throw new ProviderException(Kind.ORPHANS, operation, orphans.getFirst());
    }
  }

  private static final String DELETE_MESSAGES = "DELETE FROM @.message WHERE instance = ANY (?)";
  private static final String DELETE_WORK = "DELETE FROM @.work WHERE instance = ANY (?)";
  private static final String DELETE_HISTORY = "DELETE FROM @.history WHERE instance = ANY (?)";
  private static final String DELETE_EXECUTIONS =
      "DELETE FROM @.execution WHERE instance = ANY (?)";
  private static final String DELETE_BASE = "DELETE FROM @.kv_base WHERE instance = ANY (?)";
  private static final String DELETE_DELTA = "DELETE FROM @.kv_delta WHERE instance = ANY (?)";
  private static final String DELETE_STATUS =
      "DELETE FROM @.custom_status WHERE instance = ANY (?)";
  private static final String DELETE_INSTANCES = "DELETE FROM @.instance WHERE key = ANY (?)";

  private DeleteResult remove(List<Hierarchy.Node> nodes) throws SQLException {
    long[] keys = nodes.stream().mapToLong(Hierarchy.Node::key).toArray();
    long messages = removeStartsOfChildren(ids(nodes), keys);
    messages += sql.update(DELETE_MESSAGES, keys);
    messages += sql.update(DELETE_WORK, keys);
    long events = sql.update(DELETE_HISTORY, keys);
    long executions = sql.update(DELETE_EXECUTIONS, keys);
    sql.update(DELETE_BASE, keys);
    sql.update(DELETE_DELTA, keys);
    sql.update(DELETE_STATUS, keys);
    long instances = sql.update(DELETE_INSTANCES, keys);
    return new DeleteResult(instances, executions, events, messages);
  }

  private static final String COUNT_ATTEMPTS =
      """
      SELECT @.count_attempts(array_agg(key)) FROM @.instance WHERE key = ANY (?) AND stage = 0
      """;

  private static final String UNLOCK_UNKNOWN =
      """
      UPDATE @.instance SET lock_token = NULL, locked_until = 0, batch = NULL
      WHERE key = ANY (?) AND stage = 0
      """;

  private static final String DELETE_STARTS =
      """
      DELETE FROM @.message WHERE parent = ANY (?) AND NOT instance = ANY (?)
      """;

  private static final String DELETE_EMPTY =
      """
      DELETE FROM @.instance i WHERE i.key = ANY (?) AND i.stage = 0
        AND NOT EXISTS (SELECT FROM @.message m WHERE m.instance = i.key)
        AND NOT EXISTS (SELECT FROM @.work w WHERE w.instance = i.key)
      """;

  /** A child that has not begun must not begin; if its first turn is running, it must not end. */
  private long removeStartsOfChildren(List<String> parents, long[] deleted) throws SQLException {
    long[] children =
        sql.list(STARTING_CHILDREN, row -> row.getLong(1), parents).stream()
            .mapToLong(key -> key)
            .toArray();
    if (children.length == 0) {
      return 0;
    }
    sql.exists(COUNT_ATTEMPTS, children);
    sql.update(UNLOCK_UNKNOWN, children);
    long removed = sql.update(DELETE_STARTS, parents, deleted);
    sql.update(DELETE_EMPTY, children);
    return removed;
  }
}
