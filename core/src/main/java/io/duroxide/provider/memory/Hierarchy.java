package io.duroxide.provider.memory;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Who is whose child. Guarded by the gate. */
final class Hierarchy {
  private final Instances instances;

  Hierarchy(Instances instances) {
    this.instances = instances;
  }

  /** Without a parent, or with one that is gone. */
  boolean isRoot(Instance instance) {
    String parent = instance.parent();
    return parent == null || instances.existing(parent).isEmpty();
  }

  /** The instance and all its descendants. */
  List<Instance> tree(Instance root) {
    List<Instance> tree = new ArrayList<>();
    Deque<Instance> open = new ArrayDeque<>(List.of(root));
    while (!open.isEmpty()) {
      Instance next = open.remove();
      tree.add(next);
      open.addAll(children(next.id()));
    }
    return tree;
  }

  List<Instance> children(String id) {
    return instances.childrenOf(id).stream()
        .flatMap(child -> instances.existing(child).stream())
        .toList();
  }
}
