package io.duroxide.telemetry;

/** What came of an activity that was fetched. */
public enum ActivityOutcome {
  SUCCESS("success"),
  /** The handler failed, and that was reported. */
  APPLICATION_ERROR("app_error"),
  /** The handler ended, but the store did not take its outcome; it will run again. */
  INFRASTRUCTURE_ERROR("infra_error"),
  /** This node has no handler for it, or cannot decode it; it was given back. */
  CONFIGURATION_ERROR("config_error"),
  /** Its outcome was no longer wanted. */
  CANCELLED("cancelled"),
  /** It had been tried too often and was failed without running. */
  POISON("poison"),
  /** This node stops; another will run it again. */
  HANDED_OVER("handed_over");

  private final String label;

  ActivityOutcome(String label) {
    this.label = label;
  }

  /** The name in metrics and logs. */
  public String label() {
    return label;
  }
}
