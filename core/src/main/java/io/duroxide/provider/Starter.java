package io.duroxide.provider;

import io.duroxide.model.WorkItem;

/** A node of this process that may begin instances as they are started. */
@FunctionalInterface
public interface Starter {
  /** What became of a start. */
  enum Answer {
    /** The instance is stored with its first turn. */
    STORED,
    /** No code ran; another node may be asked. */
    DECLINED,
    /** It was not stored as far as this node knows; no other node is asked. */
    NOT_STORED
  }

  /**
   * Stores the instance with its first turn ({@link TurnSource.NewInstance}), if it can do so soon.
   * What is not {@link Answer#STORED} goes to the queue, which does no harm even if it was stored.
   */
  Answer begin(WorkItem.StartOrchestration start);
}
