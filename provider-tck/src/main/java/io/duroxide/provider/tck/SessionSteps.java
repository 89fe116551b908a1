package io.duroxide.provider.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.duroxide.model.ActivityRouting;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.Provider;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Steps of the session category. The activities all belong to one instance that need not exist. */
abstract class SessionSteps extends LifecycleSteps {
  /** A lease that no test outlives unless it says so. */
  static final Duration LEASE = Duration.ofSeconds(30);

  /** An idle timeout within which every session was used. */
  static final Duration NEVER_IDLE = Duration.ofHours(1);

  static WorkItem.ActivityExecute bound(String session, long id) {
    return Items.activity(key("x", id), new ActivityRouting(session, null));
  }

  /** Queues activities with these ids, all bound to one session. */
  final void bind(String session, long... ids) {
    for (long id : ids) {
      provider.enqueueForWorker(bound(session, id));
    }
  }

  static WorkFetch as(String owner, Duration lock, Duration lease) {
    return WorkFetch.of(lock, Duration.ZERO).withSession(new SessionFetchConfig(owner, lease));
  }

  final Optional<LockedWork> take(String owner, Duration lease) {
    return take(provider, owner, lease);
  }

  static Optional<LockedWork> take(Provider handle, String owner, Duration lease) {
    return wfetch(handle, as(owner, LOCK, lease));
  }

  /** Fetches as this owner, and checks what it gets. */
  final LockedWork serves(String owner, long id) {
    return serves(owner, id, LEASE);
  }

  final LockedWork serves(String owner, long id, Duration lease) {
    LockedWork locked = present(take(owner, lease));
    assertThat(locked.key().activityId()).isEqualTo(id);
    return locked;
  }

  final void nothingFor(String owner) {
    assertThat(take(owner, LEASE)).as("worker fetch of %s", owner).isEmpty();
  }

  /** Acks without reporting anything. */
  final void finish(LockedWork locked) {
    provider.ackWorkItem(locked.lockToken(), null);
  }

  final int renew(String... owners) {
    return provider.renewSessionLock(List.of(owners), LEASE, NEVER_IDLE);
  }

  final int cleanup() {
    return provider.cleanupOrphanedSessions(NEVER_IDLE);
  }
}
