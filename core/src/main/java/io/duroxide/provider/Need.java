package io.duroxide.provider;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a node must have to do a piece of work. */
public sealed interface Need {

  /**
   * To run a turn.
   *
   * @param version the version that the turn runs; null if a policy chooses it
   * @param pin the framework version that the execution is pinned to; null for none
   */
  record Turn(String orchestration, @Nullable String version, @Nullable ExecutionPin pin)
      implements Need {
    public Turn {
      Objects.requireNonNull(orchestration, "orchestration");
    }
  }

  /** To run an activity. */
  record Run(String activity, @Nullable String tag) implements Need {
    public Run {
      Objects.requireNonNull(activity, "activity");
    }
  }
}
