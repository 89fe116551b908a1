package io.duroxide.telemetry;

/** What went wrong between a node and its store. */
public enum StoreTrouble {
  /** Another transaction was in the way. */
  CONTENTION("deadlock"),
  TIMEOUT("timeout"),
  /** The store cannot be reached. */
  UNAVAILABLE("connection"),
  /** A lock had ended or was taken: how a node learns of a cancellation, not an error. */
  LOCK_LOST("lock_lost"),
  OTHER("other");

  private final String label;

  StoreTrouble(String label) {
    this.label = label;
  }

  /** The name in metrics. */
  public String label() {
    return label;
  }
}
