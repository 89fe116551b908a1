package io.duroxide.codec;

import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ConfigurationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.PoisonSubject;
import io.duroxide.model.Thrown;
import org.jspecify.annotations.Nullable;

/** The stored form of {@link ErrorDetails}: an object inside the event or work item. */
final class ErrorDetailsForm {
  private ErrorDetailsForm() {}

  /** Adds the fields of {@code details} to the object that {@code out} has open. */
  static void write(ErrorDetails details, FieldWriter out) {
    switch (details) {
      case ErrorDetails.Infrastructure e ->
          out.text("category", "Infrastructure")
              .text("operation", e.operation())
              .text("message", e.message())
              .flag("retryable", e.retryable());
      case ErrorDetails.Configuration e ->
          out.text("category", "Configuration")
              .text("kind", e.kind().stored())
              .text("resource", e.resource())
              .optionalText("message", e.message());
      case ErrorDetails.Application e -> writeApplication(e, out);
      case ErrorDetails.Poison e -> writePoison(e, out);
    }
  }

  static ErrorDetails read(FieldReader in) {
    return switch (in.text("category")) {
      case "Infrastructure" ->
          new ErrorDetails.Infrastructure(
              in.text("operation"), in.text("message"), in.flag("retryable"));
      case "Configuration" ->
          new ErrorDetails.Configuration(
              configurationKind(in), in.text("resource"), in.optionalText("message"));
      case "Application" ->
          new ErrorDetails.Application(
              applicationKind(in), in.text("message"), in.flag("retryable"), thrown(in));
      case "Poison" ->
          new ErrorDetails.Poison(
              in.count("attempt_count"),
              in.count("max_attempts"),
              poisonSubject(in),
              in.text("message"));
      default -> throw in.unknown("category");
    };
  }

  private static void writeApplication(ErrorDetails.Application e, FieldWriter out) {
    out.text("category", "Application")
        .text("kind", name(e.kind()))
        .text("message", e.message())
        .flag("retryable", e.retryable());
    if (e.kind() instanceof ApplicationErrorKind.Cancelled cancelled) {
      out.text("reason", cancelled.reason());
    }
    Thrown thrown = e.thrown();
    if (thrown != null) {
      out.text("exception_class", thrown.className()).optionalText("payload", thrown.payload());
    }
  }

  private static String name(ApplicationErrorKind kind) {
    return switch (kind) {
      case ApplicationErrorKind.ActivityFailed ignored -> "ActivityFailed";
      case ApplicationErrorKind.OrchestrationFailed ignored -> "OrchestrationFailed";
      case ApplicationErrorKind.Panicked ignored -> "Panicked";
      case ApplicationErrorKind.Cancelled ignored -> "Cancelled";
    };
  }

  private static ApplicationErrorKind applicationKind(FieldReader in) {
    return switch (in.text("kind")) {
      case "ActivityFailed" -> ApplicationErrorKind.ACTIVITY_FAILED;
      case "OrchestrationFailed" -> ApplicationErrorKind.ORCHESTRATION_FAILED;
      case "Panicked" -> ApplicationErrorKind.PANICKED;
      case "Cancelled" -> new ApplicationErrorKind.Cancelled(in.text("reason"));
      default -> throw in.unknown("kind");
    };
  }

  private static @Nullable Thrown thrown(FieldReader in) {
    String className = in.optionalText("exception_class");
    return className == null ? null : new Thrown(className, in.optionalText("payload"));
  }

  private static ConfigurationErrorKind configurationKind(FieldReader in) {
    String stored = in.text("kind");
    for (ConfigurationErrorKind kind : ConfigurationErrorKind.values()) {
      if (kind.stored().equals(stored)) {
        return kind;
      }
    }
    throw in.unknown("kind");
  }

  private static void writePoison(ErrorDetails.Poison e, FieldWriter out) {
    out.text("category", "Poison")
        .number("attempt_count", e.attemptCount())
        .number("max_attempts", e.maxAttempts());
    switch (e.subject()) {
      case PoisonSubject.Orchestration s ->
          subject(out, "Orchestration", s.instance(), s.executionId());
      case PoisonSubject.Activity s ->
          subject(out, "Activity", s.instance(), s.executionId())
              .text("activity_name", s.name())
              .number("activity_id", s.activityId());
      case PoisonSubject.FailedDeserialization s ->
          subject(out, "FailedDeserialization", s.instance(), s.executionId())
              .text("error", s.error());
    }
    out.text("message", e.message());
  }

  private static FieldWriter subject(
      FieldWriter out, String type, String instance, long executionId) {
    return out.text("message_type", type)
        .text("instance", instance)
        .number("execution_id", executionId);
  }

  private static PoisonSubject poisonSubject(FieldReader in) {
    return switch (in.text("message_type")) {
      case "Orchestration" ->
          new PoisonSubject.Orchestration(in.text("instance"), in.number("execution_id"));
      case "Activity" ->
          new PoisonSubject.Activity(
              in.text("instance"),
              in.number("execution_id"),
              in.text("activity_name"),
              in.number("activity_id"));
      case "FailedDeserialization" ->
          new PoisonSubject.FailedDeserialization(
              in.text("instance"), in.number("execution_id"), in.text("error"));
      default -> throw in.unknown("message_type");
    };
  }
}
