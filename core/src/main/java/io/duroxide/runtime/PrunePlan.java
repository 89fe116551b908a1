package io.duroxide.runtime;

import io.duroxide.model.AutoPrune;
import io.duroxide.model.AutoPrunePolicy;
import io.duroxide.model.Retention;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.PruneOptions;
import io.duroxide.telemetry.StorageEvent.PruneSource;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Decides what is pruned. Pure.
 *
 * @param now what ages are measured from
 */
record PrunePlan(AutoPruneConfig config, OrchestrationRegistry registry, Instant now) {

  /** What to prune, and who wanted it. */
  record Prune(PruneOptions options, PruneSource source) {}

  /** A policy, and where it came from. */
  private record Found(AutoPrunePolicy policy, PruneSource source) {}

  /** What the first commit of an execution prunes that follows another. */
  Optional<Prune> atStart(TurnStart start) {
    Retention asked = start.prune();
    if (asked != null) {
      return Optional.of(new Prune(options(asked), PruneSource.CONTINUE_AS_NEW));
    }
    OrchestrationIdentity orchestration =
        new OrchestrationIdentity(start.started().name(), start.started().version());
    return found(start.started().inheritance().autoPrune(), orchestration)
        .filter(found -> found.policy().isDue(start.key().executionId()))
        .map(this::prune);
  }

  /** What a sweep prunes of an instance, whether or not it continues as new. */
  Optional<Prune> atSweep(@Nullable AutoPrune instance, OrchestrationIdentity orchestration) {
    return found(instance, orchestration).map(this::prune);
  }

  private Optional<Found> found(@Nullable AutoPrune instance, OrchestrationIdentity orchestration) {
    return switch (instance) {
      case AutoPrune.Disabled off -> Optional.empty();
      case AutoPrunePolicy policy -> Optional.of(new Found(policy, PruneSource.INSTANCE));
      case null -> config.enabled() ? implicit(orchestration) : Optional.empty();
    };
  }

  private Optional<Found> implicit(OrchestrationIdentity orchestration) {
    AutoPrunePolicy override = config.overrides().get(orchestration.name());
    if (override != null) {
      return Optional.of(new Found(override, PruneSource.RUNTIME));
    }
    return registry
        .autoPrune(orchestration.name(), orchestration.version())
        .map(policy -> new Found(policy, PruneSource.REGISTRATION))
        .or(() ->
            Optional.ofNullable(config.defaultPolicy())
                .map(policy -> new Found(policy, PruneSource.RUNTIME)));
  }

  private Prune prune(Found found) {
    AutoPrunePolicy policy = found.policy();
    return new Prune(
        options(policy.retention()).withKeepPreviousVersion(policy.keepPreviousVersion()),
        found.source());
  }

  /** Everything that neither {@code retention} nor the floor keeps. */
  PruneOptions options(Retention retention) {
    Retention floor = config.floor();
    Integer keepLast = larger(retention.keepLast(), floor == null ? null : floor.keepLast());
    Duration maxAge = longer(retention.maxAge(), floor == null ? null : floor.maxAge());
    return new PruneOptions(keepLast, maxAge == null ? null : ago(maxAge), 0);
  }

  private Instant ago(Duration age) {
    boolean endless = age.compareTo(Duration.between(Instant.MIN, now)) >= 0;
    return endless ? Instant.MIN : now.minus(age).truncatedTo(ChronoUnit.MILLIS);
  }

  private static @Nullable Integer larger(@Nullable Integer one, @Nullable Integer other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return Math.max(one, other);
  }

  private static @Nullable Duration longer(@Nullable Duration one, @Nullable Duration other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.compareTo(other) > 0 ? one : other;
  }
}
