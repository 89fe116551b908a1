package io.duroxide.provider.memory;

import io.duroxide.provider.BulkDeletion;
import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import java.time.Instant;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/** Deletes instances with everything that belongs to them. Guarded by the gate. */
final class Deletion {
  /** The instances that it is about have all finished, so each has an end. */
  private static final Comparator<Instance> OLDEST_END_FIRST =
      Comparator.comparing(
              Instance::completedAt, Comparator.nullsLast(Comparator.<Instant>naturalOrder()))
          .thenComparing(Instance::id);

  private final Tables tables;
  private final Hierarchy hierarchy;
  private final Selection selection;

  Deletion(Tables tables, Hierarchy hierarchy, Selection selection) {
    this.tables = tables;
    this.hierarchy = hierarchy;
    this.selection = selection;
  }

  /** Deletes the tree below a root. */
  DeleteResult tree(String operation, Instance root, boolean force) {
    if (!hierarchy.isRoot(root)) {
      throw new ProviderException(
          Kind.NOT_ROOT,
          operation,
          root.id() + " is a child of '" + root.parent() + "'; delete the root of its tree");
    }
    return exactly(operation, hierarchy.tree(root), force);
  }

  /** Deletes those of {@code ids} that exist. */
  DeleteResult listed(String operation, Collection<String> ids, boolean force) {
    List<Instance> listed =
        new LinkedHashSet<>(ids)
            .stream().flatMap(id -> tables.instances().existing(id).stream()).toList();
    return exactly(operation, listed, force);
  }

  /** Deletes finished trees, oldest completion first. */
  DeleteResult bulk(String operation, InstanceFilter filter, BulkDeletion how) {
    boolean anyDescendants = how.withRunningDescendants();
    List<List<Instance>> trees =
        selection
            .matching(filter)
            .filter(root -> root.isFinished() && hierarchy.isRoot(root))
            .sorted(OLDEST_END_FIRST)
            .map(hierarchy::tree)
            .filter(tree -> anyDescendants || tree.stream().allMatch(Instance::isFinished))
            .limit(Math.max(0, how.limit()))
            .toList();
    return trees.stream()
        .map(tree -> how.dryRun() ? count(tree) : exactly(operation, tree, anyDescendants))
        .reduce(DeleteResult.NONE, DeleteResult::plus);
  }

  /** Deletes a child and its descendants if all have finished. */
  DeleteResult orphan(String operation, Instance child, boolean dryRun) {
    List<Instance> tree = hierarchy.tree(child);
    if (!tree.stream().allMatch(Instance::isFinished)) {
      return DeleteResult.NONE;
    }
    return dryRun ? count(tree) : exactly(operation, tree, false);
  }

  /** What deleting these would remove. */
  private DeleteResult count(List<Instance> tree) {
    Set<String> ids = tree.stream().map(Instance::id).collect(Collectors.toSet());
    return tree.stream()
        .map(instance -> {
          long startsElsewhere =
              tables.orchestratorQueue().startsOfChildren(instance.id()).stream()
                  .filter(start -> !ids.contains(start.item().instance()))
                  .count();
          long messages =
              startsElsewhere
                  + tables.orchestratorQueue().count(instance.id())
                  + tables.workerQueue().tasks(instance.id()).size();
          return new DeleteResult(1, instance.executions().size(), events(instance), messages);
        })
        .reduce(DeleteResult.NONE, DeleteResult::plus);
  }

  private DeleteResult exactly(String operation, List<Instance> listed, boolean force) {
    if (!force) {
      checkFinished(operation, listed);
    }
    checkNoOrphans(operation, listed);
    return listed.stream().map(this::remove).reduce(DeleteResult.NONE, DeleteResult::plus);
  }

  private static void checkFinished(String operation, List<Instance> listed) {
    for (Instance instance : listed) {
      if (!instance.isFinished()) {
        throw new ProviderException(
            Kind.STILL_RUNNING,
            operation,
            instance.id() + " is still running; cancel it first, or delete with force");
      }
    }
  }

  private void checkNoOrphans(String operation, List<Instance> listed) {
    Set<Instance> known = new HashSet<>(listed);
    for (Instance instance : listed) {
      for (Instance child : hierarchy.children(instance.id())) {
        if (!known.contains(child)) {
          throw new ProviderException(
              Kind.ORPHANS,
              operation,
              instance.id()
                  + " would leave its child '"
                  + child.id()
                  + "' an orphan; list the whole tree");
        }
      }
    }
  }

  private DeleteResult remove(Instance instance) {
    tables.instances().remove(instance);
    long messages =
        removeStartsOfChildren(instance.id())
            + tables.orchestratorQueue().clear(instance.id())
            + tables.workerQueue().clear(instance.id());
    return new DeleteResult(1, instance.executions().size(), events(instance), messages);
  }

  private static long events(Instance instance) {
    return instance.executions().values().stream().mapToLong(Execution::eventCount).sum();
  }

  /** A child that has not begun must not begin; if its first turn is running, it must not end. */
  private long removeStartsOfChildren(String parent) {
    List<Message> starts = tables.orchestratorQueue().startsOfChildren(parent);
    for (Message start : starts) {
      Inbox inbox = tables.orchestratorQueue().find(start.item().instance());
      if (inbox == null) {
        continue;
      }
      if (!tables.instances().isKnown(inbox.instance())) {
        tables.orchestratorQueue().dropLock(inbox);
      }
      tables.orchestratorQueue().remove(inbox, List.of(start));
    }
    return starts.size();
  }
}
