package io.duroxide.provider.memory;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.PruneResult;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Deletes finished executions that are no longer current. Guarded by the gate. */
final class Pruning {
  private final Instances instances;

  Pruning(Instances instances) {
    this.instances = instances;
  }

  PruneResult bulk(InstanceFilter filter, PruneOptions options) {
    List<Instance> selected =
        new Selection(instances)
            .matching(filter)
            .sorted(Comparator.comparing(Instance::createdAt).thenComparing(Instance::id))
            .limit(Math.max(0, filter.limit()))
            .toList();
    return selected.stream()
        .map(instance -> prune(instance, options))
        .reduce(PruneResult.NONE, PruneResult::plus);
  }

  PruneResult prune(Instance instance, PruneOptions options) {
    List<Execution> pruned =
        instance.executions().descendingMap().values().stream()
            .skip(options.keepLast() == null ? 0 : Math.max(0, options.keepLast()))
            .filter(execution -> !execution.key().equals(instance.currentKey()))
            .filter(execution -> isOver(execution, options.completedBefore()))
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
}
