package io.duroxide.replay;

import io.duroxide.model.ErrorDetails;
import org.jspecify.annotations.Nullable;

/** How a turn ended. */
public sealed interface TurnOutcome {

  /** The code waits. */
  record Continue() implements TurnOutcome {}

  record Completed(String output) implements TurnOutcome {}

  record Failed(ErrorDetails details) implements TurnOutcome {}

  record Cancelled(String reason) implements TurnOutcome {}

  /**
   * The code asked for the next execution.
   *
   * @param version the exact version of the next execution; null lets the registry choose
   */
  record ContinueAsNew(String input, @Nullable String version) implements TurnOutcome {}
}
