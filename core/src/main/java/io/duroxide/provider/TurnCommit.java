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
 * @param withdrawn activities and timers to take back. A commit whose status ends its execution
 *     removes all timers of the execution besides
 * @param rules what the store shall do for the instance as a whole
 */
public record TurnCommit(
    long executionId,
    List<Event> historyDelta,
    List<WorkItem> workerItems,
    List<WorkItem> orchestratorItems,
    ExecutionMetadata metadata,
    WithdrawnWork withdrawn,
    InstanceRules rules) {
  public TurnCommit {
    historyDelta = List.copyOf(historyDelta);
    workerItems = List.copyOf(workerItems);
    orchestratorItems = List.copyOf(orchestratorItems);
    Objects.requireNonNull(metadata, "metadata");
    Objects.requireNonNull(withdrawn, "withdrawn");
    Objects.requireNonNull(rules, "rules");
  }

  /** Consumes the batch and changes nothing else. */
  public static TurnCommit nothing(long executionId) {
    return events(executionId, List.of(), ExecutionMetadata.NONE);
  }

  /** Appends events and notes metadata. */
  public static TurnCommit events(
      long executionId, List<Event> historyDelta, ExecutionMetadata metadata) {
    return new TurnCommit(
        executionId,
        historyDelta,
        List.of(),
        List.of(),
        metadata,
        WithdrawnWork.NOTHING,
        InstanceRules.NONE);
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
        withdrawn,
        rules);
  }

  public TurnCommit withOrchestratorItems(List<? extends WorkItem> items) {
    return new TurnCommit(
        executionId, historyDelta, workerItems, List.copyOf(items), metadata, withdrawn, rules);
  }

  public CancelledActivities cancelled() {
    return withdrawn.activities();
  }

  /** The cancelled activities that are named. */
  public List<ActivityKey> cancelledActivities() {
    return cancelled().listed();
  }

  public TurnCommit withCancelledActivities(List<ActivityKey> activities) {
    return withCancelled(CancelledActivities.of(activities));
  }

  public TurnCommit withCancelled(CancelledActivities activities) {
    return withWithdrawn(new WithdrawnWork(activities, withdrawn.timers()));
  }

  public TurnCommit withWithdrawnTimers(List<Long> timers) {
    return withWithdrawn(new WithdrawnWork(withdrawn.activities(), timers));
  }

  private TurnCommit withWithdrawn(WithdrawnWork work) {
    return new TurnCommit(
        executionId, historyDelta, workerItems, orchestratorItems, metadata, work, rules);
  }

  /** Which past executions of the instance to delete; null for none. */
  public @Nullable PruneOptions prune() {
    return rules.prune();
  }

  public TurnCommit withPrune(@Nullable PruneOptions options) {
    return withRules(new InstanceRules(options, rules.mailboxes(), rules.mustBeEmpty()));
  }

  /** How much of the instance's mailboxes is delivered from now on. */
  public MailboxRules mailboxes() {
    return rules.mailboxes();
  }

  public TurnCommit withMailboxes(MailboxRules mailboxes) {
    return withRules(new InstanceRules(rules.prune(), mailboxes, rules.mustBeEmpty()));
  }

  /** Queues for which no visible message may be left; otherwise the commit is refused. */
  public List<String> mustBeEmpty() {
    return rules.mustBeEmpty();
  }

  public TurnCommit withMustBeEmpty(List<String> queues) {
    return withRules(new InstanceRules(rules.prune(), rules.mailboxes(), queues));
  }

  private TurnCommit withRules(InstanceRules newRules) {
    return new TurnCommit(
        executionId, historyDelta, workerItems, orchestratorItems, metadata, withdrawn, newRules);
  }
}
