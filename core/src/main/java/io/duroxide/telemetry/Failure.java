package io.duroxide.telemetry;

import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.PoisonSubject;
import java.util.Locale;
import java.util.Objects;

/**
 * Why something failed, sorted for metrics and logs.
 *
 * @param category a finer name within the kind
 */
public record Failure(Kind kind, String category, ErrorDetails details) {
  public Failure {
    Objects.requireNonNull(kind, "kind");
    Objects.requireNonNull(category, "category");
    Objects.requireNonNull(details, "details");
  }

  /** The kinds that operators react to differently. */
  public enum Kind {
    APPLICATION("app_error"),
    INFRASTRUCTURE("infrastructure_error"),
    CONFIGURATION("config_error"),
    POISON("poison"),
    CANCELLED("cancelled"),
    /** The turn wanted to store more than it may. */
    LIMIT("limit");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    /** The name in metrics and logs. */
    public String label() {
      return label;
    }
  }

  /** Sorts an error by what it says. */
  public static Failure of(ErrorDetails details) {
    return switch (details) {
      case ErrorDetails.Application a -> application(a);
      case ErrorDetails.Infrastructure i -> new Failure(Kind.INFRASTRUCTURE, i.operation(), i);
      case ErrorDetails.Configuration c ->
          new Failure(Kind.CONFIGURATION, c.kind().name().toLowerCase(Locale.ROOT), c);
      case ErrorDetails.Poison p -> new Failure(Kind.POISON, subject(p.subject()), p);
    };
  }

  /** A turn that stored more than it may; the recorded error does not tell it from others. */
  public static Failure limit(ErrorDetails details) {
    return new Failure(Kind.LIMIT, "limit", details);
  }

  private static Failure application(ErrorDetails.Application details) {
    return switch (details.kind()) {
      case ApplicationErrorKind.ActivityFailed ignored ->
          new Failure(Kind.APPLICATION, "activity_failed", details);
      case ApplicationErrorKind.OrchestrationFailed ignored ->
          new Failure(Kind.APPLICATION, "orchestration_failed", details);
      case ApplicationErrorKind.Panicked ignored ->
          new Failure(Kind.APPLICATION, "panicked", details);
      case ApplicationErrorKind.Cancelled ignored ->
          new Failure(Kind.CANCELLED, "cancelled", details);
    };
  }

  private static String subject(PoisonSubject subject) {
    return switch (subject) {
      case PoisonSubject.Orchestration ignored -> "orchestration";
      case PoisonSubject.Activity ignored -> "activity";
      case PoisonSubject.FailedDeserialization ignored -> "deserialization";
    };
  }
}
