package io.duroxide.management;

import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.BulkDeletion;
import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.InstanceInfo;
import io.duroxide.provider.InstancePage;
import io.duroxide.provider.InstanceQuery;
import io.duroxide.provider.NodeInfo;
import io.duroxide.provider.OrphanFilter;
import io.duroxide.provider.OrphanPage;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.PruneResult;
import io.duroxide.provider.QueueDepths;
import io.duroxide.provider.Stranded;
import io.duroxide.provider.SystemMetrics;
import io.duroxide.telemetry.TelemetryListener;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * What operators do: list, inspect, delete and prune.
 *
 * <p>Bound to a store alone: it works in a process without a runtime. The status of an instance is
 * the status of its current execution; one between two executions is alive. Calls about one
 * instance that is unknown throw {@link ManagementException.InstanceNotFound}, unless they say
 * otherwise. Cheap to make, thread-safe.
 */
public final class Management {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.management");

  private final Provider store;
  private final ProviderAdmin admin;
  private final Reports reports;

  private Management(Provider store, ProviderAdmin admin, Reports reports) {
    this.store = store;
    this.admin = admin;
    this.reports = reports;
  }

  /**
   * Management of a store.
   *
   * @throws ManagementException.NotAvailable if the store does not offer it
   */
  public static Management of(Provider store) {
    return new Management(store, adminOf(store), Reports.UNTOLD);
  }

  static ProviderAdmin adminOf(Provider store) {
    return store
        .management()
        .orElseThrow(() ->
            new ManagementException.NotAvailable(
                "the store '" + store.name() + "' offers no management operations"));
  }

  /** The same, whose prunings and clean-ups this listener hears of. */
  public Management withTelemetry(TelemetryListener listener) {
    return new Management(store, admin, Reports.toldTo(listener));
  }

  // Looking

  /** One page of full rows, newest first; what is added meanwhile neither repeats nor hides any. */
  public InstancePage list(InstanceQuery query) {
    return told(() -> admin.listInstances(query));
  }

  public InstanceInfo instance(String id) {
    return told(() -> admin.instanceInfo(id));
  }

  /**
   * Up to {@code limit} executions with larger ids than {@code after}, in ascending order; empty
   * for an unknown instance. Begin with 0 and go on with the last id.
   */
  public List<ExecutionInfo> executions(String id, long after, int limit) {
    return told(() -> admin.listExecutions(id, after, limit));
  }

  public ExecutionInfo execution(ExecutionKey execution) {
    return told(() -> admin.executionInfo(execution));
  }

  /** All events of an execution; empty for an unknown one. */
  public List<Event> history(ExecutionKey execution) {
    return told(() -> admin.readHistoryWithExecutionId(execution));
  }

  /**
   * Up to {@code limit} events with larger ids than {@code after}, in order; empty for an unknown
   * execution. Begin with 0 and go on with the last id.
   */
  public List<Event> history(ExecutionKey execution, long after, int limit) {
    return told(() -> admin.readHistory(execution, after, limit));
  }

  /** The instance and all its descendants; it need not be a root. */
  public InstanceTree tree(String id) {
    return new InstanceTree(id, told(() -> admin.instanceTree(id)));
  }

  /** The ids of direct children; empty for an unknown instance. */
  public List<String> children(String id) {
    return told(() -> admin.listChildren(id));
  }

  /** The id of the parent; empty for a root. */
  public Optional<String> parent(String id) {
    return told(() -> admin.parentId(id));
  }

  /** Totals over the store. */
  public SystemMetrics metrics() {
    return told(admin::systemMetrics);
  }

  /** What waits in the queues. */
  public QueueDepths depths() {
    return told(admin::queueDepths);
  }

  /** The nodes that live, with what they can run. */
  public List<NodeInfo> nodes() {
    return told(admin::nodes);
  }

  /**
   * Ready work that no live node can run, and why.
   *
   * @param instancesEach how many of the instances that wait for the same are named
   */
  public List<Stranded> stranded(int instancesEach) {
    return told(
        () -> Stranded.among(admin.waitingWork(Integer.MAX_VALUE, instancesEach), admin.nodes()));
  }

  /**
   * One page of children that nobody waits for.
   *
   * @param after the cursor of the previous page; null for the first
   */
  public OrphanPage orphans(OrphanFilter filter, @Nullable String after, int limit) {
    return told(() -> admin.findOrphans(filter, after, limit));
  }

  // Deleting

  /**
   * Deletes an instance, which must be a root, with all its descendants in one step: histories, key
   * values, queued messages and activities. The id can be used again at once.
   *
   * <p>Better cancel, wait and delete; {@link Force#YES} is the last resort. A turn that runs
   * meanwhile cannot bring the instance back, and running activities are cancelled at their next
   * sign of life.
   *
   * @throws ManagementException.CannotDeleteSubOrchestration if its parent exists, also with force
   * @throws ManagementException.InstanceStillRunning if any of them has not finished, unless forced
   */
  public DeleteResult delete(String id, Force force) {
    DeleteResult result = told(() -> admin.deleteInstance(id, force == Force.YES));
    counts(result).addKeyValue("instance_id", id).addKeyValue("force", force).log("deleted");
    return result;
  }

  /**
   * Deletes exactly these instances in one step; unknown ids are ignored.
   *
   * @throws ManagementException.TreeChanged if a child of one of them is not among them
   * @throws ManagementException.InstanceStillRunning if one of them has not finished, unless forced
   */
  public DeleteResult deleteExactly(Collection<String> ids, Force force) {
    DeleteResult result = told(() -> admin.deleteInstancesAtomic(ids, force == Force.YES));
    counts(result).addKeyValue("instance_ids", ids).addKeyValue("force", force).log("deleted");
    return result;
  }

  /**
   * Deletes finished root trees that match, oldest completion first, each as a whole. What is
   * unknown, not finished or not a root is passed over. Running work goes on beside it.
   */
  public DeleteResult deleteBulk(InstanceFilter filter, BulkDeletion how) {
    DeleteResult result = told(() -> admin.deleteInstanceBulk(filter, how));
    if (!how.dryRun()) {
      counts(result).addKeyValue("filter", filter).addKeyValue("options", how).log("bulk deleted");
    }
    return result;
  }

  /**
   * Deletes finished children that nobody waits for, each with its descendants if all of them have
   * finished; that it still is an orphan is looked at in the same step. For a child whose parent
   * exists there is no other way.
   */
  public CleanedOrphans cleanOrphans(OrphanFilter filter, OrphanCleaning how) {
    OrphanCleaner cleaner = new OrphanCleaner(store, admin, filter, how);
    CleanedOrphans result = told(cleaner::clean);
    if (!how.dryRun()) {
      cleaner.byKind().forEach(reports::cleaned);
      counts(result.deleted())
          .addKeyValue("running", result.running())
          .addKeyValue("cancels_requested", result.cancelsRequested())
          .addKeyValue("filter", filter)
          .addKeyValue("options", how)
          .log("orphans cleaned");
    }
    return result;
  }

  private static LoggingEventBuilder counts(DeleteResult result) {
    return LOG.atInfo()
        .addKeyValue("instances_deleted", result.instancesDeleted())
        .addKeyValue("executions_deleted", result.executionsDeleted())
        .addKeyValue("events_deleted", result.eventsDeleted())
        .addKeyValue("queue_messages_deleted", result.queueMessagesDeleted());
  }

  // Pruning

  /**
   * Deletes past executions of an instance with their histories; never the current one, and never
   * one that is marked running. Safe at any time: replay reads the current execution alone.
   */
  public PruneResult prune(String id, PruneOptions options) {
    PruneResult result =
        told(() ->
            reports.pruned(
                () -> admin.instanceInfo(id).orchestration().name(),
                () -> admin.pruneExecutions(id, options)));
    counts(result).addKeyValue("instance_id", id).addKeyValue("options", options).log("pruned");
    return result;
  }

  /** Prunes up to {@code limit} instances that match, running ones too, oldest first. */
  public PruneResult pruneBulk(InstanceFilter filter, PruneOptions options, int limit) {
    PruneResult result =
        told(() ->
            reports.pruned(
                () -> Reports.MANY, () -> admin.pruneExecutionsBulk(filter, options, limit)));
    counts(result).addKeyValue("filter", filter).addKeyValue("options", options).log("bulk pruned");
    return result;
  }

  private static LoggingEventBuilder counts(PruneResult result) {
    return LOG.atInfo()
        .addKeyValue("instances_processed", result.instancesProcessed())
        .addKeyValue("executions_deleted", result.executionsDeleted())
        .addKeyValue("events_deleted", result.eventsDeleted());
  }

  /** Says in the words of management what the store refused. */
  private static <T> T told(Supplier<T> call) {
    try {
      return call.get();
    } catch (ProviderException e) {
      throw switch (e.kind()) {
        case NOT_FOUND -> new ManagementException.InstanceNotFound(e);
        case STILL_RUNNING -> new ManagementException.InstanceStillRunning(e);
        case NOT_ROOT -> new ManagementException.CannotDeleteSubOrchestration(e);
        case ORPHANS -> new ManagementException.TreeChanged(e);
        case INVALID_INPUT -> new ManagementException.InvalidInput(e);
        default -> e;
      };
    }
  }
}
