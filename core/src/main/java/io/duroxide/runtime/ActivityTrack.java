package io.duroxide.runtime;

import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.ActivityRouting;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedWork;
import io.duroxide.telemetry.ActivityRef;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** When an activity in progress began and ended. Thread-safe. */
final class ActivityTrack {
  private static final String UNKNOWN = "unknown";

  private final ActivityRef activity;
  private final @Nullable Instant scheduledAt;
  private final int attempt;
  private final long fetched;
  private volatile @Nullable Long called;
  private volatile @Nullable Long returned;

  ActivityTrack(LockedWork locked, long now) {
    this.activity = ref(locked);
    this.scheduledAt = activity.origin().at();
    this.attempt = locked.attemptCount();
    this.fetched = now;
  }

  private static ActivityRef ref(LockedWork locked) {
    WorkItem.ActivityExecute item = locked.item();
    return item == null
        ? new ActivityRef(locked.key(), UNKNOWN, ActivityOrigin.UNKNOWN, ActivityRouting.ANYWHERE)
        : new ActivityRef(locked.key(), item.name(), item.origin(), item.routing());
  }

  ActivityRef activity() {
    return activity;
  }

  int attempt() {
    return attempt;
  }

  /** The handler is called. */
  void called(long now) {
    called = now;
  }

  /** The handler has returned. */
  void returned(long now) {
    returned = now;
  }

  boolean hasReturned() {
    return returned != null;
  }

  /** How long the handler ran, so far if it still does; null if it was not called. */
  @Nullable Duration ran(long now) {
    Long from = called;
    Long to = returned;
    return from == null ? null : Duration.ofNanos((to == null ? now : to) - from);
  }

  /** How long it waited for a node; null if it does not say, or was with a node before. */
  @Nullable Duration queued(Instant now) {
    Instant since = scheduledAt;
    if (since == null || attempt > 1) {
      return null;
    }
    Duration queued = Duration.between(since, now);
    return queued.isNegative() ? Duration.ZERO : queued;
  }

  Duration processed(long now) {
    return Duration.ofNanos(now - fetched);
  }
}
