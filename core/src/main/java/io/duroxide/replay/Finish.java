package io.duroxide.replay;

import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Retention;
import org.jspecify.annotations.Nullable;

/** How the code ended. */
sealed interface Finish {
  record Returned(String output) implements Finish {}

  record Failed(ErrorDetails.Application details) implements Finish {}

  record Panicked(ErrorDetails.Application details) implements Finish {}

  /** It asked for more than it may. */
  record Exceeded(LimitExcess excess) implements Finish {}

  record ContinuedAsNew(String input, @Nullable String version, @Nullable Retention prune)
      implements Finish {}
}
