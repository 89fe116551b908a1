package io.duroxide.provider.memory;

import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.Lineage;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;

/** The instances that pass a filter. Guarded by the gate. */
final class Selection {
  private final Instances instances;
  private final Hierarchy hierarchy;

  Selection(Instances instances, Hierarchy hierarchy) {
    this.instances = instances;
    this.hierarchy = hierarchy;
  }

  /** Matches before any limit is applied, in no order. */
  Stream<Instance> matching(InstanceFilter filter) {
    List<String> ids = filter.instanceIds();
    Stream<Instance> listed =
        ids == null
            ? instances.existing().stream()
            : new LinkedHashSet<>(ids).stream().flatMap(id -> instances.existing(id).stream());
    return listed.filter(instance -> isLike(filter, instance)).filter(standing(filter.lineage()));
  }

  private static boolean isLike(InstanceFilter filter, Instance instance) {
    return instance.id().startsWith(filter.idPrefix())
        && (filter.statuses().isEmpty() || filter.statuses().contains(instance.status()))
        && filter.orchestration().admits(instance.orchestration().orElseThrow())
        && filter.created().contains(instance.createdAt())
        && filter.completed().contains(instance.completedAt());
  }

  private Predicate<Instance> standing(Lineage lineage) {
    return switch (lineage) {
      case Lineage.Any any -> instance -> true;
      case Lineage.Roots roots -> hierarchy::isRoot;
      case Lineage.ChildrenOf children -> instance -> children.parent().equals(instance.parent());
      case Lineage.TreeOf tree -> treeOf(tree.root())::contains;
    };
  }

  private Set<Instance> treeOf(String root) {
    return instances
        .existing(root)
        .map(found -> (Set<Instance>) new HashSet<>(hierarchy.tree(found)))
        .orElse(Set.of());
  }
}
