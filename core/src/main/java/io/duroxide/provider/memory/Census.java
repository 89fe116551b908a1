package io.duroxide.provider.memory;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.QueueDepth;
import io.duroxide.provider.QueueDepths;
import io.duroxide.provider.SystemMetrics;
import java.time.Instant;
import java.util.Collection;
import java.util.List;

/** Totals over the store. Guarded by the gate. */
final class Census {
  private final Tables tables;

  Census(Tables tables) {
    this.tables = tables;
  }

  /** Instances between two executions are alive, so they count as running. */
  SystemMetrics metrics() {
    Collection<Instance> existing = tables.instances().existing();
    long completed = count(existing, ExecutionStatus.COMPLETED);
    long failed = count(existing, ExecutionStatus.FAILED);
    List<Execution> executions =
        tables.instances().all().stream()
            .flatMap(instance -> instance.executions().values().stream())
            .toList();
    return new SystemMetrics(
        existing.size(),
        executions.size(),
        executions.stream().mapToLong(Execution::eventCount).sum(),
        existing.size() - completed - failed,
        completed,
        failed);
  }

  private static long count(Collection<Instance> instances, ExecutionStatus status) {
    return instances.stream().filter(instance -> instance.status() == status).count();
  }

  QueueDepths depths() {
    Instant now = tables.now();
    long total = 0;
    long ready = 0;
    long locked = 0;
    for (Inbox inbox : tables.orchestratorQueue().inboxes()) {
      long visible = inbox.visibleCount(now);
      total += inbox.messages().size();
      if (inbox.isLocked(now)) {
        locked += visible;
      } else if (isReady(inbox, now)) {
        ready += visible;
      }
    }
    return new QueueDepths(new QueueDepth(ready, total - ready - locked, locked), work(now));
  }

  private boolean isReady(Inbox inbox, Instant now) {
    Message herald = inbox.herald(tables.instances().isKnown(inbox.instance()));
    return herald != null && inbox.slot() != null && !herald.place().at().isAfter(now);
  }

  private QueueDepth work(Instant now) {
    List<Task> tasks = tables.workerQueue().tasks();
    long ready = tasks.stream().filter(task -> task.isFree(now)).count();
    long locked = tasks.stream().filter(task -> task.isLocked(now)).count();
    return new QueueDepth(ready, tasks.size() - ready - locked, locked);
  }
}
