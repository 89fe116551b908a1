package io.duroxide.provider.memory;

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
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.PruneResult;
import io.duroxide.provider.QueueDepths;
import io.duroxide.provider.SystemMetrics;
import io.duroxide.provider.WaitingWork;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The management operations of a store; each is one step inside its gate. Thread-safe. */
final class Admin implements ProviderAdmin {
  private final Gate gate;
  private final Instances instances;
  private final Reads reads;
  private final Listing listing;
  private final Census census;
  private final Hierarchy hierarchy;
  private final Deletion deletion;
  private final Pruning pruning;
  private final Orphans orphans;
  private final Tables tables;
  private final Nodes nodes;
  private final Transfer transfer;

  Admin(Gate gate, Tables tables, Nodes nodes) {
    this.gate = gate;
    this.tables = tables;
    this.nodes = nodes;
    this.instances = tables.instances();
    this.reads = new Reads(instances);
    this.hierarchy = new Hierarchy(instances);
    Selection selection = new Selection(instances, hierarchy);
    this.listing = new Listing(instances, selection);
    this.census = new Census(tables);
    this.deletion = new Deletion(tables, hierarchy, selection);
    this.pruning = new Pruning(selection);
    this.orphans = new Orphans(instances);
    this.transfer = new Transfer(gate, tables);
  }

  @Override
  public List<String> listInstances() {
    return gate.enter("listInstances", () -> listing.ids(any -> true));
  }

  @Override
  public List<String> listInstancesByStatus(String status) {
    return gate.enter("listInstancesByStatus", () -> listing.idsByStatus(status));
  }

  @Override
  public InstancePage listInstances(InstanceQuery query) {
    return gate.enter("listInstances", () -> listing.page(query));
  }

  @Override
  public List<Long> listExecutions(String instance) {
    return gate.enter(
        "listExecutions",
        () ->
            instances
                .find(instance)
                .map(known -> List.copyOf(known.executions().keySet()))
                .orElse(List.of()));
  }

  @Override
  public List<ExecutionInfo> listExecutions(String instance, long after, int limit) {
    return gate.enter(
        "listExecutions",
        () ->
            instances.find(instance).stream()
                .flatMap(known -> known.executions().tailMap(after, false).values().stream())
                .limit(Math.max(0, limit))
                .map(Execution::info)
                .toList());
  }

  @Override
  public List<Event> readHistory(ExecutionKey execution, long after, int limit) {
    return gate.enter(
        "readHistory",
        () ->
            instances
                .execution(execution)
                .map(known -> known.read("readHistory", after, Math.max(0, limit)))
                .orElse(List.of()));
  }

  @Override
  public List<Event> readHistory(String instance) {
    return gate.enter("readHistory", () -> reads.latestHistory("readHistory", instance));
  }

  @Override
  public List<Event> readHistoryWithExecutionId(ExecutionKey execution) {
    String operation = "readHistoryWithExecutionId";
    return gate.enter(operation, () -> reads.history(operation, execution));
  }

  @Override
  public long latestExecutionId(String instance) {
    String operation = "latestExecutionId";
    return gate.enter(operation, () -> existing(operation, instance).currentKey().executionId());
  }

  @Override
  public InstanceInfo instanceInfo(String instance) {
    String operation = "instanceInfo";
    return gate.enter(operation, () -> Listing.info(existing(operation, instance)));
  }

  @Override
  public ExecutionInfo executionInfo(ExecutionKey execution) {
    return gate.enter("executionInfo", () -> executionRow(execution));
  }

  private ExecutionInfo executionRow(ExecutionKey key) {
    return instances
        .execution(key)
        .map(Execution::info)
        .orElseThrow(() ->
            new ProviderException(
                ProviderException.Kind.NOT_FOUND,
                "executionInfo",
                "execution " + key + " was not found; it may have been pruned"));
  }

  @Override
  public SystemMetrics systemMetrics() {
    return gate.enter("systemMetrics", census::metrics);
  }

  @Override
  public QueueDepths queueDepths() {
    return gate.enter("queueDepths", census::depths);
  }

  @Override
  public List<String> listChildren(String instance) {
    return gate.enter(
        "listChildren", () -> hierarchy.children(instance).stream().map(Instance::id).toList());
  }

  @Override
  public Optional<String> parentId(String instance) {
    return gate.enter(
        "parentId", () -> Optional.ofNullable(existing("parentId", instance).parent()));
  }

  @Override
  public List<String> instanceTree(String instance) {
    String operation = "instanceTree";
    return gate.enter(
        operation,
        () -> hierarchy.tree(existing(operation, instance)).stream().map(Instance::id).toList());
  }

  @Override
  public DeleteResult deleteInstance(String instance, boolean force) {
    String operation = "deleteInstance";
    return gate.enter(
        operation, () -> deletion.tree(operation, existing(operation, instance), force));
  }

  @Override
  public DeleteResult deleteInstancesAtomic(Collection<String> ids, boolean force) {
    String operation = "deleteInstancesAtomic";
    return gate.enter(operation, () -> deletion.listed(operation, ids, force));
  }

  @Override
  public DeleteResult deleteInstanceBulk(InstanceFilter filter, BulkDeletion how) {
    String operation = "deleteInstanceBulk";
    return gate.enter(operation, () -> deletion.bulk(operation, filter, how));
  }

  @Override
  public PruneResult pruneExecutions(String instance, PruneOptions options) {
    String operation = "pruneExecutions";
    return gate.enter(operation, () -> Pruning.prune(existing(operation, instance), options));
  }

  @Override
  public PruneResult pruneExecutionsBulk(InstanceFilter filter, PruneOptions options, int limit) {
    return gate.enter("pruneExecutionsBulk", () -> pruning.bulk(filter, options, limit));
  }

  @Override
  public OrphanPage findOrphans(OrphanFilter filter, @Nullable String after, int limit) {
    return gate.enter("findOrphans", () -> orphans.page(filter, after, limit));
  }

  @Override
  public DeleteResult deleteOrphan(String instance, OrphanFilter filter, boolean dryRun) {
    String operation = "deleteOrphan";
    return gate.enter(
        operation,
        () ->
            instances
                .existing(instance)
                .filter(known -> orphans.kind(known, filter).isPresent())
                .map(known -> deletion.orphan(operation, known, dryRun))
                .orElse(DeleteResult.NONE));
  }

  @Override
  public InstanceTransfer transfer() {
    return transfer;
  }

  @Override
  public List<NodeInfo> nodes() {
    return gate.enter("nodes", nodes::alive);
  }

  @Override
  public List<WaitingWork> waitingWork(int most, int instancesEach) {
    return gate.enter("waitingWork", () -> new Backlog(tables, instancesEach).count());
  }

  private Instance existing(String operation, String instance) {
    return instances
        .existing(instance)
        .orElseThrow(() -> Refusal.unknownInstance(operation, instance));
  }
}
