package io.duroxide.telemetry;

/** How an execution ended. */
public enum Ending {
  COMPLETED("success"),
  FAILED("failed"),
  CANCELLED("cancelled"),
  CONTINUED_AS_NEW("continuedAsNew");

  private final String label;

  Ending(String label) {
    this.label = label;
  }

  /** The name in metrics. */
  public String label() {
    return label;
  }

  /** Whether the instance ended too. */
  public boolean endsInstance() {
    return this != CONTINUED_AS_NEW;
  }
}
