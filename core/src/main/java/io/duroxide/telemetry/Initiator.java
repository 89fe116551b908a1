package io.duroxide.telemetry;

/** Who began an execution. */
public enum Initiator {
  CLIENT("client"),
  /** A parent that waits for it. */
  PARENT("suborchestration"),
  /** The execution before it. */
  CONTINUE_AS_NEW("continueAsNew"),
  /** An orchestration that does not wait for it. */
  DETACHED("detached");

  private final String label;

  Initiator(String label) {
    this.label = label;
  }

  /** The name in metrics. */
  public String label() {
    return label;
  }
}
