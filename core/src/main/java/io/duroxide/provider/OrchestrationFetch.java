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
 * @param orphans what becomes of mailbox messages that nobody can get yet
 */
public record OrchestrationFetch(
    Duration lockTimeout,
    Duration pollTimeout,
    @Nullable DispatcherCapabilityFilter filter,
    CachedHistory cached,
    OrphanQueuePolicy orphans) {
  public OrchestrationFetch {
    Objects.requireNonNull(lockTimeout, "lockTimeout");
    Objects.requireNonNull(pollTimeout, "pollTimeout");
    Objects.requireNonNull(cached, "cached");
    Objects.requireNonNull(orphans, "orphans");
  }

  /** Everything, without a cache, dropping orphans. */
  public static OrchestrationFetch of(Duration lockTimeout, Duration pollTimeout) {
    return new OrchestrationFetch(
        lockTimeout, pollTimeout, null, CachedHistory.NONE, OrphanQueuePolicy.DROP);
  }

  public OrchestrationFetch withFilter(@Nullable DispatcherCapabilityFilter newFilter) {
    return new OrchestrationFetch(lockTimeout, pollTimeout, newFilter, cached, orphans);
  }

  public OrchestrationFetch withCached(CachedHistory newCached) {
    return new OrchestrationFetch(lockTimeout, pollTimeout, filter, newCached, orphans);
  }

  public OrchestrationFetch withOrphans(OrphanQueuePolicy newOrphans) {
    return new OrchestrationFetch(lockTimeout, pollTimeout, filter, cached, newOrphans);
  }
}
