package io.duroxide.runtime;

import io.duroxide.api.DataConversionException;
import io.duroxide.api.DataConverter;
import io.duroxide.api.OrchestrationFailure;
import io.duroxide.model.ActivityKey;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.PoisonSubject;
import io.duroxide.model.Thrown;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicBoolean;
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
  private final Duration renewalInterval;

  ActivityProcessor(
      RuntimeParts parts, LeaseKeeper leases, RunningActivities running, Sessions sessions) {
    this.sessions = sessions;
    this.parts = parts;
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
   * @param done frees the slot, at the latest when a cancelled handler has used up its grace
   */
  void process(LockedWork locked, Runnable done) {
    AtomicBoolean freed = new AtomicBoolean();
    Runnable free =
        () -> {
          if (freed.compareAndSet(false, true)) {
            done.run();
          }
        };
    try {
      decide(locked, free);
    } catch (RuntimeException | Error e) {
      LOG.atError()
          .addKeyValue("instance_id", locked.key().instance())
          .setCause(e)
          .log("activity could not be processed, handing it back");
      handBack(locked, Backoffs.HANDED_BACK, false);
    } finally {
      free.run();
    }
  }

  private void decide(LockedWork locked, Runnable free) {
    WorkItem.ActivityExecute item = locked.item();
    if (locked.attemptCount() > options.maxAttempts()) {
      poison(locked, item == null ? "unknown" : item.name());
    } else if (item == null) {
      LOG.warn("activity {} cannot be decoded: {}", locked.key(), locked.decodeError());
      handBack(locked, Backoffs.HANDED_BACK, false);
    } else {
      Optional<ActivityRegistry.Code> code = parts.activities().resolve(item.name());
      if (code.isEmpty()) {
        unregistered(locked, item);
      } else {
        run(locked, item, code.get(), free);
      }
    }
  }

  private void run(
      LockedWork locked, WorkItem.ActivityExecute item, ActivityRegistry.Code code, Runnable free) {
    ActivityRun run = new ActivityRun(item, locked, parts);
    RunningActivities.Stoppable stoppable = stoppable(run, locked, free);
    running.add(item.key(), stoppable);
    LeaseKeeper.Lease lease =
        leases.keep(
            extension -> provider.renewWorkItemLock(locked.lockToken(), extension),
            options.workerLockTimeout(),
            renewalInterval,
            stoppable::cancel);
    try {
      WorkItem outcome = call(run, item, code);
      if (run.finish()) {
        conclude(run, locked, outcome);
      }
    } finally {
      lease.close();
      running.remove(item.key(), stoppable);
    }
  }

  private void conclude(ActivityRun run, LockedWork locked, WorkItem outcome) {
    if (run.handedOver()) {
      handBack(locked, Duration.ZERO, true);
    } else if (run.isCancelled()) {
      LOG.debug("activity {} was cancelled, its result is dropped", run.key());
    } else {
      report(locked, outcome);
    }
  }

  private RunningActivities.Stoppable stoppable(ActivityRun run, LockedWork locked, Runnable free) {
    return new RunningActivities.Stoppable() {
      @Override
      public void cancel() {
        run.cancel();
        leaveAfterGrace(run, free);
      }

      @Override
      public void handOver() {
        run.handOver();
        if (run.finish()) {
          run.interrupt();
          handBack(locked, Duration.ZERO, true);
          free.run();
        }
      }
    };
  }

  /** A handler that is still running after its grace is interrupted and left to itself. */
  private void leaveAfterGrace(ActivityRun run, Runnable free) {
    Thread.ofVirtual()
        .name("duroxide-grace")
        .start(() -> {
          parts.pause(options.cancellationGracePeriod());
          if (run.finish()) {
            LOG.warn("activity {} ignored its cancellation, leaving it", run.key());
            run.interrupt();
            free.run();
          }
        });
  }

  private WorkItem call(
      ActivityRun run, WorkItem.ActivityExecute item, ActivityRegistry.Code code) {
    ActivityKey key = item.key();
    String session = item.routing().sessionId();
    try {
      String result =
          session == null
              ? code.run(run, item.input())
              : onSession(session, () -> code.run(run, item.input()));
      return new WorkItem.ActivityCompleted(
          key.instance(), key.executionId(), key.activityId(), result);
    } catch (Throwable e) {
      run.log().atDebug().setCause(e).log("activity failed");
      return failed(key, details(e));
    }
  }

  private String onSession(String session, Callable<String> handler) throws Exception {
    Sessions.Turn turn = sessions.enter(session);
    try {
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
        message == null ? name : message,
        false,
        new Thrown(name, payload(thrown)));
  }

  private @Nullable String payload(Throwable thrown) {
    DataConverter converter = options.converter();
    Object payload =
        thrown instanceof OrchestrationFailure failure ? failure.attachedPayload() : null;
    try {
      return payload == null ? null : converter.encode(payload);
    } catch (DataConversionException e) {
      LOG.warn("the payload of a failure cannot be encoded: {}", e.getMessage());
      return null;
    }
  }

  private static WorkItem failed(ActivityKey key, ErrorDetails details) {
    return new WorkItem.ActivityFailed(
        key.instance(), key.executionId(), key.activityId(), details);
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
                String.valueOf(locked.item() == null ? locked.decodeError() : locked.item()))));
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
    handBack(locked, pause, false);
  }

  private void report(LockedWork locked, WorkItem outcome) {
    for (int retry = 1; ; retry++) {
      try {
        provider.ackWorkItem(locked.lockToken(), outcome);
        return;
      } catch (ProviderException e) {
        if (e.kind() == ProviderException.Kind.LOCK_LOST) {
          LOG.debug("activity {} is no longer wanted: {}", locked.key(), e.getMessage());
          return;
        }
        if (!e.retryable() || retry > Backoffs.ACK_RETRIES) {
          LOG.warn(
              "the outcome of activity {} could not be stored: {}", locked.key(), e.getMessage());
          handBack(locked, AFTER_FAILED_ACK, false);
          return;
        }
        parts.pause(Backoffs.beforeAckRetry(retry));
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
