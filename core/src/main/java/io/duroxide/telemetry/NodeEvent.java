package io.duroxide.telemetry;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Something that happened to a node as such. */
public sealed interface NodeEvent extends TelemetryEvent {

  /** A runtime starts; told before it fetches anything. */
  record Started(String nodeId, NodeVitals vitals) implements NodeEvent {}

  /**
   * A runtime has stopped.
   *
   * @param clean whether nothing had to be interrupted
   */
  record Stopped(String nodeId, NodeVitals vitals, boolean clean) implements NodeEvent {}

  /**
   * A fetch came back.
   *
   * @param items how many it brought; 0 if there was nothing
   */
  record Fetched(WorkQueue queue, int items) implements NodeEvent {}

  /** A fetch failed; it will be tried again. */
  record FetchFailed(WorkQueue queue, StoreTrouble trouble) implements NodeEvent {}

  /** A commit met a passing error and is tried again. */
  record CommitRetried(WorkQueue queue, StoreTrouble trouble) implements NodeEvent {}

  /**
   * A lock could not be renewed.
   *
   * @param lost whether it is given up; else the renewal is tried again
   */
  record RenewalFailed(LockKind lock, StoreTrouble trouble, boolean lost) implements NodeEvent {}

  /** What is locked. */
  enum LockKind {
    ORCHESTRATION("orchestration"),
    ACTIVITY("activity"),
    SESSION("session");

    private final String label;

    LockKind(String label) {
      this.label = label;
    }

    /** The name in metrics. */
    public String label() {
      return label;
    }
  }

  /**
   * Work was given back because this node has no handler for it.
   *
   * @param queue tells orchestrations from activities
   * @param version of an orchestration; absent for the latest, and for activities
   */
  record HandlerMissing(
      WorkQueue queue, String name, @Nullable String version, int attempt, Duration pause)
      implements NodeEvent {}

  /** A turn was thrown away; what caused it causes another one. */
  record TurnInVain(VainReason reason) implements NodeEvent {}

  /** Why a turn was thrown away. */
  enum VainReason {
    /** Something else came for the instance first. */
    RACE("race"),
    /** It would have ended the execution, but a message came that has to be read first. */
    MAIL("mail"),
    /** The lock of the instance was lost. */
    LOCK_LOST("lock_lost"),
    /** The store did not take it. */
    STORE("store"),
    /** The client that started the instance does not wait so long for its first turn. */
    SLOW("slow"),
    /** The runtime was closed. */
    CLOSED("closed");

    private final String label;

    VainReason(String label) {
      this.label = label;
    }

    /** The name in metrics. */
    public String label() {
      return label;
    }
  }

  /** Executions that waited in memory made room for others. */
  record Evicted(int executions) implements NodeEvent {}

  /**
   * A session came to this node.
   *
   * @param again whether this node has served it before
   */
  record SessionClaimed(boolean again) implements NodeEvent {}

  /**
   * The store's clock was set back.
   *
   * @param back by how much
   */
  record ClockWentBack(Duration back) implements NodeEvent {}

  /** Messages that reached nobody. */
  record MessagesDropped(DropReason reason, long messages) implements NodeEvent {}

  /** Why a message reached nobody. */
  enum DropReason {
    /** It repeats an outcome, or belongs to another execution. */
    STALE("stale"),
    /** The instance has ended. */
    INSTANCE_ENDED("instance_ended"),
    /** Its instance did not exist when its turn came. */
    NEVER_STARTED("never_started"),
    /** Its instance did not start within the time that orphans are kept. */
    ORPHAN_EXPIRED("orphan_expired"),
    /** More unconsumed queue messages than a continue-as-new carries. */
    CARRY_LIMIT("carry_limit");

    private final String label;

    DropReason(String label) {
      this.label = label;
    }

    /** The name in metrics. */
    public String label() {
      return label;
    }
  }
}
