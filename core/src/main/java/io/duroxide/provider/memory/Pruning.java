package io.duroxide.provider.memory;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.PruneResult;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Deletes finished executions that are no longer current. Guarded by the gate. */
final class Pruning {
  private final Selection selection;

  Pruning(Selection selection) {
    this.selection = selection;
  }

  PruneResult bulk(InstanceFilter filter, PruneOptions options, int limit) {
    List<Instance> selected =
        selection
            .matching(filter)
            .sorted(Listing.NEWEST_FIRST.reversed())
            .limit(Math.max(0, limit))
            .toList();
    return selected.stream()
        .map(instance -> prune(instance, options))
        .reduce(PruneResult.NONE, PruneResult::plus);
  }

  /** Prunes an instance; nothing is processed if it does not exist. */
  static PruneResult prune(Instance instance, PruneOptions options) {
    if (!instance.exists()) {
      return PruneResult.NONE;
    }
    Set<Execution> witnesses = ofPreviousVersion(instance, options.keepPreviousVersion());
    List<Execution> pruned =
        instance.executions().descendingMap().values().stream()
            .skip(options.keepLast() == null ? 0 : Math.max(0, options.keepLast()))
            .filter(execution -> execution.key().executionId() != instance.committedExecutionId())
            .filter(execution -> isOver(execution, options.completedBefore()))
            .filter(execution -> !witnesses.contains(execution))
            .toList();
    pruned.forEach(execution -> instance.executions().remove(execution.key().executionId()));
    long events = pruned.stream().mapToLong(Execution::eventCount).sum();
    return new PruneResult(1, pruned.size(), events);
  }

  private static boolean isOver(Execution execution, @Nullable Instant before) {
    Instant completedAt = execution.completedAt();
    return execution.status() != ExecutionStatus.RUNNING
        && (before == null || (completedAt != null && completedAt.isBefore(before)));
  }

  /** The newest executions of the version that ran before the current one. */
  private static Set<Execution> ofPreviousVersion(Instance instance, int count) {
    Execution current = instance.executions().get(instance.committedExecutionId());
    String version = current == null ? null : current.version();
    if (count == 0 || version == null) {
      return Set.of();
    }
    List<Execution> others =
        instance.executions().descendingMap().values().stream()
            .filter(execution -> execution.version() != null)
            .filter(execution -> !version.equals(execution.version()))
            .toList();
    Optional<String> previous =
        others.stream()
            .flatMap(newest -> Optional.ofNullable(newest.version()).stream())
            .findFirst();
    return others.stream()
        .filter(execution -> previous.equals(Optional.ofNullable(execution.version())))
        .limit(count)
        .collect(Collectors.toSet());
  }
}
