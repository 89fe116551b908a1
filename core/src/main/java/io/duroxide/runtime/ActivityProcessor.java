package io.duroxide.runtime;

import io.duroxide.api.DataConverter;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.model.ActivityAttempt;
import io.duroxide.model.ActivityKey;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.PoisonSubject;
import io.duroxide.model.TextLimit;
import io.duroxide.model.Thrown;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.telemetry.ActivityOutcome;
import io.duroxide.telemetry.NodeEvent;
import io.duroxide.telemetry.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs one fetched activity and reports its outcome. Thread-safe. */
final class ActivityProcessor {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.activities");
  private static final Duration AFTER_FAILED_ACK = Duration.ofMillis(100);

  private final RuntimeParts parts;
  private final Provider provider;
  private final RuntimeOptions options;
  private final LeaseKeeper leases;
  private final RunningActivities running;
  private final Sessions sessions;
  private final Signals signals;
  private final Steps steps;
  private final Duration renewalInterval;

  ActivityProcessor(
      RuntimeParts parts,
      LeaseKeeper leases,
      RunningActivities running,
      Sessions sessions,
      Steps steps) {
    this.steps = steps;
    this.sessions = sessions;
    this.parts = parts;
    this.signals = parts.signals();
    this.provider = parts.provider();
    this.options = parts.options();
    this.leases = leases;
    this.running = running;
    this.renewalInterval =
        Backoffs.renewalInterval(options.workerLockTimeout(), options.lockRenewalBuffer());
  }

  /**
   * Works on an activity; never throws.
   *
   * @param done frees the slot, at the latest when a cancelled handler has used up its grace; not
   *     called if something is to run next on this slot
   * @param goesOn whether the slot may be used for what the orchestration asks for next
   * @return what to run next: the first on this slot if it goes on, all others on slots of their
   *     own, which were taken for them
   */
  List<LockedWork> process(LockedWork locked, Release done, boolean goesOn) {
    List<LockedWork> next = List.of();
    try {
      signals.activityBegins(locked);
      next = decide(locked, done, goesOn);
    } catch (RuntimeException | Error e) {
      signals.met(e);
      LOG.atError()
          .addKeyValue("instance_id", locked.key().instance())
          .setCause(e)
          .log("activity could not be processed, handing it back");
      signals.activityFinished(locked, ActivityOutcome.INFRASTRUCTURE_ERROR, null);
      handBack(locked, Backoffs.HANDED_BACK, false);
    } finally {
      if (next.isEmpty() || !goesOn) {
        done.run();
      }
    }
    return next;
  }

  private List<LockedWork> decide(LockedWork locked, Release free, boolean goesOn) {
    WorkItem.ActivityExecute item = locked.item();
    Optional<ActivityRegistry.Code> code =
        item == null ? Optional.empty() : parts.activities().resolve(item.name());
    if (locked.attemptCount() > options.maxAttempts()) {
      poison(locked, item == null ? "unknown" : item.name());
    } else if (item == null) {
      LOG.warn("activity {} cannot be decoded: {}", locked.key(), locked.decodeError());
      signals.activityFinished(locked, ActivityOutcome.CONFIGURATION_ERROR, null);
      handBack(locked, Backoffs.HANDED_BACK, false);
    } else if (code.isEmpty()) {
      unregistered(locked, item);
    } else {
      return run(new Stop(new ActivityRun(item, locked, parts), locked, free), code.get(), goesOn);
    }
    return List.of();
  }

  private List<LockedWork> run(Stop stoppable, ActivityRegistry.Code code, boolean goesOn) {
    ActivityRun run = stoppable.run;
    LockedWork locked = stoppable.locked;
    LeaseKeeper.Lease lease =
        leases.keep(
            NodeEvent.LockKind.ACTIVITY,
            locked.lockToken(),
            options.workerLockTimeout(),
            renewalInterval,
            stoppable::cancel);
    try {
      running.add(run.key(), stoppable);
      if (run.isFinished()) {
        return List.of();
      }
      signals.handlerCalled(locked);
      WorkItem outcome = call(stoppable, code);
      signals.handlerReturned(locked);
      return run.finish() ? conclude(run, locked, outcome, new Rest(lease, goesOn)) : List.of();
    } finally {
      lease.close();
      running.remove(run.key(), stoppable);
      stoppable.endGrace();
    }
  }

  /** What a finished activity still has: its lock, and perhaps its slot for others. */
  private record Rest(LeaseKeeper.Lease lease, boolean goesOn) {}

  private List<LockedWork> conclude(
      ActivityRun run, LockedWork locked, WorkItem outcome, Rest rest) {
    if (run.isCancelled() || !rest.lease().isHeld()) {
      signals.activityFinished(locked, ActivityOutcome.CANCELLED, null);
      return List.of();
    }
    if (run.routing().sessionId() == null) {
      Optional<List<LockedWork>> next = steps.commit(locked, outcome, rest.goesOn() ? 1 : 0);
      if (next.isPresent()) {
        return next.get();
      }
    }
    report(locked, outcome, rest.lease()::isHeld);
    return List.of();
  }

  /** How a running activity is told to stop. Thread-safe. */
  private final class Stop implements RunningActivities.Stoppable {
    private final ActivityRun run;
    private final LockedWork locked;
    private final Release free;
    private final AtomicReference<@Nullable Thread> grace = new AtomicReference<>();

    Stop(ActivityRun run, LockedWork locked, Release free) {
      this.run = run;
      this.locked = locked;
      this.free = free;
    }

    @Override
    public void cancel() {
      if (run.isFinished()) {
        return;
      }
      run.cancel();
      Thread waiting =
          parts.threads().virtual("duroxide-grace-" + run.key(), this::leaveAfterGrace);
      if (grace.compareAndSet(null, waiting)) {
        signals.graceBegins(locked, options.cancellationGracePeriod());
        waiting.start();
        if (run.isFinished()) {
          waiting.interrupt();
        }
      }
    }

    /** A handler that is still running after its grace is interrupted and left to itself. */
    private void leaveAfterGrace() {
      parts.pause(options.cancellationGracePeriod());
      if (run.finish()) {
        signals.handlerLeft(locked);
        run.interrupt();
        free.run();
      }
    }

    /** Only a handler that is still running needs its grace. */
    void endGrace() {
      Thread waiting = grace.get();
      if (waiting != null) {
        waiting.interrupt();
      }
    }

    @Override
    public void handOver() {
      if (run.finish()) {
        run.cancel();
        run.interrupt();
        signals.activityFinished(locked, ActivityOutcome.HANDED_OVER, null);
        handBack(locked, Duration.ZERO, true);
        free.run();
        endGrace();
      }
    }
  }

  private WorkItem call(Stop stoppable, ActivityRegistry.Code code) {
    ActivityRun run = stoppable.run;
    String session = run.routing().sessionId();
    try {
      return session == null
          ? attempt(run, code)
          : onSession(session, stoppable, () -> attempt(run, code));
    } catch (Throwable e) {
      return failed(run, e, null);
    } finally {
      if (Thread.interrupted()) {
        LOG.debug("activity {} left its thread interrupted", run.key());
      }
    }
  }

  private WorkItem attempt(ActivityRun run, ActivityRegistry.Code code) {
    ActivityKey key = run.key();
    ActivityAttempt attempt = new ActivityAttempt(provider.now(), run.workerId(), run.attempt());
    try {
      return new WorkItem.ActivityCompleted(
          key.instance(), key.executionId(), key.activityId(), code.run(run, run.input()), attempt);
    } catch (Throwable e) {
      return failed(run, e, attempt);
    }
  }

  private WorkItem failed(ActivityRun run, Throwable thrown, @Nullable ActivityAttempt attempt) {
    run.log().atDebug().setCause(thrown).log("activity failed");
    return failed(run.key(), details(thrown), attempt);
  }

  /** While it waited for its turn, the activity may have been cancelled or the node stopped. */
  private WorkItem onSession(String session, Stop stoppable, Callable<WorkItem> handler)
      throws Exception {
    Sessions.Turn turn = sessions.enter(session);
    try {
      if (turn.late()) {
        stoppable.handOver();
      }
      if (stoppable.run.isCancelled()) {
        throw new CancellationException("cancelled before its session had time for it");
      }
      return handler.call();
    } finally {
      turn.end();
    }
  }

  private ErrorDetails details(Throwable thrown) {
    String message = thrown.getMessage();
    String name = thrown.getClass().getName();
    return new ErrorDetails.Application(
        ApplicationErrorKind.ACTIVITY_FAILED,
        TextLimit.remark(message == null ? name : message),
        false,
        new Thrown(name, payload(thrown)));
  }

  private @Nullable String payload(Throwable thrown) {
    DataConverter converter = options.converter();
    Object payload =
        thrown instanceof OrchestrationFailure failure ? failure.attachedPayload() : null;
    try {
      return payload == null ? null : converter.encode(payload);
    } catch (RuntimeException | Error e) {
      LOG.warn("the payload of a failure cannot be encoded: {}", e.getMessage());
      return null;
    }
  }

  private static WorkItem failed(
      ActivityKey key, ErrorDetails details, @Nullable ActivityAttempt attempt) {
    return new WorkItem.ActivityFailed(
        key.instance(), key.executionId(), key.activityId(), details, attempt);
  }

  private void poison(LockedWork locked, String name) {
    ActivityKey key = locked.key();
    LOG.warn("activity {} exceeded the maximum number of attempts, marking as poison", key);
    report(
        locked,
        failed(
            key,
            new ErrorDetails.Poison(
                locked.attemptCount(),
                options.maxAttempts(),
                new PoisonSubject.Activity(
                    key.instance(), key.executionId(), name, key.activityId()),
                PoisonText.of(locked)),
            null),
        () -> false);
  }

  private void unregistered(LockedWork locked, WorkItem.ActivityExecute item) {
    Duration pause =
        Backoffs.unregistered(
            locked.attemptCount(), options.unregisteredBaseDelay(), options.unregisteredMaxDelay());
    LOG.atWarn()
        .addKeyValue("instance_id", item.instance())
        .addKeyValue("activity_name", item.name())
        .addKeyValue("attempt_count", locked.attemptCount())
        .log(
            "activity is not registered here; trying again in {} ms, will poison in {} more"
                + " attempts",
            pause.toMillis(),
            options.maxAttempts() - locked.attemptCount());
    signals.handlerMissing(WorkQueue.WORKER, item.name(), null, locked.attemptCount(), pause);
    signals.activityFinished(locked, ActivityOutcome.CONFIGURATION_ERROR, null);
    handBack(locked, pause, false);
  }

  /** A finished activity is not thrown away while its lock is held: an outage is waited out. */
  private void report(LockedWork locked, WorkItem outcome, BooleanSupplier held) {
    for (int retry = 1; ; retry++) {
      try {
        provider.ackWorkItem(locked.lockToken(), outcome);
        signals.activityReported(locked, outcome);
        return;
      } catch (ProviderException e) {
        if (e.kind() == ProviderException.Kind.LOCK_LOST) {
          signals.activityFinished(locked, ActivityOutcome.CANCELLED, null);
          return;
        }
        if (!e.retryable() || (retry > Backoffs.ACK_RETRIES && !held.getAsBoolean())) {
          signals.activityNotStored(locked, e);
          handBack(locked, AFTER_FAILED_ACK, false);
          return;
        }
        Duration pause = Backoffs.beforeAckRetry(retry);
        signals.commitRetried(WorkQueue.WORKER, locked.key().instance(), e, retry, pause);
        parts.pause(pause);
      }
    }
  }

  private void handBack(LockedWork locked, Duration delay, boolean ignoreAttempt) {
    try {
      provider.abandonWorkItem(locked.lockToken(), delay, ignoreAttempt);
    } catch (ProviderException e) {
      LOG.debug("could not hand activity {} back: {}", locked.key(), e.getMessage());
    }
  }
}
