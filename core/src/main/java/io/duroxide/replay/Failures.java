package io.duroxide.replay;

import io.duroxide.api.DataConversionException;
import io.duroxide.api.DataConverter;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.api.TaskFailedException;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.TextLimit;
import io.duroxide.model.Thrown;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** What is recorded for an exception that ended orchestration code. */
final class Failures {
  private Failures() {}

  static boolean isDeliberate(Throwable thrown) {
    return thrown instanceof OrchestrationFailure;
  }

  static Finish of(Throwable thrown, DataConverter converter) {
    if (thrown instanceof OrchestrationFailure failure) {
      return new Finish.Failed(
          new ErrorDetails.Application(
              ApplicationErrorKind.ORCHESTRATION_FAILED,
              TextLimit.remark(text(failure)),
              false,
              origin(failure, converter)));
    }
    Throwable cause = thrown;
    if (thrown instanceof CompletionException && thrown.getCause() != null) {
      cause = thrown.getCause();
    }
    return new Finish.Panicked(panic(describe(cause), cause));
  }

  static ErrorDetails.Application blocked(Watchdog.BlockedCode blocked) {
    return panic(text(blocked), null);
  }

  private static ErrorDetails.Application panic(String message, @Nullable Throwable cause) {
    return new ErrorDetails.Application(
        ApplicationErrorKind.PANICKED,
        TextLimit.remark(message),
        false,
        cause == null ? null : new Thrown(cause.getClass().getName(), null));
  }

  /** A failure that passes through keeps the class and payload it began with. */
  private static @Nullable Thrown origin(OrchestrationFailure failure, DataConverter converter) {
    if (failure instanceof TaskFailedException task) {
      return task.details().thrown();
    }
    Object payload = failure.attachedPayload();
    return new Thrown(
        failure.getClass().getName(), payload == null ? null : encode(payload, converter));
  }

  private static @Nullable String encode(Object payload, DataConverter converter) {
    try {
      return converter.encode(payload);
    } catch (DataConversionException e) {
      return null;
    }
  }

  private static String text(Throwable thrown) {
    String message = thrown.getMessage();
    return message == null ? thrown.getClass().getName() : message;
  }

  private static String describe(Throwable thrown) {
    String message = thrown.getMessage();
    String name = thrown.getClass().getName();
    return message == null ? name : name + ": " + message;
  }
}
