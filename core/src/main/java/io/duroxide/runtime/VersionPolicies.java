package io.duroxide.runtime;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The version policies of a registry: its own, then those of the registries merged into it, so that
 * a later change in one of those is seen here too. Thread-safe.
 */
final class VersionPolicies {
  private final List<Map<String, VersionPolicy>> layers;

  private VersionPolicies(List<Map<String, VersionPolicy>> layers) {
    this.layers = List.copyOf(layers);
  }

  static VersionPolicies none() {
    return new VersionPolicies(List.of(new ConcurrentHashMap<>()));
  }

  /** These first, then the others; both stay what they are and are seen through. */
  VersionPolicies with(VersionPolicies others) {
    List<Map<String, VersionPolicy>> all = new ArrayList<>(layers);
    all.addAll(others.layers);
    return new VersionPolicies(all);
  }

  void set(String name, VersionPolicy policy) {
    layers.getFirst().put(name, policy);
  }

  /** What was set for a name, if anything was. */
  Optional<VersionPolicy> find(String name) {
    return layers.stream()
        .flatMap(layer -> Optional.ofNullable(layer.get(name)).stream())
        .findFirst();
  }

  /** The names for which something was set. */
  Set<String> names() {
    Set<String> names = new TreeSet<>();
    layers.forEach(layer -> names.addAll(layer.keySet()));
    return names;
  }
}
