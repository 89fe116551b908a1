package io.duroxide.runtime;

import io.duroxide.api.DataConverter;
import io.duroxide.api.EventQueue;
import io.duroxide.api.Orchestration;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.OrchestrationHandler;
import io.duroxide.model.AutoPrunePolicy;
import io.duroxide.model.Semver;
import io.duroxide.provider.HandlerFilter;
import io.duroxide.replay.OrchestrationCode;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The orchestrations a node can run, by name and version.
 *
 * <p>Fixed after {@link Builder#build}, except for the version policies, which may change at any
 * time and are shared by registries and runtimes built from this one. Thread-safe.
 */
public final class OrchestrationRegistry {
  static final Semver DEFAULT_VERSION = Semver.of(1, 0, 0);

  /** A registered version, ready to run. */
  record Resolved(Semver version, OrchestrationCode code) {}

  /** A version of an orchestration. */
  private record Registered(String name, Semver version) {}

  private final Map<String, NavigableMap<Semver, OrchestrationCode>> handlers;
  private final VersionPolicies policies;
  private final PruneRegistry prunePolicies;

  private OrchestrationRegistry(Builder builder) {
    this.handlers = builder.handlers;
    this.policies = builder.policies;
    this.prunePolicies = builder.prunePolicies.copy();
  }

  public static Builder builder() {
    return new Builder(VersionPolicies.none());
  }

  /** A builder that begins with everything in this registry and shares its policies. */
  public Builder extend() {
    Builder builder = new Builder(policies);
    handlers.forEach((name, versions) -> builder.handlers.put(name, new TreeMap<>(versions)));
    builder.prunePolicies.addAll(prunePolicies);
    return builder;
  }

  /** The handler for a start that names {@code version}, or by policy for null. */
  Optional<Resolved> resolve(String name, @Nullable String version) {
    NavigableMap<Semver, OrchestrationCode> versions = handlers.get(name);
    if (versions == null) {
      return Optional.empty();
    }
    if (version == null || version.equals(Semver.PLACEHOLDER)) {
      return switch (policy(name)) {
        case VersionPolicy.Latest ignored -> resolved(versions, versions.lastKey());
        case VersionPolicy.Exact exact -> resolved(versions, exact.version());
      };
    }
    return Semver.tryParse(version).flatMap(exact -> resolved(versions, exact));
  }

  private static Optional<Resolved> resolved(
      NavigableMap<Semver, OrchestrationCode> versions, Semver version) {
    return Optional.ofNullable(versions.get(version)).map(code -> new Resolved(version, code));
  }

  /** Chooses which version new executions of {@code name} run when they name none. */
  public void setPolicy(String name, VersionPolicy policy) {
    policies.set(name, policy);
  }

  public VersionPolicy policy(String name) {
    return policies.find(name).orElse(VersionPolicy.LATEST);
  }

  public Set<String> names() {
    return Set.copyOf(handlers.keySet());
  }

  /** The registered versions of a name, lowest first. */
  public List<Semver> versions(String name) {
    NavigableMap<Semver, OrchestrationCode> versions = handlers.get(name);
    return versions == null ? List.of() : List.copyOf(versions.keySet());
  }

  public boolean has(String name) {
    return handlers.containsKey(name);
  }

  /** How past executions of an orchestration are pruned: as its version says, else its name. */
  Optional<AutoPrunePolicy> autoPrune(String name, String version) {
    return prunePolicies.find(name, version);
  }

  boolean hasAutoPrunePolicies() {
    return !prunePolicies.isEmpty();
  }

  /** How many names are registered. */
  public int count() {
    return handlers.size();
  }

  /** What a provider needs to hand this node only work it can run. */
  HandlerFilter filter() {
    Map<String, Set<String>> versions = new LinkedHashMap<>();
    handlers.forEach((name, registered) ->
        versions.put(
            name, registered.keySet().stream().map(Semver::toString).collect(Collectors.toSet())));
    return new HandlerFilter(versions);
  }

  /** Collects registrations; problems are reported together by {@link #build}. */
  public static final class Builder {
    private final Map<String, NavigableMap<Semver, OrchestrationCode>> handlers =
        new LinkedHashMap<>();
    private final List<String> problems = new ArrayList<>();
    private final PruneRegistry prunePolicies = new PruneRegistry();
    private VersionPolicies policies;
    private @Nullable DataConverter fixed;
    private @Nullable Registered newest;

    private Builder(VersionPolicies policies) {
      this.policies = policies;
    }

    /**
     * Fixes the converter of inputs and outputs of handlers registered from now on. Others use the
     * converter of the runtime that runs them.
     */
    public Builder converter(DataConverter newConverter) {
      fixed = newConverter;
      return this;
    }

    /** Registers version 1.0.0. */
    public <I, O> Builder register(
        Orchestration<I, O> orchestration, OrchestrationHandler<I, O> handler) {
      add(orchestration.name(), DEFAULT_VERSION, code(orchestration, handler));
      return this;
    }

    /** Registers a version, which must be higher than those registered before. */
    public <I, O> Builder register(
        Orchestration<I, O> orchestration, String version, OrchestrationHandler<I, O> handler) {
      Optional<Semver> parsed = Semver.tryParse(version);
      if (parsed.isEmpty()) {
        problems.add(
            "'%s' is no semantic version, so %s cannot be registered with it"
                .formatted(version, orchestration.name()));
        return this;
      }
      NavigableMap<Semver, OrchestrationCode> versions = handlers.get(orchestration.name());
      Semver highest = versions == null || versions.isEmpty() ? null : versions.lastKey();
      if (highest != null && parsed.get().compareTo(highest) < 0) {
        problems.add(
            "version %s of %s is not above the highest registered version %s"
                .formatted(version, orchestration.name(), highest));
        return this;
      }
      add(orchestration.name(), parsed.get(), code(orchestration, handler));
      return this;
    }

    /**
     * Lets the orchestration that was registered last complete only when these mailboxes are empty;
     * see {@link OrchestrationContext#endWhenRead(EventQueue[])}.
     */
    public Builder endsWhenRead(EventQueue<?>... queues) {
      List<EventQueue<?>> named = List.of(queues);
      Registered last = newest;
      if (last == null) {
        problems.add("endsWhenRead has to follow the registration of an orchestration");
        return this;
      }
      handlers
          .getOrDefault(last.name(), new TreeMap<>())
          .computeIfPresent(
              last.version(),
              (version, code) ->
                  (context, input) -> {
                    named.forEach(queue -> context.endWhenRead(queue.name()));
                    return code.run(context, input);
                  });
      return this;
    }

    public Builder policy(String name, VersionPolicy policy) {
      policies.set(name, policy);
      return this;
    }

    /** Prunes past executions of all versions of an orchestration when it continues as new. */
    public Builder autoPrune(String name, AutoPrunePolicy policy) {
      prunePolicies.put(name, null, policy).ifPresent(problems::add);
      return this;
    }

    /** As {@link #autoPrune(String, AutoPrunePolicy)}, when the next execution has this version. */
    public Builder autoPrune(String name, String version, AutoPrunePolicy policy) {
      prunePolicies.put(name, version, policy).ifPresent(problems::add);
      return this;
    }

    /** Adds everything of another registry; the order of merges does not matter. */
    public Builder merge(OrchestrationRegistry other) {
      other.handlers.forEach(
          (name, versions) -> versions.forEach((version, code) -> add(name, version, code)));
      other.policies.names().forEach(name -> checkPolicy(name, other.policy(name)));
      policies = policies.with(other.policies);
      problems.addAll(prunePolicies.addAll(other.prunePolicies));
      return this;
    }

    private void checkPolicy(String name, VersionPolicy policy) {
      policies
          .find(name)
          .filter(mine -> !mine.equals(policy))
          .ifPresent(mine ->
              problems.add(
                  "conflicting version policies for " + name + ": " + mine + " and " + policy));
    }

    private void add(String name, Semver version, OrchestrationCode code) {
      NavigableMap<Semver, OrchestrationCode> versions =
          handlers.computeIfAbsent(name, key -> new TreeMap<>());
      if (versions.putIfAbsent(version, code) != null) {
        problems.add("duplicate orchestration registration: " + name + "@" + version);
      }
      newest = new Registered(name, version);
    }

    private <I, O> OrchestrationCode code(
        Orchestration<I, O> orchestration, OrchestrationHandler<I, O> handler) {
      DataConverter own = fixed;
      return (context, input) -> {
        DataConverter used = own == null ? context.converter() : own;
        return used.encode(handler.run(context, used.decode(input, orchestration.input())));
      };
    }

    /** The registry; throws with every problem if there is one. */
    public OrchestrationRegistry build() {
      problems.addAll(prunePolicies.unregistered(handlers));
      if (!problems.isEmpty()) {
        throw new IllegalArgumentException(String.join("; ", problems));
      }
      return new OrchestrationRegistry(this);
    }
  }
}
