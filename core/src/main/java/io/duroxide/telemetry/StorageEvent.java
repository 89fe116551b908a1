package io.duroxide.telemetry;

import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Something about the store. */
public sealed interface StorageEvent extends TelemetryEvent {

  /**
   * A call that the store answered.
   *
   * @param operation the method's name, such as {@code commitTurn}
   * @param took how long the store worked; absent when the call may have waited for work
   * @param trouble what went wrong; absent on success
   * @param rows how many items it returned or counted; -1 for calls that return none
   */
  record Called(
      String operation,
      @Nullable Duration took,
      Result result,
      @Nullable StoreTrouble trouble,
      int rows)
      implements StorageEvent {}

  /** How a call ended. */
  enum Result {
    /** Done; if it was asked for items, it had some. */
    DONE,
    /** It was asked for items and had none. */
    EMPTY,
    FAILED
  }

  /**
   * The store was counted. Told before a runtime fetches anything, and then from time to time.
   *
   * @param running instances that have not ended
   * @param orchestratorDelayed messages that are not due yet, timers for the most part
   * @param workerDelayed activities that were given back and rest
   */
  record Measured(
      long running,
      long orchestratorReady,
      long orchestratorDelayed,
      long orchestratorLocked,
      long workerReady,
      long workerDelayed,
      long workerLocked)
      implements StorageEvent {}

  /**
   * A node looked for ready work that no live node can run. Told from time to time, also if there
   * is none.
   */
  record Stranded(long turns, long activities) implements StorageEvent {}

  /**
   * Activities that are ready and wait for a node. Told from time to time, also if there are none.
   *
   * @param byTag how many of each tag; those without one under {@link #NO_TAG}
   */
  record Waiting(Map<String, Long> byTag) implements StorageEvent {
    /** Stands for activities without a tag. */
    public static final String NO_TAG = "default";

    public Waiting {
      byTag = Map.copyOf(byTag);
    }
  }

  /**
   * History was pruned.
   *
   * @param orchestration whose; {@code unknown} for a bulk operation
   * @param took absent if it was part of a commit
   * @param error why nothing was deleted; absent on success
   */
  record Pruned(
      PruneSource source,
      String orchestration,
      long executions,
      long events,
      @Nullable Duration took,
      @Nullable String error)
      implements StorageEvent {}

  /** Who asked for pruning. */
  enum PruneSource {
    OPERATION("operation"),
    CONTINUE_AS_NEW("continue_as_new"),
    INSTANCE("instance"),
    REGISTRATION("registration"),
    RUNTIME("runtime"),
    SWEEP("sweep"),
    CLIENT("client");

    private final String label;

    PruneSource(String label) {
      this.label = label;
    }

    /** The name in metrics. */
    public String label() {
      return label;
    }
  }

  /** Orphaned instances were deleted. */
  record OrphansCleaned(OrphanKind kind, long instances) implements StorageEvent {}

  /** What became of an orphan's parent. */
  enum OrphanKind {
    PARENT_DELETED("parent_deleted"),
    PARENT_ENDED("parent_ended"),
    PARENT_MOVED_ON("parent_moved_on");

    private final String label;

    OrphanKind(String label) {
      this.label = label;
    }

    /** The name in metrics. */
    public String label() {
      return label;
    }
  }
}
