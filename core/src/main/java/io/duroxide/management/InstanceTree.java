package io.duroxide.management;

import java.util.List;
import java.util.Objects;

/**
 * An instance and all its descendants.
 *
 * @param root where the tree begins; it may have a parent itself
 * @param instances the ids of all members, the root included
 */
public record InstanceTree(String root, List<String> instances) {
  public InstanceTree {
    Objects.requireNonNull(root, "root");
    instances = List.copyOf(instances);
  }

  /** Whether the root has no descendants. */
  public boolean isRootOnly() {
    return instances.size() == 1;
  }

  public int size() {
    return instances.size();
  }
}
