package io.duroxide.provider;

import io.duroxide.model.Event;
import io.duroxide.model.ExecutionKey;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Management operations of a store: the cold path.
 *
 * <p>The status of an instance is the status of its current execution. An instance between two
 * executions reads {@code ContinuedAsNew} but is alive: it counts as running and is not finished.
 * Single-instance calls on an unknown instance fail with {@code NOT_FOUND} unless said otherwise.
 */
public interface ProviderAdmin {

  /** Ids of all instances, newest first. */
  List<String> listInstances();

  /** Ids of instances with this stored status, newest first; an unknown status has none. */
  List<String> listInstancesByStatus(String status);

  /** One page of full rows, newest first; rows added meanwhile neither repeat nor hide others. */
  InstancePage listInstances(InstanceQuery query);

  /** Execution ids in ascending order; empty for an unknown instance. */
  List<Long> listExecutions(String instance);

  /**
   * Up to {@code limit} executions with larger ids than {@code after}, in ascending order; empty
   * for an unknown instance.
   */
  List<ExecutionInfo> listExecutions(String instance, long after, int limit);

  /** As {@link Provider#read}. */
  List<Event> readHistory(String instance);

  /** As {@link Provider#readWithExecution}. */
  List<Event> readHistoryWithExecutionId(ExecutionKey execution);

  /** Up to {@code limit} events with larger ids than {@code after}, in order. */
  List<Event> readHistory(ExecutionKey execution, long after, int limit);

  long latestExecutionId(String instance);

  InstanceInfo instanceInfo(String instance);

  ExecutionInfo executionInfo(ExecutionKey execution);

  SystemMetrics systemMetrics();

  QueueDepths queueDepths();

  /** Ids of direct children; empty for an unknown instance. */
  List<String> listChildren(String instance);

  /** The parent's id; empty for a root. */
  Optional<String> parentId(String instance);

  /** Ids of the instance and all its descendants. */
  List<String> instanceTree(String instance);

  /**
   * Deletes an instance and its descendants. Refused with {@code NOT_ROOT} while its parent exists,
   * and with {@code STILL_RUNNING} unless forced while any of them has not finished.
   */
  DeleteResult deleteInstance(String instance, boolean force);

  /**
   * Deletes exactly these instances in one transaction; unknown ids are ignored. Refused with
   * {@code ORPHANS} when a child of a listed instance is not listed.
   */
  DeleteResult deleteInstancesAtomic(Collection<String> instances, boolean force);

  /**
   * Deletes finished root trees that match, oldest completion first, each as a whole. Ids that are
   * unknown, not finished or not roots are passed over.
   */
  DeleteResult deleteInstanceBulk(InstanceFilter filter, BulkDeletion how);

  /** Deletes finished executions of one instance that are not its current one, all or nothing. */
  PruneResult pruneExecutions(String instance, PruneOptions options);

  /**
   * Prunes up to {@code limit} instances that match, running ones too, oldest first, each all or
   * nothing.
   */
  PruneResult pruneExecutionsBulk(InstanceFilter filter, PruneOptions options, int limit);

  /**
   * One page of children that nobody waits for. The default refuses.
   *
   * @param after the cursor of the previous page; null for the first
   * @param limit rows per page, at least 1
   */
  default OrphanPage findOrphans(OrphanFilter filter, @Nullable String after, int limit) {
    throw ProviderException.notOffered("findOrphans");
  }

  /**
   * Deletes a child that passes the filter, with its descendants, all or nothing; that it still is
   * an orphan is looked at in the same step. Nothing is deleted if it is none, or if any of them
   * has not finished. The default refuses.
   *
   * @param dryRun whether nothing is deleted and the answer says what would be
   */
  default DeleteResult deleteOrphan(String instance, OrphanFilter filter, boolean dryRun) {
    throw ProviderException.notOffered("deleteOrphan");
  }

  /** The nodes that live, by id. The default knows none. */
  default List<NodeInfo> nodes() {
    return List.of();
  }

  /**
   * What is ready to be fetched now, by what it needs. Work whose need cannot be told is left out.
   * The default tells of none.
   *
   * @param most after how much of each queue it may stop; what waits longest is counted first
   * @param instancesEach how many instances to name for each need
   */
  default List<WaitingWork> waitingWork(int most, int instancesEach) {
    return List.of();
  }

  /**
   * The way to copy instances from this store to another, or from another to this.
   *
   * @throws ProviderException by default: this store does not offer it
   */
  default InstanceTransfer transfer() {
    throw ProviderException.notOffered("transfer");
  }
}
