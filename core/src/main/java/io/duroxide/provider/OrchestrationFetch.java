package io.duroxide.provider;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What a dispatcher asks for.
 *
 * @param lockTimeout how long the instance stays locked; must be positive
 * @param pollTimeout how long the provider may wait for work
 * @param filter what this node can run; null admits everything
 * @param cached which histories need not be read again
 */
public record OrchestrationFetch(
    Duration lockTimeout,
    Duration pollTimeout,
    @Nullable DispatcherCapabilityFilter filter,
    CachedHistory cached) {
  public OrchestrationFetch {
    Objects.requireNonNull(lockTimeout, "lockTimeout");
    Objects.requireNonNull(pollTimeout, "pollTimeout");
    Objects.requireNonNull(cached, "cached");
  }

  /** Everything, without a cache. */
  public static OrchestrationFetch of(Duration lockTimeout, Duration pollTimeout) {
    return new OrchestrationFetch(lockTimeout, pollTimeout, null, CachedHistory.NONE);
  }

  public OrchestrationFetch withFilter(@Nullable DispatcherCapabilityFilter newFilter) {
    return new OrchestrationFetch(lockTimeout, pollTimeout, newFilter, cached);
  }

  public OrchestrationFetch withCached(CachedHistory newCached) {
    return new OrchestrationFetch(lockTimeout, pollTimeout, filter, newCached);
  }
}
