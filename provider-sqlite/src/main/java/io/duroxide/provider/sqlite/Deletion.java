package io.duroxide.provider.sqlite;

import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.OrphanFilter;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Deletes instances with everything that belongs to them. Run by the writer. */
final class Deletion {
  private final Tables tables;
  private final Hierarchy hierarchy;
  private final String operation;

  Deletion(Tables tables, String operation) {
    this.tables = tables;
    this.hierarchy = new Hierarchy(tables.tx().sql());
    this.operation = operation;
  }

  /** Deletes the tree below a root. */
  DeleteResult tree(String root, boolean force) throws SQLException {
    List<Hierarchy.Node> tree = hierarchy.tree(root);
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
    List<Hierarchy.Node> nodes = new ArrayList<>();
    for (String id : ids) {
      Hierarchy.Node node = hierarchy.node(id);
      if (node != null) {
        nodes.add(node);
      }
    }
    return exactly(nodes, force);
  }

  /** Deletes the tree below a root that has finished, as {@link Hierarchy#finishedTree} says. */
  DeleteResult finishedTree(String root, boolean withRunningDescendants) throws SQLException {
    return exactly(hierarchy.finishedTree(root, withRunningDescendants), withRunningDescendants);
  }

  /** Deletes a child that nobody waits for, with its descendants, if all have finished. */
  DeleteResult orphan(String child, OrphanFilter filter) throws SQLException {
    return exactly(hierarchy.orphanedTree(child, filter), false);
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
    DeleteResult sum = DeleteResult.NONE;
    for (Hierarchy.Node node : nodes) {
      sum = sum.plus(remove(node));
    }
    return sum;
  }

  private void checkNoOrphans(List<Hierarchy.Node> nodes) throws SQLException {
    Set<String> listed = new HashSet<>();
    nodes.forEach(node -> listed.add(node.id()));
    for (Hierarchy.Node node : nodes) {
      for (String child : hierarchy.children(node.id())) {
        if (!listed.contains(child)) {
          throw new ProviderException(
              Kind.ORPHANS,
              operation,
              "%s would leave its child '%s' an orphan; list the whole tree"
                  .formatted(node.id(), child));
        }
      }
    }
  }

  private DeleteResult remove(Hierarchy.Node node) throws SQLException {
    long key = node.key();
    long messages =
        removeStartsOfChildren(node)
            + tables.messages().deleteAll(key)
            + tables.workers().queue().clear(key);
    long events = tables.records().history().deleteAll(key);
    int executions = tables.records().executions().deleteAll(key);
    tables.records().values().deleteAll(key);
    tables.records().customStatuses().delete(key);
    tables.instances().delete(key);
    return new DeleteResult(1, executions, events, messages);
  }

  /** A child that has not begun must not begin; if its first turn is running, it must not end. */
  private long removeStartsOfChildren(Hierarchy.Node node) throws SQLException {
    long removed = 0;
    for (long child : tables.messages().startsOfChildren(node.id())) {
      InstanceRow row = tables.instances().find(child);
      if (row != null && !row.isKnown()) {
        tables.orchestratorQueue().dropLock(row);
      }
      removed += tables.messages().deleteStarts(node.id(), child);
      InstanceRow left = tables.instances().find(child);
      if (left != null) {
        tables.orchestratorQueue().placeAgain(left);
      }
    }
    return removed;
  }
}
