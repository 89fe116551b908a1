package io.duroxide.provider.tck;

import io.duroxide.model.ActivityOrigin;
import io.duroxide.model.Semver;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.DeleteResult;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.InstanceFilter;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.Need;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WaitingWork;
import io.duroxide.provider.WorkFetch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

/** A way to break the contract, with the entries that must notice. */
enum Defect implements Handles.Interceptor {
  /** An ack whose lock was lost is taken for done. */
  FORGIVES_LOST_LOCKS("TCK-ATOM-03", "TCK-ERR-01", "TCK-ERR-14", "TCK-LOCK-14", "TCK-EXP-01") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      if (!call.is("commitTurn")) {
        return call.proceed();
      }
      try {
        return call.proceed();
      } catch (ProviderException e) {
        return Optional.empty();
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
      if (call.is("commitTurn")) {
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
  /** A batch of several messages counts as new. */
  COUNTS_THE_NEWEST_MESSAGE("TCK-POISON-60") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      Object result = call.proceed();
      if (result instanceof Optional<?> found
          && found.orElse(null) instanceof LockedOrchestration locked
          && locked.item().messages().items().size() > 1) {
        return Optional.of(new LockedOrchestration(locked.item(), locked.lockToken(), 1));
      }
      return result;
    }
  },
  /** A status without output leaves the output as it was. */
  KEEPS_OLD_OUTPUT("TCK-MGMT-60") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      if (call.is("commitTurn")) {
        TurnCommit commit = (TurnCommit) call.argument(1);
        ExecutionMetadata metadata = commit.metadata();
        if (metadata.status() != null && metadata.output() == null) {
          call.replace(
              1,
              TurnCommit.events(
                  commit.executionId(),
                  commit.historyDelta(),
                  metadata.withStatus(metadata.status(), "boom")));
        }
      }
      return call.proceed();
    }
  },
  /** All activities of an execution are as few as those that are named. */
  CANCELS_ONLY_WHAT_IS_NAMED("TCK-CANCEL-61") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      if (call.is("commitTurn")) {
        TurnCommit commit = (TurnCommit) call.argument(1);
        call.replace(1, commit.withCancelledActivities(commit.cancelledActivities()));
      }
      return call.proceed();
    }
  },
  /** Numbers of pins are cut after nine digits. */
  CUTS_LONG_PINS("TCK-CAP-61") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      if (call.is("commitTurn")) {
        Semver pin = ((TurnCommit) call.argument(1)).metadata().pinnedVersion();
        replacePin(
            call,
            pin == null ? null : Semver.of(pin.major() % NINE_DIGITS, pin.minor(), pin.patch()));
      }
      return call.proceed();
    }
  },
  /** A pin that cannot be read breaks every fetch with a filter. */
  STUMBLES_OVER_PINS("TCK-CAP-61") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      if (call.is("fetchOrchestrationItem")
          && ((OrchestrationFetch) call.argument(0)).filter() != null) {
        Provider store = (Provider) call.target();
        store.management().orElseThrow().waitingWork(10, 0).stream()
            .map(WaitingWork::need)
            .filter(Need.Turn.class::isInstance)
            .map(need -> ((Need.Turn) need).pin())
            .filter(Objects::nonNull)
            .forEach(pin -> Semver.parse(pin.text()));
      }
      return call.proceed();
    }
  },
  /** Pins are not stored. */
  FORGETS_PINS("TCK-MGMT-60", "TCK-CAP-03") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      if (call.is("commitTurn")) {
        replacePin(call, null);
      }
      return call.proceed();
    }
  },
  /** What an error broke is done all the same. */
  KEEPS_WHAT_AN_ERROR_BROKE("TCK-ATOM-60", "TCK-ATOM-14") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      try {
        return call.proceed();
      } catch (ProviderException failure) {
        if (call.is("commitTurn") && failure.kind() == ProviderException.Kind.UNAVAILABLE) {
          call.proceed();
        }
        throw failure;
      }
    }
  },
  /** Reads go on without the thread that writes. */
  READS_WITHOUT_ITS_THREAD("TCK-ERR-60") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      try {
        return call.proceed();
      } catch (ProviderException failure) {
        if (call.is("read")) {
          return List.of();
        }
        throw failure;
      }
    }
  },
  /** An activity that comes back has lost where it came from. */
  FORGETS_ORIGINS("TCK-CHAIN-60", "TCK-CHAIN-02") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      Object result = call.proceed();
      if (result instanceof Optional<?> found
          && found.orElse(null) instanceof LockedWork work
          && work.attemptCount() > 1
          && work.item() != null) {
        return Optional.of(
            new LockedWork(
                work.key(),
                withoutOrigin(work.item()),
                null,
                work.lockToken(),
                work.attemptCount()));
      }
      return result;
    }
  },
  /** A preview counts an instance again for each time it is named. */
  COUNTS_AGAIN("TCK-BULK-60") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      Object result = call.proceed();
      return call.is("management")
          ? ((Optional<?>) result)
              .map(admin -> Handles.intercept(ProviderAdmin.class, (ProviderAdmin) admin, this))
          : result instanceof DeleteResult deleted && isNamedTwice(call)
              ? deleted.plus(deleted)
              : result;
    }

    private boolean isNamedTwice(Handles.Call call) {
      return call.argument(0) instanceof InstanceFilter filter
          && filter.instanceIds() != null
          && Set.copyOf(filter.instanceIds()).size() < filter.instanceIds().size();
    }
  },
  /** A start that must be new is queued like any other. */
  STARTS_ANYTHING_ANEW("TCK-INST-60") {
    @Override
    public Object intercept(Handles.Call call) throws Throwable {
      try {
        return call.proceed();
      } catch (ProviderException e) {
        if (e.kind() == ProviderException.Kind.ALREADY_EXISTS) {
          return null;
        }
        throw e;
      }
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

  private static final long NINE_DIGITS = 1_000_000_000;

  private final String noticedBy;

  Defect(String... noticedBy) {
    this.noticedBy = String.join(" ", noticedBy);
  }

  List<String> noticedBy() {
    return List.of(noticedBy.split(" "));
  }

  private static void replacePin(Handles.Call call, Semver pin) {
    TurnCommit commit = (TurnCommit) call.argument(1);
    call.replace(
        1,
        TurnCommit.events(
                commit.executionId(),
                commit.historyDelta(),
                commit.metadata().withPinnedVersion(pin))
            .withWorkerItems(commit.workerItems())
            .withOrchestratorItems(commit.orchestratorItems()));
  }

  private static WorkItem.ActivityExecute withoutOrigin(WorkItem.ActivityExecute item) {
    return new WorkItem.ActivityExecute(
        item.key(), item.name(), item.input(), item.routing(), ActivityOrigin.UNKNOWN);
  }

  private static Duration roundedUp(Duration duration) {
    return Duration.ofSeconds((duration.toMillis() + 999) / 1000);
  }
}
