package io.duroxide.provider.tck;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** A way to break the contract, with the entries that must notice. */
enum Defect implements Handles.Interceptor {
  /** An ack whose lock was lost is taken for done. */
  FORGIVES_LOST_LOCKS("TCK-ATOM-03", "TCK-ERR-01", "TCK-ERR-14", "TCK-LOCK-14", "TCK-EXP-01") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      if (!call.is("ackOrchestrationItem")) {
        return call.proceed();
      }
      try {
        return call.proceed();
      } catch (ProviderException e) {
        return null;
      }
    }
  },
  /** Every lock is rounded up to whole seconds. */
  ROUNDS_TO_SECONDS("TCK-EXP-16", "TCK-EXP-17") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      if (call.operation().endsWith("ItemLock")) {
        call.replace(1, roundedUp((Duration) call.argument(1)));
      }
      return call.proceed();
    }
  },
  /** Cancellations get lost. */
  NEVER_CANCELS("TCK-CANCEL-10", "TCK-CANCEL-15", "TCK-CANCEL-17") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      if (call.is("ackOrchestrationItem")) {
        TurnCommit commit = (TurnCommit) call.argument(1);
        call.replace(1, commit.withCancelledActivities(List.of()));
      }
      return call.proceed();
    }
  },
  /** A worker ack loses the outcome. */
  LOSES_OUTCOMES("TCK-QUEUE-03", "TCK-QUEUE-24") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      if (call.is("ackWorkItem")) {
        call.replace(1, null);
      }
      return call.proceed();
    }
  },
  /** A timer is visible at once. */
  TIMERS_FIRE_EARLY("TCK-QUEUE-04", "TCK-EXP-22") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      if (call.is("enqueueForOrchestrator")
          && call.argument(0) instanceof WorkItem.TimerFired timer) {
        call.replace(0, Items.timer(timer.instance(), timer.id(), Instant.EPOCH));
        call.replace(1, Duration.ZERO);
      }
      return call.proceed();
    }
  },
  /** A fetch never reports more than one attempt. */
  FORGETS_ATTEMPTS("TCK-POISON-02", "TCK-POISON-10", "TCK-LOCK-17") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      Object result = call.proceed();
      if (result instanceof Optional<?> found
          && found.orElse(null) instanceof LockedOrchestration locked) {
        return Optional.of(new LockedOrchestration(locked.item(), locked.lockToken(), 1));
      }
      return result;
    }
  },
  /** A fetch that may wait does not. */
  NEVER_WAITS("TCK-POLL-02", "TCK-POLL-05", "TCK-POLL-06", "TCK-POLL-16") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      if (call.is("fetchOrchestrationItem")) {
        var request = (OrchestrationFetch) call.argument(0);
        call.replace(
            0,
            OrchestrationFetch.of(request.lockTimeout(), Duration.ZERO)
                .withFilter(request.filter()));
      } else if (call.is("fetchWorkItem")) {
        var request = (WorkFetch) call.argument(0);
        call.replace(
            0,
            WorkFetch.of(request.lockTimeout(), Duration.ZERO)
                .withSession(request.session())
                .withTags(request.tags()));
      }
      return call.proceed();
    }
  },
  /** What is abandoned with a delay comes back at once. */
  ABANDON_IGNORES_DELAY("TCK-EXP-11", "TCK-EXP-20", "TCK-EXP-21", "TCK-QUEUE-07") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      if (call.operation().startsWith("abandon")) {
        call.replace(1, Duration.ZERO);
      }
      return call.proceed();
    }
  };

  private final String noticedBy;

  Defect(String... noticedBy) {
    this.noticedBy = String.join(" ", noticedBy);
  }

  List<String> noticedBy() {
    return List.of(noticedBy.split(" "));
  }

  private static Duration roundedUp(Duration duration) {
    return Duration.ofSeconds((duration.toMillis() + 999) / 1000);
  }
}
