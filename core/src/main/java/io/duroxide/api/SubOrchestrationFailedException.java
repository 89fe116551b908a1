package io.duroxide.api;

import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;

/** A child orchestration failed or was cancelled. */
public final class SubOrchestrationFailedException extends TaskFailedException {
  private static final long serialVersionUID = 1L;

  public SubOrchestrationFailedException(
      String orchestration, ErrorDetails.Application details, DataConverter converter) {
    super(orchestration, details, converter);
  }

  /** Whether the child was cancelled. */
  public boolean isCancelled() {
    return details().kind() instanceof ApplicationErrorKind.Cancelled;
  }
}
