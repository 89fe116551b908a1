package io.duroxide.telemetry;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Something that happened to an execution of an orchestration. */
public sealed interface ExecutionEvent extends TelemetryEvent {
  ExecutionRef execution();

  /**
   * The first turn of an execution was committed.
   *
   * @param at when it began, on the store's clock
   */
  record Started(ExecutionRef execution, Initiator initiator, Instant at)
      implements ExecutionEvent {}

  /**
   * An instance that was fetched has been dealt with.
   *
   * @param took from the fetch to the commit
   * @param at when it was over, on the store's clock
   */
  record TurnFinished(ExecutionRef execution, TurnEnd end, TurnWork work, Duration took, Instant at)
      implements ExecutionEvent {}

  /**
   * What a turn had to do.
   *
   * @param messages how many messages it was given
   * @param replayed how many recorded events it had to read again; 0 for a kept execution
   * @param recorded how many events it added
   * @param kept whether the execution had stayed in memory
   * @param overdue for how long its earliest timer had been due; absent without a timer
   */
  record TurnWork(
      int messages, int replayed, int recorded, boolean kept, @Nullable Duration overdue) {}

  /**
   * The last turn of an execution was committed.
   *
   * @param failure why; for {@link Ending#FAILED} and {@link Ending#CANCELLED}
   * @param totals absent if this node does not know how the execution began
   * @param at when it ended, on the store's clock
   */
  record Ended(
      ExecutionRef execution,
      Ending ending,
      @Nullable Failure failure,
      @Nullable Totals totals,
      Instant at)
      implements ExecutionEvent {}

  /**
   * An execution from its first to its last turn.
   *
   * @param turns committed turns that recorded something
   * @param events the length of its history
   */
  record Totals(Instant startedAt, int turns, long events) {}

  /**
   * A child that an execution asked for has answered, or was given up.
   *
   * @param execution the parent
   */
  record ChildEnded(
      ExecutionRef execution, Child child, ChildEnd end, Instant scheduledAt, Instant at)
      implements ExecutionEvent {}

  /**
   * A child as its parent knows it.
   *
   * @param scheduleId the parent's event that asked for it
   */
  record Child(long scheduleId, String orchestration, String instance) {}

  /** What a parent learnt of a child. */
  enum ChildEnd {
    COMPLETED("success"),
    FAILED("failed"),
    /** The parent no longer wants it. */
    CANCELLED("cancelled");

    private final String label;

    ChildEnd(String label) {
      this.label = label;
    }

    /** The name in metrics. */
    public String label() {
      return label;
    }
  }

  /**
   * An execution started an instance without waiting for it.
   *
   * @param execution the one that started it
   */
  record DetachedStart(ExecutionRef execution, String orchestration, String instance, Instant at)
      implements ExecutionEvent {}

  /**
   * An execution was given back because it is pinned to a framework version this node cannot
   * replay.
   */
  record VersionRefused(ExecutionRef execution, String pinned, int attempt)
      implements ExecutionEvent {}
}
