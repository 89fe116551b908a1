package io.duroxide.provider.postgres;

import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.BulkDeletion;
import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.InstancePage;
import io.duroxide.provider.InstanceQuery;
import io.duroxide.provider.InstanceTransfer;
import io.duroxide.provider.NodeInfo;
import io.duroxide.provider.OrphanFilter;
import io.duroxide.provider.OrphanPage;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.PruneResult;
import io.duroxide.provider.QueueDepths;
import io.duroxide.provider.SystemMetrics;
import io.duroxide.provider.WaitingWork;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The management operations of a store. Thread-safe. */
final class PostgresAdmin implements ProviderAdmin {
  private final Store store;
  private final Reads reads;
  private final Rooms rooms;

  PostgresAdmin(Store store, Reads reads, Rooms rooms) {
    this.store = store;
    this.reads = reads;
    this.rooms = rooms;
  }

  @Override
  public List<String> listInstances() {
    return store.read("listInstances", sql -> new Listing(sql).ids());
  }

  @Override
  public List<String> listInstancesByStatus(String status) {
    return store.read("listInstancesByStatus", sql -> new Listing(sql).ids(status));
  }

  @Override
  public InstancePage listInstances(InstanceQuery query) {
    return store.read("listInstances", sql -> new Listing(sql).page(query));
  }

  @Override
  public List<Long> listExecutions(String instance) {
    return store.read("listExecutions", sql -> new Inspection(sql).executions(instance));
  }

  @Override
  public List<ExecutionInfo> listExecutions(String instance, long after, int limit) {
    return store.read(
        "listExecutions", sql -> new Inspection(sql).executions(instance, after, limit));
  }

  @Override
  public List<Event> readHistory(ExecutionKey execution, long after, int limit) {
    return reads.history("readHistory", execution, after, limit);
  }

  @Override
  public List<Event> readHistory(String instance) {
    return reads.latestHistory("readHistory", instance);
  }

  @Override
  public List<Event> readHistoryWithExecutionId(ExecutionKey execution) {
    return reads.history("readHistoryWithExecutionId", execution);
  }

  @Override
  public long latestExecutionId(String instance) {
    String operation = "latestExecutionId";
    return store
        .read(operation, sql -> new Inspection(sql).instance(operation, instance))
        .current()
        .executionId();
  }

  @Override
  public InstanceInfo instanceInfo(String instance) {
    String operation = "instanceInfo";
    return store.read(operation, sql -> new Inspection(sql).instance(operation, instance));
  }

  @Override
  public ExecutionInfo executionInfo(ExecutionKey execution) {
    return store.read("executionInfo", sql -> new Inspection(sql).execution(execution));
  }

  @Override
  public SystemMetrics systemMetrics() {
    return store.read("systemMetrics", sql -> new Census(sql).metrics());
  }

  @Override
  public QueueDepths queueDepths() {
    return store.read("queueDepths", sql -> new Census(sql).depths(store.clock().given()));
  }

  @Override
  public List<String> listChildren(String instance) {
    return store.read("listChildren", sql -> new Hierarchy(sql).children(instance));
  }

  @Override
  public Optional<String> parentId(String instance) {
    return Optional.ofNullable(
        store
            .read("parentId", sql -> new Inspection(sql).instance("parentId", instance))
            .parentInstance());
  }

  @Override
  public List<String> instanceTree(String instance) {
    String operation = "instanceTree";
    List<String> tree =
        store.read(
            operation,
            sql -> new Hierarchy(sql).tree(instance).stream().map(Hierarchy.Node::id).toList());
    if (tree.isEmpty()) {
      throw Refusal.unknownInstance(operation, instance);
    }
    return tree;
  }

  @Override
  public DeleteResult deleteInstance(String instance, boolean force) {
    String operation = "deleteInstance";
    return deleted(
        store.change(operation, sql -> new Deletion(sql, operation).tree(instance, force)));
  }

  @Override
  public DeleteResult deleteInstancesAtomic(Collection<String> instances, boolean force) {
    String operation = "deleteInstancesAtomic";
    List<String> listed = instances.stream().distinct().toList();
    return deleted(
        store.change(operation, sql -> new Deletion(sql, operation).listed(listed, force)));
  }

  @Override
  public DeleteResult deleteInstanceBulk(InstanceFilter filter, BulkDeletion how) {
    return deleted(new BulkDelete(store, how).run(filter));
  }

  @Override
  public OrphanPage findOrphans(OrphanFilter filter, @Nullable String after, int limit) {
    return store.read("findOrphans", sql -> new OrphanedChildren(sql).page(filter, after, limit));
  }

  @Override
  public DeleteResult deleteOrphan(String instance, OrphanFilter filter, boolean dryRun) {
    String operation = "deleteOrphan";
    return deleted(
        store.change(
            operation, sql -> new Deletion(sql, operation).orphan(instance, filter, dryRun)));
  }

  @Override
  public InstanceTransfer transfer() {
    return new PostgresTransfer(store, rooms);
  }

  @Override
  public List<NodeInfo> nodes() {
    return new Nodes(store).alive();
  }

  @Override
  public List<WaitingWork> waitingWork(int most, int instancesEach) {
    return store.read(
        "waitingWork", sql -> new Backlog(sql, store.clock().given(), instancesEach).count(most));
  }

  /** What was queued for a child may be in line again. */
  private DeleteResult deleted(DeleteResult result) {
    rooms.wakeForTurn();
    return result;
  }

  @Override
  public PruneResult pruneExecutions(String instance, PruneOptions options) {
    String operation = "pruneExecutions";
    PruneResult result = store.change(operation, sql -> new Pruning(sql).prune(instance, options));
    if (result.instancesProcessed() == 0) {
      throw Refusal.unknownInstance(operation, instance);
    }
    return result;
  }

  @Override
  public PruneResult pruneExecutionsBulk(InstanceFilter filter, PruneOptions options, int limit) {
    String operation = "pruneExecutionsBulk";
    List<String> selected = store.read(operation, sql -> new Selection(sql).any(filter, limit));
    PruneResult sum = PruneResult.NONE;
    for (String instance : selected) {
      sum = sum.plus(store.change(operation, sql -> new Pruning(sql).prune(instance, options)));
    }
    return sum;
  }
}
