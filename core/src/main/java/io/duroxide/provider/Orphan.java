package io.duroxide.provider;

import java.util.Objects;

/** A child that nobody waits for, and why. */
public record Orphan(InstanceInfo instance, OrphanKind kind) {
  public Orphan {
    Objects.requireNonNull(instance, "instance");
    Objects.requireNonNull(kind, "kind");
  }
}
