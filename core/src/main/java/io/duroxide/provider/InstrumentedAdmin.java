package io.duroxide.provider;

import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The management half of an {@link InstrumentedProvider}. Thread-safe. */
final class InstrumentedAdmin implements ProviderAdmin {
  private final ProviderAdmin inner;
  private final OperationRecorder recorder;

  InstrumentedAdmin(ProviderAdmin inner, OperationRecorder recorder) {
    this.inner = inner;
    this.recorder = recorder;
  }

  @Override
  public List<String> listInstances() {
    return recorder.items("listInstances", List::size, inner::listInstances);
  }

  @Override
  public List<String> listInstancesByStatus(String status) {
    return recorder.items(
        "listInstancesByStatus", List::size, () -> inner.listInstancesByStatus(status));
  }

  @Override
  public InstancePage listInstances(InstanceQuery query) {
    return recorder.items(
        "listInstances", page -> page.rows().size(), () -> inner.listInstances(query));
  }

  @Override
  public List<Long> listExecutions(String instance) {
    return recorder.items("listExecutions", List::size, () -> inner.listExecutions(instance));
  }

  @Override
  public List<ExecutionInfo> listExecutions(String instance, long after, int limit) {
    return recorder.items(
        "listExecutions", List::size, () -> inner.listExecutions(instance, after, limit));
  }

  @Override
  public List<Event> readHistory(ExecutionKey execution, long after, int limit) {
    return recorder.items(
        "readHistory", List::size, () -> inner.readHistory(execution, after, limit));
  }

  @Override
  public List<Event> readHistory(String instance) {
    return recorder.items("readHistory", List::size, () -> inner.readHistory(instance));
  }

  @Override
  public List<Event> readHistoryWithExecutionId(ExecutionKey execution) {
    return recorder.items(
        "readHistoryWithExecutionId",
        List::size,
        () -> inner.readHistoryWithExecutionId(execution));
  }

  @Override
  public long latestExecutionId(String instance) {
    return recorder.answer("latestExecutionId", id -> 1, () -> inner.latestExecutionId(instance));
  }

  @Override
  public InstanceInfo instanceInfo(String instance) {
    return recorder.answer("instanceInfo", info -> 1, () -> inner.instanceInfo(instance));
  }

  @Override
  public ExecutionInfo executionInfo(ExecutionKey execution) {
    return recorder.answer("executionInfo", info -> 1, () -> inner.executionInfo(execution));
  }

  @Override
  public SystemMetrics systemMetrics() {
    return recorder.answer("systemMetrics", metrics -> 1, inner::systemMetrics);
  }

  @Override
  public QueueDepths queueDepths() {
    return recorder.answer("queueDepths", depths -> 1, inner::queueDepths);
  }

  @Override
  public List<String> listChildren(String instance) {
    return recorder.items("listChildren", List::size, () -> inner.listChildren(instance));
  }

  @Override
  public Optional<String> parentId(String instance) {
    return recorder.items(
        "parentId", parent -> parent.isPresent() ? 1 : 0, () -> inner.parentId(instance));
  }

  @Override
  public List<String> instanceTree(String instance) {
    return recorder.items("instanceTree", List::size, () -> inner.instanceTree(instance));
  }

  @Override
  public DeleteResult deleteInstance(String instance, boolean force) {
    return recorder.answer(
        "deleteInstance", InstrumentedAdmin::deleted, () -> inner.deleteInstance(instance, force));
  }

  @Override
  public DeleteResult deleteInstancesAtomic(Collection<String> instances, boolean force) {
    return recorder.answer(
        "deleteInstancesAtomic",
        InstrumentedAdmin::deleted,
        () -> inner.deleteInstancesAtomic(instances, force));
  }

  @Override
  public DeleteResult deleteInstanceBulk(InstanceFilter filter, BulkDeletion how) {
    return recorder.answer(
        "deleteInstanceBulk",
        InstrumentedAdmin::deleted,
        () -> inner.deleteInstanceBulk(filter, how));
  }

  @Override
  public PruneResult pruneExecutions(String instance, PruneOptions options) {
    return recorder.answer(
        "pruneExecutions",
        InstrumentedAdmin::pruned,
        () -> inner.pruneExecutions(instance, options));
  }

  @Override
  public PruneResult pruneExecutionsBulk(InstanceFilter filter, PruneOptions options, int limit) {
    return recorder.answer(
        "pruneExecutionsBulk",
        InstrumentedAdmin::pruned,
        () -> inner.pruneExecutionsBulk(filter, options, limit));
  }

  @Override
  public OrphanPage findOrphans(OrphanFilter filter, @Nullable String after, int limit) {
    return recorder.items(
        "findOrphans", page -> page.rows().size(), () -> inner.findOrphans(filter, after, limit));
  }

  @Override
  public DeleteResult deleteOrphan(String instance, OrphanFilter filter, boolean dryRun) {
    return recorder.answer(
        "deleteOrphan",
        InstrumentedAdmin::deleted,
        () -> inner.deleteOrphan(instance, filter, dryRun));
  }

  @Override
  public List<NodeInfo> nodes() {
    return recorder.items("nodes", List::size, inner::nodes);
  }

  @Override
  public List<WaitingWork> waitingWork(int most, int instancesEach) {
    return recorder.items("waitingWork", List::size, () -> inner.waitingWork(most, instancesEach));
  }

  @Override
  public InstanceTransfer transfer() {
    return new InstrumentedTransfer(inner.transfer(), recorder);
  }

  private static int deleted(DeleteResult result) {
    return Math.clamp(result.instancesDeleted(), 0, Integer.MAX_VALUE);
  }

  private static int pruned(PruneResult result) {
    return Math.clamp(result.executionsDeleted(), 0, Integer.MAX_VALUE);
  }
}
