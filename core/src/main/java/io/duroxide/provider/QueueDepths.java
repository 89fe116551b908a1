package io.duroxide.provider;

import java.util.Objects;

/**
 * What waits in the store.
 *
 * @param orchestrator messages; timers that are not due are delayed
 * @param worker activities; those that run are locked
 */
public record QueueDepths(QueueDepth orchestrator, QueueDepth worker) {
  public static final QueueDepths EMPTY = new QueueDepths(QueueDepth.EMPTY, QueueDepth.EMPTY);

  public QueueDepths {
    Objects.requireNonNull(orchestrator, "orchestrator");
    Objects.requireNonNull(worker, "worker");
  }
}
