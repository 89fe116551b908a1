package io.duroxide.model;

/** The state of one execution, as stored. */
public enum ExecutionStatus {
  RUNNING("Running"),
  COMPLETED("Completed"),
  FAILED("Failed"),
  CONTINUED_AS_NEW("ContinuedAsNew");

  private final String stored;

  ExecutionStatus(String stored) {
    this.stored = stored;
  }

  /** The text a provider stores. */
  public String stored() {
    return stored;
  }

  /** Whether the execution has ended. */
  public boolean isTerminal() {
    return this != RUNNING;
  }

  /** Whether the instance has ended with it; after a continue-as-new it goes on. */
  public boolean endsInstance() {
    return this == COMPLETED || this == FAILED;
  }

  /** The status stored as {@code text}. */
  public static ExecutionStatus ofStored(String text) {
    for (ExecutionStatus status : values()) {
      if (status.stored.equals(text)) {
        return status;
      }
    }
    throw new IllegalArgumentException("no execution status is stored as '" + text + "'");
  }
}
