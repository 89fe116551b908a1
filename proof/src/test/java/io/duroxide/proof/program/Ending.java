package io.duroxide.proof.program;

import io.duroxide.client.OrchestrationStatus;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import org.jspecify.annotations.Nullable;

/** How an instance ends. */
public sealed interface Ending {

  record Completed(String output) implements Ending {}

  /**
   * It failed.
   *
   * @param text what a client reads
   * @param thrown the class of the exception; null if it was none
   */
  record Failed(String text, @Nullable String thrown) implements Ending {}

  /**
   * It was cancelled.
   *
   * @param reason null if any
   */
  record Cancelled(@Nullable String reason) implements Ending {}

  /** It has not ended. */
  record Open(String status) implements Ending {}

  /** How an instance ended really. */
  static Ending of(OrchestrationStatus status) {
    return switch (status) {
      case OrchestrationStatus.NotFound ignored -> new Open("not found");
      case OrchestrationStatus.Running ignored -> new Open("running");
      case OrchestrationStatus.Completed completed -> new Completed(completed.output());
      case OrchestrationStatus.Failed failed -> of(failed.details());
    };
  }

  private static Ending of(ErrorDetails details) {
    if (details instanceof ErrorDetails.Application application) {
      if (application.kind() instanceof ApplicationErrorKind.Cancelled cancelled) {
        return new Cancelled(cancelled.reason());
      }
      return new Failed(
          application.displayMessage(),
          application.thrown() == null ? null : application.thrown().className());
    }
    return new Failed(details.displayMessage(), null);
  }

  /** Whether this prediction allows what happened. */
  default boolean allows(Ending happened) {
    boolean anyReason = this instanceof Cancelled cancelled && cancelled.reason() == null;
    return anyReason ? happened instanceof Cancelled : equals(happened);
  }
}
