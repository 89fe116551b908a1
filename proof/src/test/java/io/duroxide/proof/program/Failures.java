package io.duroxide.proof.program;

import io.duroxide.api.Outcome;
import io.duroxide.api.TaskFailedException;

/** How programs note failures. */
final class Failures {
  private Failures() {}

  static String text(RuntimeException failure) {
    String payload = "";
    if (failure instanceof TaskFailedException task && task.is(ProgramFailure.class)) {
      payload = task.payload(Amount.class).map(Amount::toString).orElse("nothing");
    }
    return text(failure.getClass().getSimpleName(), String.valueOf(failure.getMessage()), payload);
  }

  static String text(String type, String message, String payload) {
    return "!" + type + ": " + message + payload;
  }

  static String outcome(Outcome<String> outcome) {
    return switch (outcome) {
      case Outcome.Success<String>(String value) -> value;
      case Outcome.Failure<String>(RuntimeException failure) -> text(failure);
    };
  }
}
