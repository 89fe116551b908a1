package io.duroxide.provider;

import io.duroxide.model.WorkItem;

/** A node of this process that may begin instances as they are started. */
@FunctionalInterface
public interface Starter {
  /**
   * Stores the instance with its first turn by {@link Provider#ackStart}, if it can do so at once.
   * False if it was not stored as far as this node knows; then the start goes to the queue, which
   * does no harm even if it was.
   */
  boolean begin(WorkItem.StartOrchestration start);
}
