package io.duroxide.runtime;

import io.duroxide.model.AutoPrunePolicy;
import io.duroxide.model.Semver;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The pruning policies of registered orchestrations, by name or by name and version. */
final class PruneRegistry {
  private final Map<Key, AutoPrunePolicy> policies = new LinkedHashMap<>();

  /**
   * What a policy is for.
   *
   * @param version null for all versions
   */
  private record Key(String name, @Nullable String version) {
    @Override
    public String toString() {
      return version == null ? name : name + "@" + version;
    }
  }

  /** Adds a policy; returns what is wrong with that. */
  Optional<String> put(String name, @Nullable String version, AutoPrunePolicy policy) {
    return put(new Key(name, version == null ? null : withoutLabel(version)), policy);
  }

  /** As versions are registered and recorded; a text that is no version is told by the build. */
  private static String withoutLabel(String version) {
    return Semver.tryParse(version).map(Semver::toString).orElse(version);
  }

  private Optional<String> put(Key key, AutoPrunePolicy policy) {
    AutoPrunePolicy before = policies.putIfAbsent(key, policy);
    return before == null || before.equals(policy)
        ? Optional.empty()
        : Optional.of("conflicting pruning policies for " + key);
  }

  /** Adds those of another; returns what is wrong with that. */
  List<String> addAll(PruneRegistry others) {
    List<String> problems = new ArrayList<>();
    others.policies.forEach((key, policy) -> put(key, policy).ifPresent(problems::add));
    return problems;
  }

  /** What is wrong because nothing of that name or version is registered. */
  List<String> unregistered(Map<String, ? extends Map<Semver, ?>> handlers) {
    return policies.keySet().stream()
        .filter(key -> !isRegistered(key, handlers))
        .map(key -> "a pruning policy is given for " + key + ", which is not registered")
        .toList();
  }

  private static boolean isRegistered(Key key, Map<String, ? extends Map<Semver, ?>> handlers) {
    Map<Semver, ?> versions = handlers.get(key.name());
    Set<Semver> registered = versions == null ? Set.of() : versions.keySet();
    String version = key.version();
    return version == null
        ? !registered.isEmpty()
        : Semver.tryParse(version).filter(registered::contains).isPresent();
  }

  /** The policy of this version, else that of the name. */
  Optional<AutoPrunePolicy> find(String name, String version) {
    AutoPrunePolicy exact = policies.get(new Key(name, version));
    return Optional.ofNullable(exact == null ? policies.get(new Key(name, null)) : exact);
  }

  boolean isEmpty() {
    return policies.isEmpty();
  }

  PruneRegistry copy() {
    PruneRegistry copy = new PruneRegistry();
    copy.policies.putAll(policies);
    return copy;
  }
}
