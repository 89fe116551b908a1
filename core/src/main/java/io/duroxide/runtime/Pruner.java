package io.duroxide.runtime;

import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.Retention;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.PruneOutcome;
import io.duroxide.provider.PruneResult;
import io.duroxide.replay.ExecutionSetup;
import io.duroxide.replay.HistoryPruning;
import io.duroxide.telemetry.StorageEvent.PruneSource;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.event.Level;

/**
 * Prunes for code that asks for it and for executions that begin, and tells of it. Whatever goes
 * wrong is told and nothing else: no orchestration waits or fails for it. Thread-safe.
 */
final class Pruner implements HistoryPruning {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.pruning");
  private static final String NO_MANAGEMENT = "the store offers no management operations";

  private final RuntimeParts parts;
  private final Provider provider;

  Pruner(RuntimeParts parts) {
    this.parts = parts;
    this.provider = parts.provider();
  }

  /** What to do now. */
  PrunePlan plan() {
    return new PrunePlan(
        parts.options().autoPrune(), parts.orchestrations(), parts.provider().now());
  }

  /** Says so if policies were given that this store cannot follow. */
  void checkStore() {
    boolean wanted =
        parts.options().autoPrune().prunes() || parts.orchestrations().hasAutoPrunePolicies();
    if (wanted && provider.management().isEmpty()) {
      LOG.warn("nothing will be pruned automatically: {}", NO_MANAGEMENT);
    }
  }

  /** What the commit of this turn shall prune. */
  Optional<PrunePlan.Prune> forCommit(TurnStart start) {
    if (start.firstEvent() == null || start.key().executionId() == ExecutionKey.FIRST) {
      return Optional.empty();
    }
    Optional<PrunePlan.Prune> prune = plan().atStart(start);
    if (prune.isEmpty() || provider.management().isPresent()) {
      return prune;
    }
    if (prune.get().source() == PruneSource.CONTINUE_AS_NEW) {
      tell(
          start.started().name(),
          start.key().instance(),
          prune.get(),
          new Pruned(PruneOutcome.failed(NO_MANAGEMENT), null));
    }
    return Optional.empty();
  }

  /** Tells what came of it. */
  void committed(OrchestrationItem item, PrunePlan.Prune prune, CommittedTurn turn) {
    PruneOutcome outcome = turn.prune();
    if (outcome != null) {
      tell(item.orchestrationName(), item.instance(), prune, new Pruned(outcome, null));
    }
  }

  @Override
  public EventKind.HistoryPruned prune(ExecutionSetup setup, Retention retention) {
    PruneOptions options = plan().options(retention);
    Pruned pruned =
        guarded(admin -> admin.pruneExecutions(instance(setup), inside(admin, setup, options)));
    tell(
        setup.name(), instance(setup), new PrunePlan.Prune(options, PruneSource.OPERATION), pruned);
    PruneOutcome outcome = pruned.outcome();
    return new EventKind.HistoryPruned(
        outcome.executionsDeleted(),
        outcome.eventsDeleted(),
        options.keepLast(),
        options.completedBefore(),
        outcome.error());
  }

  private static String instance(ExecutionSetup setup) {
    return setup.key().instance();
  }

  /** In its first turn an execution is not stored yet, but it is one of those that are kept. */
  private static PruneOptions inside(
      ProviderAdmin admin, ExecutionSetup setup, PruneOptions options) {
    Integer keepLast = options.keepLast();
    boolean isStored = admin.latestExecutionId(instance(setup)) >= setup.key().executionId();
    return isStored || keepLast == null ? options : options.withKeepLast(Math.max(1, keepLast - 1));
  }

  /**
   * What came of a prune.
   *
   * @param took null if it was part of a commit
   */
  record Pruned(PruneOutcome outcome, @Nullable Duration took) {}

  /** Prunes an instance. */
  Pruned prune(String instance, PruneOptions options) {
    return guarded(admin -> admin.pruneExecutions(instance, options));
  }

  private Pruned guarded(Function<ProviderAdmin, PruneResult> pruning) {
    long began = parts.time().nanoTime();
    PruneOutcome outcome = attempt(pruning);
    return new Pruned(outcome, Duration.ofNanos(parts.time().nanoTime() - began));
  }

  /** An instance that does not exist yet has nothing to prune. */
  private PruneOutcome attempt(Function<ProviderAdmin, PruneResult> pruning) {
    try {
      ProviderAdmin admin = provider.management().orElse(null);
      return admin == null
          ? PruneOutcome.failed(NO_MANAGEMENT)
          : PruneOutcome.of(pruning.apply(admin));
    } catch (ProviderException e) {
      return e.kind() == ProviderException.Kind.NOT_FOUND
          ? PruneOutcome.of(PruneResult.NONE)
          : PruneOutcome.failed(String.valueOf(e.getMessage()));
    } catch (RuntimeException e) {
      return PruneOutcome.failed(e.toString());
    }
  }

  /** One line for each prune: a warning if it failed, information if something is gone. */
  void tell(String orchestration, String instance, PrunePlan.Prune prune, Pruned pruned) {
    PruneOutcome outcome = pruned.outcome();
    parts.signals().pruned(prune.source(), orchestration, pruned);
    LOG.atLevel(level(outcome))
        .addKeyValue("instance_id", instance)
        .addKeyValue("orchestration_name", orchestration)
        .addKeyValue("source", prune.source().label())
        .addKeyValue("options", prune.options())
        .addKeyValue("executions_deleted", outcome.executionsDeleted())
        .addKeyValue("events_deleted", outcome.eventsDeleted())
        .addKeyValue("error", outcome.error())
        .log(outcome.error() == null ? "pruned executions" : "pruning failed");
  }

  private static Level level(PruneOutcome outcome) {
    if (outcome.error() != null) {
      return Level.WARN;
    }
    return outcome.executionsDeleted() > 0 ? Level.INFO : Level.DEBUG;
  }
}
