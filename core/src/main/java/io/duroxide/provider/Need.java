package io.duroxide.provider;

import io.duroxide.model.Semver;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** What a node must have to do a piece of work. */
public sealed interface Need {

  /**
   * To run a turn.
   *
   * @param version the version that the turn runs; null if a policy chooses it
   * @param pin the framework version that wrote the execution; null for none
   */
  record Turn(String orchestration, @Nullable String version, @Nullable Semver pin)
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
