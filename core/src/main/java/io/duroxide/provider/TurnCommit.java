package io.duroxide.provider;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Everything one turn changes.
 *
 * @param executionId the execution the events belong to
 * @param historyDelta events to append, in order
 * @param workerItems activities to queue, in order
 * @param orchestratorItems messages to queue, in order, for this or other instances
 * @param metadata what to note about the execution
 * @param cancelledActivities activities to remove from the worker queue, after the inserts
 * @param prune which past executions of the instance to delete; null for none. A prune that fails
 *     does not fail the commit
 */
public record TurnCommit(
    long executionId,
    List<Event> historyDelta,
    List<WorkItem> workerItems,
    List<WorkItem> orchestratorItems,
    ExecutionMetadata metadata,
    List<ActivityKey> cancelledActivities,
    @Nullable PruneOptions prune) {
  public TurnCommit {
    historyDelta = List.copyOf(historyDelta);
    workerItems = List.copyOf(workerItems);
    orchestratorItems = List.copyOf(orchestratorItems);
    Objects.requireNonNull(metadata, "metadata");
    cancelledActivities = List.copyOf(cancelledActivities);
  }

  /** Consumes the batch and changes nothing else. */
  public static TurnCommit nothing(long executionId) {
    return events(executionId, List.of(), ExecutionMetadata.NONE);
  }

  /** Appends events and notes metadata. */
  public static TurnCommit events(
      long executionId, List<Event> historyDelta, ExecutionMetadata metadata) {
    return new TurnCommit(
        executionId, historyDelta, List.of(), List.of(), metadata, List.of(), null);
  }

  /** Whether clients can see that it was made: by status, custom status or values. */
  public boolean isVisibleToClients() {
    return metadata.status() != null
        || metadata.orchestrationName() != null
        || historyDelta.stream().map(Event::kind).anyMatch(TurnCommit::isVisible);
  }

  private static boolean isVisible(EventKind kind) {
    return kind instanceof EventKind.CustomStatusUpdated
        || kind instanceof EventKind.KeyValueSet
        || kind instanceof EventKind.KeyValueCleared
        || kind instanceof EventKind.KeyValuesCleared;
  }

  public TurnCommit withWorkerItems(List<? extends WorkItem> items) {
    return new TurnCommit(
        executionId,
        historyDelta,
        List.copyOf(items),
        orchestratorItems,
        metadata,
        cancelledActivities,
        prune);
  }

  public TurnCommit withOrchestratorItems(List<? extends WorkItem> items) {
    return new TurnCommit(
        executionId,
        historyDelta,
        workerItems,
        List.copyOf(items),
        metadata,
        cancelledActivities,
        prune);
  }

  public TurnCommit withCancelledActivities(List<ActivityKey> activities) {
    return new TurnCommit(
        executionId, historyDelta, workerItems, orchestratorItems, metadata, activities, prune);
  }

  public TurnCommit withPrune(@Nullable PruneOptions options) {
    return new TurnCommit(
        executionId,
        historyDelta,
        workerItems,
        orchestratorItems,
        metadata,
        cancelledActivities,
        options);
  }
}
