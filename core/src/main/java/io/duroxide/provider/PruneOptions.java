package io.duroxide.provider;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Which finished executions to delete; all criteria must hold, and the current execution always
 * stays.
 *
 * @param keepLast keep this many of the highest execution ids, the current one included
 * @param completedBefore delete only those that ended before this instant
 * @param keepPreviousVersion how many of the newest executions of the version before the current
 *     one stay in any case; executions whose version is unknown do not count as another version
 */
public record PruneOptions(
    @Nullable Integer keepLast, @Nullable Instant completedBefore, int keepPreviousVersion) {
  /** Everything but the current execution. */
  public static final PruneOptions ALL = new PruneOptions(null, null, 0);

  public PruneOptions {
    if (keepPreviousVersion < 0) {
      throw new IllegalArgumentException(
          "keepPreviousVersion must not be negative, not " + keepPreviousVersion);
    }
  }

  public static PruneOptions keepLast(int count) {
    return ALL.withKeepLast(count);
  }

  public static PruneOptions completedBefore(Instant instant) {
    return new PruneOptions(null, instant, 0);
  }

  public PruneOptions withKeepLast(int count) {
    return new PruneOptions(count, completedBefore, keepPreviousVersion);
  }

  public PruneOptions withKeepPreviousVersion(int count) {
    return new PruneOptions(keepLast, completedBefore, count);
  }
}
