package io.duroxide.provider.sqlite;

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
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The management operations of a store. Thread-safe. */
final class SqliteAdmin implements ProviderAdmin {
  private final Writer writer;
  private final Readers readers;
  private final InstantSource clock;
  private final Reads reads;

  SqliteAdmin(Writer writer, Readers readers, InstantSource clock) {
    this.writer = writer;
    this.readers = readers;
    this.clock = clock;
    this.reads = new Reads(readers);
  }

  @Override
  public List<String> listInstances() {
    return readers.read("listInstances", sql -> new Listing(sql).ids());
  }

  @Override
  public List<String> listInstancesByStatus(String status) {
    return readers.read("listInstancesByStatus", sql -> new Listing(sql).ids(status));
  }

  @Override
  public InstancePage listInstances(InstanceQuery query) {
    return readers.read("listInstances", sql -> new Listing(sql).page(query));
  }

  @Override
  public List<Long> listExecutions(String instance) {
    return readers.read("listExecutions", sql -> new Inspection(sql).executions(instance));
  }

  @Override
  public List<ExecutionInfo> listExecutions(String instance, long after, int limit) {
    return readers.read(
        "listExecutions", sql -> new Inspection(sql).executions(instance, after, limit));
  }

  @Override
  public List<Event> readHistory(ExecutionKey execution, long after, int limit) {
    return reads.history("readHistory", execution, after, Math.max(0, limit));
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
    return readers
        .read(operation, sql -> new Inspection(sql).instance(operation, instance))
        .current()
        .executionId();
  }

  @Override
  public InstanceInfo instanceInfo(String instance) {
    String operation = "instanceInfo";
    return readers.read(operation, sql -> new Inspection(sql).instance(operation, instance));
  }

  @Override
  public ExecutionInfo executionInfo(ExecutionKey execution) {
    return readers.read("executionInfo", sql -> new Inspection(sql).execution(execution));
  }

  @Override
  public SystemMetrics systemMetrics() {
    return readers.read("systemMetrics", sql -> new Census(sql).metrics());
  }

  @Override
  public QueueDepths queueDepths() {
    long now = StoreTime.now(clock);
    return readers.read("queueDepths", sql -> new Census(sql).depths(now));
  }

  @Override
  public List<String> listChildren(String instance) {
    return readers.read("listChildren", sql -> new Hierarchy(sql).children(instance));
  }

  @Override
  public Optional<String> parentId(String instance) {
    return Optional.ofNullable(
        readers
            .read("parentId", sql -> new Inspection(sql).instance("parentId", instance))
            .parentInstance());
  }

  @Override
  public List<String> instanceTree(String instance) {
    String operation = "instanceTree";
    return readers.read(
        operation,
        sql -> {
          new Inspection(sql).instance(operation, instance);
          return new Hierarchy(sql).tree(instance).stream().map(Hierarchy.Node::id).toList();
        });
  }

  @Override
  public DeleteResult deleteInstance(String instance, boolean force) {
    String operation = "deleteInstance";
    return writer.call(operation, tables -> new Deletion(tables, operation).tree(instance, force));
  }

  @Override
  public DeleteResult deleteInstancesAtomic(Collection<String> instances, boolean force) {
    String operation = "deleteInstancesAtomic";
    List<String> listed = instances.stream().distinct().toList();
    return writer.call(operation, tables -> new Deletion(tables, operation).listed(listed, force));
  }

  @Override
  public DeleteResult deleteInstanceBulk(InstanceFilter filter, BulkDeletion how) {
    return new BulkDelete(writer, readers, how).run(filter);
  }

  @Override
  public PruneResult pruneExecutions(String instance, PruneOptions options) {
    String operation = "pruneExecutions";
    PruneResult result =
        writer.call(operation, tables -> new Pruning(tables).prune(instance, options));
    if (result.instancesProcessed() == 0) {
      throw Refusal.unknownInstance(operation, instance);
    }
    return result;
  }

  @Override
  public PruneResult pruneExecutionsBulk(InstanceFilter filter, PruneOptions options, int limit) {
    String operation = "pruneExecutionsBulk";
    List<String> selected = readers.read(operation, sql -> new Selection(sql).any(filter, limit));
    PruneResult sum = PruneResult.NONE;
    for (String instance : selected) {
      sum =
          sum.plus(writer.call(operation, tables -> new Pruning(tables).prune(instance, options)));
    }
    return sum;
  }

  @Override
  public OrphanPage findOrphans(OrphanFilter filter, @Nullable String after, int limit) {
    return readers.read("findOrphans", sql -> new Orphans(sql).page(filter, after, limit));
  }

  @Override
  public DeleteResult deleteOrphan(String instance, OrphanFilter filter, boolean dryRun) {
    String operation = "deleteOrphan";
    return dryRun
        ? readers.read(operation, sql -> new DeletionPreview(sql).orphan(instance, filter))
        : writer.call(
            operation, tables -> new Deletion(tables, operation).orphan(instance, filter));
  }

  @Override
  public InstanceTransfer transfer() {
    return new SqliteTransfer(writer, readers);
  }

  @Override
  public List<NodeInfo> nodes() {
    long now = StoreTime.now(clock);
    return readers.read("nodes", sql -> new Nodes(sql).alive(now));
  }

  @Override
  public List<WaitingWork> waitingWork(int most, int instancesEach) {
    long now = StoreTime.now(clock);
    return readers.read("waitingWork", sql -> new Backlog(sql, now, instancesEach).count(most));
  }
}
