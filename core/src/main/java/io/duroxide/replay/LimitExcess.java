package io.duroxide.replay;

import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;

/**
 * What a turn wanted to store beyond a limit.
 *
 * @param message names it with both figures
 */
public record LimitExcess(String message, long actual, long max) {
  /** How it is recorded: as a failure of the code. */
  public ErrorDetails details() {
    return new ErrorDetails.Application(ApplicationErrorKind.ORCHESTRATION_FAILED, message);
  }
}
