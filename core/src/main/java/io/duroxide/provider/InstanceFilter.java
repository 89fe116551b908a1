package io.duroxide.provider;

import io.duroxide.model.ExecutionStatus;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which instances a listing shows or a bulk operation touches; all criteria must hold.
 *
 * <p>Begins with {@link #ALL}, {@link #running}, {@link #finished} or {@link #ids} and is narrowed
 * from there: {@code InstanceFilter.running().named("Order")}.
 *
 * @param instanceIds an allow-list; null for any, empty for none
 * @param idPrefix how the instance id begins
 * @param statuses statuses of the current execution; empty for any
 * @param orchestration name and version
 * @param lineage where it stands in a tree
 * @param created when it was created
 * @param completed when its current execution ended; one that has not ended passes {@link
 *     TimeRange#ANY} alone
 */
public record InstanceFilter(
    @Nullable List<String> instanceIds,
    String idPrefix,
    Set<ExecutionStatus> statuses,
    OrchestrationFilter orchestration,
    Lineage lineage,
    TimeRange created,
    TimeRange completed) {
  /** Every instance. */
  public static final InstanceFilter ALL =
      new InstanceFilter(
          null, "", Set.of(), OrchestrationFilter.ANY, Lineage.ANY, TimeRange.ANY, TimeRange.ANY);

  public InstanceFilter {
    instanceIds = instanceIds == null ? null : List.copyOf(instanceIds);
    Objects.requireNonNull(idPrefix, "idPrefix");
    statuses = Set.copyOf(statuses);
    Objects.requireNonNull(orchestration, "orchestration");
    Objects.requireNonNull(lineage, "lineage");
    Objects.requireNonNull(created, "created");
    Objects.requireNonNull(completed, "completed");
  }

  /** Exactly these, as far as they exist. */
  public static InstanceFilter ids(Collection<String> ids) {
    return new InstanceFilter(
        List.copyOf(ids),
        ALL.idPrefix,
        ALL.statuses,
        ALL.orchestration,
        ALL.lineage,
        ALL.created,
        ALL.completed);
  }

  /** Those that have not come to their end, also between two executions. */
  public static InstanceFilter running() {
    return ALL.withStatuses(ExecutionStatus.RUNNING, ExecutionStatus.CONTINUED_AS_NEW);
  }

  /** Those that completed or failed. */
  public static InstanceFilter finished() {
    return ALL.withStatuses(ExecutionStatus.COMPLETED, ExecutionStatus.FAILED);
  }

  public InstanceFilter withIdPrefix(String prefix) {
    return new InstanceFilter(
        instanceIds, prefix, statuses, orchestration, lineage, created, completed);
  }

  /** With one of these statuses. */
  public InstanceFilter withStatuses(ExecutionStatus first, ExecutionStatus... more) {
    return new InstanceFilter(
        instanceIds, idPrefix, EnumSet.of(first, more), orchestration, lineage, created, completed);
  }

  /** Of the orchestration with this name. */
  public InstanceFilter named(String name) {
    return of(OrchestrationFilter.named(name).withVersion(orchestration.version()));
  }

  /** Of orchestrations whose name begins like this. */
  public InstanceFilter withNamePrefix(String prefix) {
    return of(OrchestrationFilter.namePrefix(prefix).withVersion(orchestration.version()));
  }

  /** Whose current execution runs exactly this version. */
  public InstanceFilter withVersion(String version) {
    return of(orchestration.withVersion(version));
  }

  private InstanceFilter of(OrchestrationFilter newOrchestration) {
    return new InstanceFilter(
        instanceIds, idPrefix, statuses, newOrchestration, lineage, created, completed);
  }

  /** Without a parent that exists. */
  public InstanceFilter roots() {
    return of(Lineage.ROOTS);
  }

  /** Direct children of {@code parent}. */
  public InstanceFilter childrenOf(String parent) {
    return of(new Lineage.ChildrenOf(parent));
  }

  /** The instance {@code root} and all its descendants. */
  public InstanceFilter treeOf(String root) {
    return of(new Lineage.TreeOf(root));
  }

  private InstanceFilter of(Lineage newLineage) {
    return new InstanceFilter(
        instanceIds, idPrefix, statuses, orchestration, newLineage, created, completed);
  }

  public InstanceFilter createdFrom(Instant instant) {
    return withCreated(new TimeRange(instant, created.before()));
  }

  public InstanceFilter createdBefore(Instant instant) {
    return withCreated(new TimeRange(created.from(), instant));
  }

  private InstanceFilter withCreated(TimeRange range) {
    return new InstanceFilter(
        instanceIds, idPrefix, statuses, orchestration, lineage, range, completed);
  }

  public InstanceFilter completedFrom(Instant instant) {
    return withCompleted(new TimeRange(instant, completed.before()));
  }

  public InstanceFilter completedBefore(Instant instant) {
    return withCompleted(new TimeRange(completed.from(), instant));
  }

  private InstanceFilter withCompleted(TimeRange range) {
    return new InstanceFilter(
        instanceIds, idPrefix, statuses, orchestration, lineage, created, range);
  }
}
