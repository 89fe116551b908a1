package io.duroxide.provider.small;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.CancelledActivities;
import io.duroxide.provider.LockTokens;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.SessionFetchConfig;
import io.duroxide.provider.TextChecks;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The worker queue and the leases of sessions. Guarded by the provider's lock. */
final class SmallWorkQueue {
  private final Supplier<String> tokens = LockTokens.random();
  private final SmallClock clock;
  private final List<Activity> activities = new ArrayList<>();
  private final Map<String, Session> sessions = new HashMap<>();

  SmallWorkQueue(SmallClock clock) {
    this.clock = clock;
  }

  /** A row of the queue; rows stand in the order in which they were queued. */
  static final class Activity {
    final WorkItem.ActivityExecute item;
    Instant freeAt;
    @Nullable String token;
    int attempts;

    Activity(WorkItem.ActivityExecute item, Instant visibleAt) {
      this.item = item;
      this.freeAt = visibleAt;
    }

    @Nullable String session() {
      return item.routing().sessionId();
    }
  }

  /** The lease of a session. */
  private record Session(String owner, Instant until, Instant usedAt) {}

  static WorkItem.ActivityExecute check(String operation, WorkItem item) {
    if (item instanceof WorkItem.ActivityExecute activity) {
      TextChecks.check(operation, item);
      return activity;
    }
    throw SmallRefusals.invalid(operation, "only activities belong into the worker queue: " + item);
  }

  void add(WorkItem.ActivityExecute item) {
    activities.add(new Activity(item, clock.now()));
  }

  /** Locks the oldest activity that this worker may run, and its session. */
  Optional<LockedWork> take(WorkFetch request) {
    Set<String> names = request.activityNames();
    return activities.stream()
        .filter(row -> !clock.isFuture(row.freeAt))
        .filter(row -> request.tags().admits(row.item.routing().tag()))
        .filter(row -> names == null || names.contains(row.item.name()))
        .filter(row -> mayServe(row.session(), request.session()))
        .findFirst()
        .map(row -> lock(row, request));
  }

  private boolean mayServe(@Nullable String id, @Nullable SessionFetchConfig by) {
    if (id == null || by == null) {
      return id == null;
    }
    Session session = sessions.get(id);
    boolean isOwned = session != null && clock.isFuture(session.until());
    return isOwned ? session.owner().equals(by.ownerId()) : by.maxNewSessions() > 0;
  }

  private LockedWork lock(Activity row, WorkFetch request) {
    SessionFetchConfig by = request.session();
    if (row.session() != null && by != null) {
      Instant until = clock.after(by.lockTimeout());
      sessions.put(row.session(), new Session(by.ownerId(), until, clock.now()));
    }
    String token = tokens.get();
    row.token = token;
    row.freeAt = clock.after(request.lockTimeout());
    row.attempts++;
    return new LockedWork(row.item.key(), row.item, null, token, row.attempts);
  }

  /** The activity of a token, its lock valid or expired. */
  private Activity held(String operation, String token) {
    return activities.stream()
        .filter(row -> token.equals(row.token))
        .findFirst()
        .orElseThrow(() -> SmallRefusals.lockLost(operation, token));
  }

  /** As {@link #held}, but the lock must be valid. Its session is used. */
  private Activity valid(String operation, String token) {
    Activity row = held(operation, token);
    if (!clock.isFuture(row.freeAt)) {
      throw SmallRefusals.lockLost(operation, token);
    }
    if (row.session() != null) {
      sessions.computeIfPresent(
          row.session(), (id, lease) -> new Session(lease.owner(), lease.until(), clock.now()));
    }
    return row;
  }

  void remove(String token) {
    activities.remove(valid("ackWorkItem", token));
  }

  void renew(String token, Duration extendFor) {
    SmallRefusals.checkLease("renewWorkItemLock", extendFor);
    valid("renewWorkItemLock", token).freeAt = clock.after(extendFor);
  }

  void abandon(String token, Duration delay, boolean ignoreAttempt) {
    Activity row = held("abandonWorkItem", token);
    row.token = null;
    row.freeAt = clock.after(delay);
    row.attempts -= ignoreAttempt ? 1 : 0;
  }

  /** Removes what a commit of an execution cancels, whoever runs it. */
  void cancel(CancelledActivities cancelled, String instance, long executionId) {
    activities.removeIf(row ->
        cancelled.listed().contains(row.item.key())
            || (cancelled.wholeExecution()
                && row.item.key().instance().equals(instance)
                && row.item.key().executionId() == executionId));
  }

  int renewSessions(Collection<String> owners, Duration extendFor, Duration idleTimeout) {
    List<Map.Entry<String, Session>> renewed =
        sessions.entrySet().stream()
            .filter(entry -> owners.contains(entry.getValue().owner()))
            .filter(entry -> clock.isFuture(entry.getValue().until()))
            .filter(
                entry -> clock.isFuture(SmallClock.after(entry.getValue().usedAt(), idleTimeout)))
            .toList();
    renewed.forEach(entry ->
        entry.setValue(
            new Session(
                entry.getValue().owner(), clock.after(extendFor), entry.getValue().usedAt())));
    return renewed.size();
  }

  int removeEndedSessions() {
    int before = sessions.size();
    sessions
        .entrySet()
        .removeIf(entry ->
            !clock.isFuture(entry.getValue().until())
                && activities.stream().noneMatch(row -> entry.getKey().equals(row.session())));
    return before - sessions.size();
  }
}
