package io.duroxide.provider;

import java.util.Objects;

/** Where an instance stands in a tree of parents and children. */
public sealed interface Lineage {
  Lineage ANY = new Any();
  Lineage ROOTS = new Roots();

  /** Anywhere. */
  record Any() implements Lineage {}

  /** Without a parent, or with one that is gone. */
  record Roots() implements Lineage {}

  /** A direct child of {@code parent}. */
  record ChildrenOf(String parent) implements Lineage {
    public ChildrenOf {
      Objects.requireNonNull(parent, "parent");
    }
  }

  /** {@code root} itself or one of its descendants; {@code root} may have a parent. */
  record TreeOf(String root) implements Lineage {
    public TreeOf {
      Objects.requireNonNull(root, "root");
    }
  }
}
