package io.duroxide.provider;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which finished executions to delete; all criteria must hold, and the current execution always
 * stays.
 *
 * @param keepLast keep this many of the highest execution ids, the current one included
 * @param completedBefore delete only those that ended before this instant
 */
public record PruneOptions(@Nullable Integer keepLast, @Nullable Instant completedBefore) {
  /** Everything but the current execution. */
  public static final PruneOptions ALL = new PruneOptions(null, null);

  public static PruneOptions keepLast(int count) {
    return new PruneOptions(count, null);
  }
}
