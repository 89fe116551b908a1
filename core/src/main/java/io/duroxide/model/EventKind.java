package io.duroxide.model;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What an {@link Event} says: one record for each kind, grouped by the part it plays in replay. */
public sealed interface EventKind {

  /** Begins or steers an execution; matches no action. */
  sealed interface Lifecycle extends EventKind {}

  /** Matches an action of the code and can be completed. */
  sealed interface Schedule extends EventKind {}

  /** Matches an action of the code and is never completed. */
  sealed interface Passive extends EventKind {}

  /** The outcome of a schedule, named by the event's source. */
  sealed interface Completion extends EventKind {}

  /** Something that came from outside and is recorded whether or not anyone waits. */
  sealed interface Arrival extends EventKind {}

  /** The record that a schedule, named by the event's source, is no longer needed. */
  sealed interface Decision extends EventKind {
    String reason();
  }

  /** Ends the execution; always the last event. */
  sealed interface Terminal extends EventKind {}

  /** Always event 1. */
  record OrchestrationStarted(
      String name,
      String version,
      String input,
      @Nullable ParentLink parent,
      Inheritance inheritance)
      implements Lifecycle {}

  /** A cancel was accepted; the turn that records it ends the execution. */
  record OrchestrationCancelRequested(String reason) implements Lifecycle {}

  record ActivityScheduled(
      String name, String input, @Nullable String sessionId, @Nullable String tag)
      implements Schedule {}

  record TimerCreated(Instant fireAt) implements Schedule {}

  /** A positional wait. */
  record ExternalSubscribed(String name) implements Schedule {}

  /** A dequeue; stored as {@code ExternalSubscribedPersistent}. */
  record QueueSubscribed(String name) implements Schedule {}

  /**
   * A child was requested.
   *
   * @param instance the suffix of a generated id, or the explicit id
   */
  record SubOrchestrationScheduled(String name, String instance, String input)
      implements Schedule {}

  /** The code asked for past executions to be pruned; answered in the same turn. */
  record HistoryPruneRequested(Retention retention) implements Schedule {}

  /**
   * An activity has a result.
   *
   * @param attempt the run that brought it; absent if it did not come from a worker
   */
  record ActivityCompleted(String result, @Nullable ActivityAttempt attempt) implements Completion {
    /** Without a run. */
    public ActivityCompleted(String result) {
      this(result, null);
    }
  }

  /**
   * An activity has failed.
   *
   * @param attempt the run that failed; absent if there was none, as for a poisoned activity
   */
  record ActivityFailed(ErrorDetails details, @Nullable ActivityAttempt attempt)
      implements Completion {
    /** Without a run. */
    public ActivityFailed(ErrorDetails details) {
      this(details, null);
    }
  }

  record TimerFired(Instant fireAt) implements Completion {}

  record SubOrchestrationCompleted(String result) implements Completion {}

  record SubOrchestrationFailed(ErrorDetails details) implements Completion {}

  /**
   * Past executions were pruned.
   *
   * @param keepLast how many were kept by count, as the node's floor had it
   * @param completedBefore before when they must have ended, as the node's floor had it
   * @param error why nothing was pruned; absent if all went well
   */
  record HistoryPruned(
      long executionsDeleted,
      long eventsDeleted,
      @Nullable Integer keepLast,
      @Nullable Instant completedBefore,
      @Nullable String error)
      implements Completion {}

  /** A positional arrival. */
  record ExternalEvent(String name, String data) implements Arrival {}

  /** A queue message; stored as {@code ExternalEventPersistent}. */
  record QueueEventDelivered(String name, String data) implements Arrival {}

  record ActivityCancelRequested(String reason) implements Decision {}

  record SubOrchestrationCancelRequested(String reason) implements Decision {}

  record ExternalSubscribedCancelled(String reason) implements Decision {}

  /** A dequeue was given up; stored as {@code ExternalSubscribedPersistentCancelled}. */
  record QueueSubscriptionCancelled(String reason) implements Decision {}

  /** A detached start. */
  record OrchestrationChained(String name, String instance, String input) implements Passive {}

  /**
   * The custom status changed.
   *
   * @param status the new text, absent after a reset
   */
  record CustomStatusUpdated(@Nullable String status) implements Passive {}

  record KeyValueSet(String key, String value, Instant lastUpdatedAt) implements Passive {}

  record KeyValueCleared(String key) implements Passive {}

  record KeyValuesCleared() implements Passive {}

  record OrchestrationCompleted(String output) implements Terminal {}

  record OrchestrationFailed(ErrorDetails details) implements Terminal {}

  /**
   * The instance goes on with the next execution.
   *
   * @param prune which past executions the next one keeps; absent if the code did not say
   */
  record OrchestrationContinuedAsNew(String input, @Nullable Retention prune) implements Terminal {
    /** Without pruning. */
    public OrchestrationContinuedAsNew(String input) {
      this(input, null);
    }
  }
}
