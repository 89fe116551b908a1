package io.duroxide.model;

/** Which part of user code failed. */
public sealed interface ApplicationErrorKind {
  ApplicationErrorKind ACTIVITY_FAILED = new ActivityFailed();
  ApplicationErrorKind ORCHESTRATION_FAILED = new OrchestrationFailed();
  ApplicationErrorKind PANICKED = new Panicked();

  record ActivityFailed() implements ApplicationErrorKind {}

  record OrchestrationFailed() implements ApplicationErrorKind {}

  /** Orchestration code ended with an exception it did not mean to report. */
  record Panicked() implements ApplicationErrorKind {}

  record Cancelled(String reason) implements ApplicationErrorKind {}
}
