package io.duroxide.provider;

import java.util.Objects;

/**
 * What a commit prunes of its own instance, once its execution is the current one.
 *
 * @param options which executions
 * @param keepPreviousVersion how many of the newest executions of the version before the current
 *     one stay in any case; executions whose version is unknown do not count as another version
 */
public record PruneDirective(PruneOptions options, int keepPreviousVersion) {
  public PruneDirective {
    Objects.requireNonNull(options, "options");
    if (keepPreviousVersion < 0) {
      throw new IllegalArgumentException(
          "keepPreviousVersion must not be negative, not " + keepPreviousVersion);
    }
  }
}
