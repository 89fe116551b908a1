package io.duroxide.client;

import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.provider.CustomStatus;

/** How an instance stands. */
public sealed interface OrchestrationStatus {

  /** What the instance says of itself. */
  CustomStatus customStatus();

  /** Nothing was committed under this id yet. */
  record NotFound() implements OrchestrationStatus {
    @Override
    public CustomStatus customStatus() {
      return new CustomStatus(null, 0);
    }
  }

  /** It has started and not ended, also between two executions. */
  record Running(CustomStatus customStatus) implements OrchestrationStatus {}

  record Completed(String output, CustomStatus customStatus) implements OrchestrationStatus {}

  record Failed(ErrorDetails details, CustomStatus customStatus) implements OrchestrationStatus {
    /** Whether it was cancelled. */
    public boolean isCancelled() {
      return details instanceof ErrorDetails.Application application
          && application.kind() instanceof ApplicationErrorKind.Cancelled;
    }
  }

  /** Whether it has ended. */
  default boolean isTerminal() {
    return this instanceof Completed || this instanceof Failed;
  }
}
