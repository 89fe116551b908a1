package io.duroxide.provider;

import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * When things happened to an instance.
 *
 * @param createdAt its first commit
 * @param updatedAt its newest commit
 * @param completedAt the end of its current execution; null while that runs
 */
public record InstanceTimes(Instant createdAt, Instant updatedAt, @Nullable Instant completedAt) {
  public InstanceTimes {
    Objects.requireNonNull(createdAt, "createdAt");
    Objects.requireNonNull(updatedAt, "updatedAt");
  }
}
