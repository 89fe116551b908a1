package io.duroxide.provider.tck;

/** The two queues of a store. */
public enum QueueName {
  ORCHESTRATOR,
  WORKER
}
