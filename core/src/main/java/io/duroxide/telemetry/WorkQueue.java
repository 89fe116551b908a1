package io.duroxide.telemetry;

/** One of the two queues of a store. */
public enum WorkQueue {
  ORCHESTRATOR("orchestrator"),
  WORKER("worker");

  private final String label;

  WorkQueue(String label) {
    this.label = label;
  }

  /** The name in metrics. */
  public String label() {
    return label;
  }
}
