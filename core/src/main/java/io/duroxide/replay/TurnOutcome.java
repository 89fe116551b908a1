package io.duroxide.replay;

import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Retention;
import org.jspecify.annotations.Nullable;

/** How a turn ended. */
public sealed interface TurnOutcome {

  /** The code waits. */
  record Continue() implements TurnOutcome {}

  record Completed(String output) implements TurnOutcome {}

  /**
   * The execution fails.
   *
   * @param excess what it wanted to store beyond a limit, if that is why
   */
  record Failed(ErrorDetails details, @Nullable LimitExcess excess) implements TurnOutcome {
    public Failed(ErrorDetails details) {
      this(details, null);
    }
  }

  record Cancelled(String reason) implements TurnOutcome {}

  /**
   * The code asked for the next execution.
   *
   * @param version the exact version of the next execution; null lets the registry choose
   * @param prune which past executions it keeps; null if the code did not say
   */
  record ContinueAsNew(String input, @Nullable String version, @Nullable Retention prune)
      implements TurnOutcome {}
}
