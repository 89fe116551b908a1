package io.duroxide.model;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Why something failed, as stored and as sent from child to parent.
 *
 * <p>Only {@link Application} errors reach orchestration code; the other three end the
 * orchestration that receives them.
 */
public sealed interface ErrorDetails {

  /** Whether a later identical attempt may succeed. */
  boolean retryable();

  /** The one-line text that users, clients and parents see. */
  String displayMessage();

  /** Whether orchestration code may catch it. */
  default boolean reachesCode() {
    return this instanceof Application;
  }

  /** Trouble of the store or of the runtime. */
  record Infrastructure(String operation, String message, boolean retryable)
      implements ErrorDetails {
    @Override
    public String displayMessage() {
      return "infrastructure:" + operation + ": " + message;
    }
  }

  /** A deployment or code problem: nondeterminism, a version nobody can replay. */
  record Configuration(ConfigurationErrorKind kind, String resource, @Nullable String message)
      implements ErrorDetails {
    @Override
    public boolean retryable() {
      return false;
    }

    @Override
    public String displayMessage() {
      String text = message;
      return text == null ? kind.label() + " in " + resource : kind.label() + ": " + text;
    }
  }

  /** A failure of user code: an activity, an orchestration, or its cancellation. */
  record Application(
      ApplicationErrorKind kind, String message, boolean retryable, @Nullable Thrown thrown)
      implements ErrorDetails {
    public Application {
      Objects.requireNonNull(kind, "kind");
      Objects.requireNonNull(message, "message");
    }

    public Application(ApplicationErrorKind kind, String message) {
      this(kind, message, false, null);
    }

    @Override
    public String displayMessage() {
      return switch (kind) {
        case ApplicationErrorKind.ActivityFailed ignored -> message;
        case ApplicationErrorKind.OrchestrationFailed ignored -> message;
        case ApplicationErrorKind.Panicked ignored -> "orchestration panicked: " + message;
        case ApplicationErrorKind.Cancelled cancelled -> "canceled: " + cancelled.reason();
      };
    }
  }

  /** Something that was tried more often than allowed. */
  record Poison(int attemptCount, int maxAttempts, PoisonSubject subject, String message)
      implements ErrorDetails {
    @Override
    public boolean retryable() {
      return false;
    }

    @Override
    public String displayMessage() {
      return switch (subject) {
        case PoisonSubject.Orchestration o -> "poison: orchestration " + o.instance() + exceeded();
        case PoisonSubject.Activity a ->
            "poison: activity " + a.name() + "#" + a.activityId() + exceeded();
        case PoisonSubject.FailedDeserialization f ->
            "poison: orchestration %s history deserialization failed after %d attempts (max %d): %s"
                .formatted(f.instance(), attemptCount, maxAttempts, f.error());
      };
    }

    private String exceeded() {
      return " exceeded " + attemptCount + " attempts (max " + maxAttempts + ")";
    }
  }
}
