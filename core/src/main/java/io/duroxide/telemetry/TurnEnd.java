package io.duroxide.telemetry;

/** What came of an instance that was fetched for a turn. */
public enum TurnEnd {
  /** Committed; the execution waits. */
  WAITING("waiting"),
  COMPLETED("completed"),
  FAILED("failed"),
  CANCELLED("cancelled"),
  CONTINUED_AS_NEW("continued_as_new"),
  /** Its messages were consumed and changed nothing. */
  DRAINED("drained"),
  /** Not committed; the instance was given back or its lock was lost. */
  HANDED_BACK("handed_back");

  private final String label;

  TurnEnd(String label) {
    this.label = label;
  }

  /** The name in metrics. */
  public String label() {
    return label;
  }
}
