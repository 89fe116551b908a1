package io.duroxide.runtime;

import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.PruneOutcome;
import io.duroxide.provider.Stranded;
import io.duroxide.provider.TurnCommit;
import io.duroxide.replay.TurnOutcome;
import io.duroxide.replay.TurnResult;
import io.duroxide.telemetry.ActivityEvent;
import io.duroxide.telemetry.ActivityOutcome;
import io.duroxide.telemetry.Ending;
import io.duroxide.telemetry.ExecutionEvent;
import io.duroxide.telemetry.Failure;
import io.duroxide.telemetry.MetricsSnapshot;
import io.duroxide.telemetry.NodeEvent;
import io.duroxide.telemetry.NodeVitals;
import io.duroxide.telemetry.StorageEvent;
import io.duroxide.telemetry.StoreTrouble;
import io.duroxide.telemetry.TelemetryEvent;
import io.duroxide.telemetry.TelemetryListener;
import io.duroxide.telemetry.WorkQueue;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Where the runtime says what happens: it is counted, logged and, if anyone listens, told.
 *
 * <p>Never throws: what is measured must not disturb what is done. Thread-safe.
 */
final class Signals {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.telemetry");

  private final String nodeId;
  private final TelemetryListener listener;
  private final boolean listening;
  private final Waiting time;
  private final InstantSource clock;
  private final SignalLog log;
  private final Narration narration;
  private final HealthWatch watch;
  private final Counters counters = new Counters();
  private final AtomicInteger turnsInProgress = new AtomicInteger();
  private final Set<String> zombies = ConcurrentHashMap.newKeySet();
  private final AtomicInteger sessionsOwned = new AtomicInteger();
  private final Map<String, ActivityTrack> activities = new ConcurrentHashMap<>();
  private final Set<String> overLimit = ConcurrentHashMap.newKeySet();

  /**
   * @param clock the store's
   */
  Signals(RuntimeOptions options, String nodeId, Waiting time, InstantSource clock) {
    this.nodeId = nodeId;
    this.listener = TelemetryListener.together(options.telemetry());
    this.listening = !options.telemetry().isEmpty();
    this.time = time;
    this.clock = clock;
    this.log = new SignalLog(nodeId);
    this.watch = new HealthWatch(time);
    this.narration = new Narration(listener, time, clock, new Tallies(options.cachedExecutions()));
  }

  /** Whether anyone hears events. */
  boolean listening() {
    return listening;
  }

  TelemetryListener listener() {
    return listener;
  }

  HealthWatch watch() {
    return watch;
  }

  MetricsSnapshot snapshot() {
    return counters.snapshot();
  }

  private void tell(Supplier<TelemetryEvent> event) {
    if (listening) {
      guarded(() -> listener.on(event.get()));
    }
  }

  private void guarded(Runnable telling) {
    try {
      telling.run();
    } catch (RuntimeException | Error e) {
      LOG.warn("something that happened could not be told", e);
    }
  }

  // Turns

  /** A turn is about to be dealt with, whatever causes it. */
  void turnBegins(OrchestrationItem item) {
    turnsInProgress.incrementAndGet();
    if (listening) {
      narration.begins(item);
    }
  }

  /** One that was fetched has been dealt with; of what was not stored nothing is remembered. */
  void turnEnds(OrchestrationItem item) {
    turnsInProgress.decrementAndGet();
    overLimit.remove(item.instance());
    if (listening) {
      guarded(() -> narration.ends(item));
    }
  }

  /** A turn is about to be committed; what it says does not tell a limit from other failures. */
  void turnComputed(OrchestrationItem item, TurnResult result) {
    if (result.outcome() instanceof TurnOutcome.Failed failed && failed.excess() != null) {
      overLimit.add(item.instance());
      log.limitExceeded(item, failed.excess());
    }
  }

  /**
   * A turn is over that was computed where what caused it happened: a start or an outcome. If it
   * was not stored, it counts for nothing: both go the ordinary way.
   */
  void stepEnds(OrchestrationItem item) {
    turnsInProgress.decrementAndGet();
    overLimit.remove(item.instance());
    if (listening) {
      narration.forget(item);
    }
  }

  /** A turn is stored. */
  void turnCommitted(OrchestrationItem item, TurnCommit commit, CommittedTurn committed) {
    watch.storeAnswered();
    claimed(committed.claimed().size());
    TurnRecord turn = new TurnRecord(item, commit);
    boolean excess = !overLimit.isEmpty() && overLimit.remove(item.instance());
    counters.childCalls(turn.childCalls());
    if (turn.first() != null
        && turn.first().kind() instanceof EventKind.OrchestrationStarted started) {
      counters.started();
      log.started(turn.key(), started);
    }
    log.turn(turn);
    if (!commit.cancelledActivities().isEmpty()) {
      log.cancelling(turn);
    }
    Event last = turn.last();
    if (last != null && last.kind() instanceof EventKind.Terminal terminal) {
      ended(turn, last.id(), TurnRecord.ending(terminal), TurnRecord.failure(terminal, excess));
    }
    if (listening) {
      guarded(() -> narration.committed(turn, excess));
    }
  }

  private void ended(TurnRecord turn, long lastEventId, Ending ending, @Nullable Failure failure) {
    counters.ended(ending);
    if (failure != null) {
      counters.failed(failure.kind());
      if (failure.kind() == Failure.Kind.POISON) {
        watch.poisoned();
      }
    }
    log.ended(turn, ending, failure, lastEventId);
  }

  /** A turn was computed, or begun, and is thrown away. */
  void turnInVain(NodeEvent.VainReason reason) {
    counters.turnInVain();
    tell(() -> new NodeEvent.TurnInVain(reason));
  }

  void versionRefused(OrchestrationItem item, String pinned, int attempt) {
    tell(() -> new ExecutionEvent.VersionRefused(Narration.ref(item), pinned, attempt));
  }

  // Activities

  /** An activity that was fetched or claimed is about to be dealt with. */
  void activityBegins(LockedWork locked) {
    activities.put(locked.lockToken(), new ActivityTrack(locked, time.nanoTime()));
  }

  /** Its handler is about to be called, on this thread. */
  void handlerCalled(LockedWork locked) {
    ActivityTrack track = activities.get(locked.lockToken());
    if (track == null) {
      return;
    }
    track.called(time.nanoTime());
    log.enter(track.activity());
    if (listening) {
      guarded(() -> listener.on(started(track)));
    }
  }

  private ActivityEvent started(ActivityTrack track) {
    Instant now = clock.instant();
    return new ActivityEvent.Started(track.activity(), track.attempt(), now, track.queued(now));
  }

  /** Its handler has returned or thrown, on this thread. */
  void handlerReturned(LockedWork locked) {
    ActivityTrack track = activities.get(locked.lockToken());
    if (track != null) {
      track.returned(time.nanoTime());
    }
    zombies.remove(locked.lockToken());
    log.leave();
  }

  /** Its outcome is stored. */
  void activityReported(LockedWork locked, WorkItem outcome) {
    watch.storeAnswered();
    if (!(outcome instanceof WorkItem.ActivityFailed failed)) {
      activityFinished(locked, ActivityOutcome.SUCCESS, null);
    } else if (failed.details() instanceof ErrorDetails.Poison) {
      watch.poisoned();
      activityFinished(locked, ActivityOutcome.POISON, failed.details());
    } else {
      activityFinished(locked, ActivityOutcome.APPLICATION_ERROR, failed.details());
    }
  }

  /** It has been dealt with in some other way; what comes first counts. */
  void activityFinished(LockedWork locked, ActivityOutcome outcome, @Nullable ErrorDetails error) {
    ActivityTrack track = activities.remove(locked.lockToken());
    if (track == null) {
      return;
    }
    long now = time.nanoTime();
    Failure failure = error == null ? null : Failure.of(error);
    counters.activity(outcome);
    log.finished(track, outcome, track.ran(now), failure);
    if (listening) {
      guarded(() -> listener.on(finished(track, outcome, failure, now)));
    }
  }

  private ActivityEvent finished(
      ActivityTrack track, ActivityOutcome outcome, @Nullable Failure failure, long now) {
    ActivityEvent.Timing timing =
        new ActivityEvent.Timing(track.ran(now), track.processed(now), clock.instant());
    return new ActivityEvent.Finished(track.activity(), outcome, track.attempt(), timing, failure);
  }

  /** The store would not take its outcome; it will run again. */
  void activityNotStored(LockedWork locked, ProviderException cause) {
    counters.storeError();
    log.activityNotStored(activities.get(locked.lockToken()), cause);
    activityFinished(
        locked,
        ActivityOutcome.INFRASTRUCTURE_ERROR,
        new ErrorDetails.Infrastructure(
            cause.operation(), String.valueOf(cause.getMessage()), cause.retryable()));
  }

  /** Its cancellation was told to a handler, which may finish what it does. */
  void graceBegins(LockedWork locked, Duration grace) {
    log.graceBegins(activities.get(locked.lockToken()), grace);
  }

  /** Its handler ignored the cancellation and is left to itself. */
  void handlerLeft(LockedWork locked) {
    ActivityTrack track = activities.get(locked.lockToken());
    zombies.add(locked.lockToken());
    if (track == null || track.hasReturned()) {
      zombies.remove(locked.lockToken());
    }
    log.handlerLeft(track);
    activityFinished(locked, ActivityOutcome.CANCELLED, null);
  }

  // The node and its store

  void fetched(WorkQueue queue, int items) {
    watch.fetched(queue);
    counters.fetched(queue, items);
    if (listening) {
      listener.on(new NodeEvent.Fetched(queue, items));
    }
  }

  /** Activities came back locked from the commit that asked for them. */
  private void claimed(int items) {
    if (items > 0) {
      counters.fetched(WorkQueue.WORKER, items);
      tell(() -> new NodeEvent.Fetched(WorkQueue.WORKER, items));
    }
  }

  /** The store has done something; if it seemed to be gone, it is back. */
  void storeAnswered() {
    watch.storeAnswered();
  }

  void fetchFailed(WorkQueue queue, Throwable cause) {
    counters.storeError();
    watch.met(cause);
    watch.fetchFailed(queue, String.valueOf(cause.getMessage()));
    tell(() -> new NodeEvent.FetchFailed(queue, trouble(cause)));
  }

  /** Something of this node failed that should not; it may say that the node is of no use. */
  void met(Throwable cause) {
    watch.met(cause);
  }

  void commitRetried(
      WorkQueue queue, String instance, ProviderException cause, int retry, Duration pause) {
    counters.storeError();
    log.commitRetried(instance, cause, retry, pause);
    tell(() -> new NodeEvent.CommitRetried(queue, trouble(cause)));
  }

  /** A commit was given up or refused; a turn or an activity whose lock is gone runs again. */
  void commitFailed(ProviderException cause) {
    watch.met(cause);
    if (cause.kind() == ProviderException.Kind.LOCK_LOST) {
      watch.lockLost();
    } else {
      counters.storeError();
    }
  }

  void renewalFailed(NodeEvent.LockKind lock, Throwable cause, boolean lost) {
    StoreTrouble trouble = trouble(cause);
    if (lost && trouble != StoreTrouble.LOCK_LOST) {
      watch.lockLost();
    }
    tell(() -> new NodeEvent.RenewalFailed(lock, trouble, lost));
  }

  void handlerMissing(
      WorkQueue queue, String name, @Nullable String version, int attempt, Duration pause) {
    watch.handlerMissing(
        switch (queue) {
          case ORCHESTRATOR -> "orchestration " + name + (version == null ? "" : "@" + version);
          case WORKER -> "activity " + name;
        });
    tell(() -> new NodeEvent.HandlerMissing(queue, name, version, attempt, pause));
  }

  /** What no live node can run now. */
  void stranded(List<Stranded> found) {
    log.stranded(watch.stranded(found), found);
    tell(() -> Lookout.told(found));
  }

  void nodeStarted(NodeVitals vitals) {
    tell(() -> new NodeEvent.Started(nodeId, vitals));
  }

  void nodeStopped(NodeVitals vitals, boolean clean) {
    tell(() -> new NodeEvent.Stopped(nodeId, vitals, clean));
  }

  void evicted(int executions) {
    tell(() -> new NodeEvent.Evicted(executions));
  }

  void dropped(NodeEvent.DropReason reason, long messages) {
    tell(() -> new NodeEvent.MessagesDropped(reason, messages));
  }

  void pruned(StorageEvent.PruneSource source, String orchestration, Pruner.Pruned pruned) {
    PruneOutcome outcome = pruned.outcome();
    tell(() ->
        new StorageEvent.Pruned(
            source,
            orchestration,
            outcome.executionsDeleted(),
            outcome.eventsDeleted(),
            pruned.took(),
            outcome.error()));
  }

  /**
   * The store's clock was set back, and the store has logged it.
   *
   * @param ago since when this is known
   */
  void clockWentBack(Duration back, Duration ago) {
    watch.clockWentBack(back, ago);
    tell(() -> new NodeEvent.ClockWentBack(back));
  }

  void sessionClaimed(String sessionId, boolean again) {
    log.sessionClaimed(sessionId, again);
    tell(() -> new NodeEvent.SessionClaimed(again));
  }

  void sessionsOwned(int sessions) {
    sessionsOwned.set(sessions);
  }

  private static StoreTrouble trouble(Throwable cause) {
    return cause instanceof ProviderException known
        ? StoreCalls.trouble(known.kind())
        : StoreTrouble.OTHER;
  }

  // What is in hand

  int turnsInProgress() {
    return turnsInProgress.get();
  }

  int activitiesInProgress() {
    return activities.size();
  }

  int zombies() {
    return zombies.size();
  }

  int sessionsOwned() {
    return sessionsOwned.get();
  }
}
