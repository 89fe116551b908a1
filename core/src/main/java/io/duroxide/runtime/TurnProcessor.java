package io.duroxide.runtime;

import io.duroxide.model.ConfigurationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.PoisonSubject;
import io.duroxide.model.Semver;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.TurnCommit;
import io.duroxide.replay.Execution;
import io.duroxide.telemetry.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Brings one fetched instance a turn further, or decides why not. Thread-safe. */
final class TurnProcessor {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.turns");

  private final RuntimeParts parts;
  private final RuntimeOptions options;
  private final ExecutionCache cache;
  private final TurnCommitter committer;

  TurnProcessor(RuntimeParts parts, ExecutionCache cache, TurnCommitter committer) {
    this.parts = parts;
    this.options = parts.options();
    this.cache = cache;
    this.committer = committer;
  }

  /**
   * Never throws: whatever goes wrong, the instance is handed back.
   *
   * @return activities that the turn asked for and that this node shall run, a slot taken for each
   */
  List<LockedWork> process(LockedOrchestration locked) {
    try {
      return inTurn(locked);
    } catch (RuntimeException | Error e) {
      parts.signals().met(e);
      LOG.atError()
          .addKeyValue("instance_id", locked.item().instance())
          .setCause(e)
          .log("turn failed unexpectedly, handing the instance back");
      committer.handBack(locked, Backoffs.HANDED_BACK, false);
      return List.of();
    }
  }

  /** Whatever else the instance does here comes to its end first. */
  private List<LockedWork> inTurn(LockedOrchestration locked) {
    Optional<InstanceTurns.Turn> begun = Optional.empty();
    try {
      begun = cache.turns().begin(locked.item().instance(), options.orchestratorLockTimeout());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    if (begun.isEmpty()) {
      warn(locked, "another turn of the instance does not end on this node, handing it back");
      committer.handBack(locked, Backoffs.HANDED_BACK, true);
      return List.of();
    }
    try {
      return decide(locked);
    } finally {
      begun.get().close();
    }
  }

  private List<LockedWork> decide(LockedOrchestration locked) {
    OrchestrationItem item = locked.item();
    boolean exhausted = locked.attemptCount() > options.maxAttempts();
    String unreadable = unreadable(item);
    if (unreadable != null) {
      if (!exhausted) {
        warn(locked, "stored data of the instance cannot be read, handing it back: " + unreadable);
        boolean isLoaded = !(item.history() instanceof StoredHistory.NotLoaded);
        Duration rest = isLoaded ? Backoffs.HANDED_BACK : Backoffs.SET_ASIDE;
        committer.handBack(locked, rest, false);
        return List.of();
      }
      if (item.history() instanceof StoredHistory.Unreadable
          || item.history() instanceof StoredHistory.NotLoaded) {
        poisonUnreadable(locked, unreadable);
        return List.of();
      }
    }
    Optional<Execution> kept = cache.take(item.execution());
    if (item.history() instanceof StoredHistory.Rest rest) {
      if (kept.isEmpty() || kept.get().lastEventId() != rest.after()) {
        kept.ifPresent(Execution::discard);
        committer.handBack(locked, Duration.ZERO, true);
        return List.of();
      }
      return judge(locked, kept.get(), exhausted);
    }
    kept.ifPresent(Execution::discard);
    return judge(locked, null, exhausted);
  }

  private static @Nullable String unreadable(OrchestrationItem item) {
    return switch (item.history()) {
      case StoredHistory.Unreadable history -> history.error();
      case StoredHistory.NotLoaded history -> history.error();
      case StoredHistory.Whole ignored -> item.messages().error();
      case StoredHistory.Rest ignored -> item.messages().error();
    };
  }

  private List<LockedWork> judge(
      LockedOrchestration locked, @Nullable Execution parked, boolean exhausted) {
    Triage.Verdict verdict = verdict(locked.item(), parked);
    if (parked != null && !(verdict instanceof Triage.Run && !exhausted)) {
      parked.discard();
    }
    if (verdict instanceof Triage.Run run && !exhausted) {
      return runTurn(locked, run);
    }
    switch (verdict) {
      case Triage.Drain drain -> drain(locked, drain);
      case Triage.Unbegun unbegun -> unbegun(locked, unbegun, exhausted);
      case Triage.Incompatible incompatible -> incompatible(locked, incompatible, exhausted);
      case Triage.Unregistered unregistered -> unregistered(locked, unregistered, exhausted);
      case Triage.Run run -> poison(locked, run.start());
      case Triage.BegunElsewhere elsewhere -> begunElsewhere(locked, elsewhere.version());
      case Triage.StartLost lost -> startLost(locked, lost.start());
      case Triage.NotWhole notWhole -> {
        warn(locked, "the store left out what a new execution begins with, fetching it again");
        committer.handBack(locked, Duration.ZERO, true);
      }
    }
    return List.of();
  }

  private Triage.Verdict verdict(OrchestrationItem item, @Nullable Execution parked) {
    try {
      return parts.triage().of(item, parked);
    } catch (RuntimeException | Error e) {
      if (parked != null) {
        parked.discard();
      }
      throw e;
    }
  }

  private void drain(LockedOrchestration locked, Triage.Drain drain) {
    warn(locked, "batch consumed without effect: " + drain.reason());
    committer.drain(
        locked,
        TurnCommit.nothing(locked.item().execution().executionId())
            .withOrchestratorItems(drain.answers()));
  }

  private void unbegun(LockedOrchestration locked, Triage.Unbegun unbegun, boolean exhausted) {
    if (exhausted) {
      drain(locked, unbegun.otherwise());
      return;
    }
    warn(
        locked,
        "the store left out the continuation that begins the next execution, handing it back");
    committer.handBack(locked, Backoffs.HANDED_BACK, false);
  }

  private List<LockedWork> runTurn(LockedOrchestration locked, Triage.Run run) {
    Execution execution = run.start().parked();
    if (execution == null) {
      execution = TurnRunner.fresh(run, parts.engine());
    }
    TurnTask task = TurnTask.of(TurnCommitter.source(locked), locked.item(), run, execution);
    return committer.take(locked, task).map(CommittedTurn::claimed).orElse(List.of());
  }

  // Work this node cannot or may not run

  private void incompatible(
      LockedOrchestration locked, Triage.Incompatible incompatible, boolean exhausted) {
    String text =
        "%s is pinned to framework version %s, this node supports %s"
            .formatted(
                locked.item().execution(),
                incompatible.pinned(),
                options.supportedReplayVersions());
    warn(locked, text);
    if (!exhausted) {
      parts
          .signals()
          .versionRefused(locked.item(), incompatible.pinned().toString(), locked.attemptCount());
      committer.handBack(locked, Backoffs.HANDED_BACK, false);
      return;
    }
    ErrorDetails details =
        new ErrorDetails.Configuration(
            ConfigurationErrorKind.INCOMPATIBLE_VERSION, locked.item().orchestrationName(), text);
    committer.fail(locked, incompatible.start(), details);
  }

  /** Its own version is not among those that it replays, so it has no business with it. */
  private void begunElsewhere(LockedOrchestration locked, Semver version) {
    warn(
        locked,
        "%s is pinned to framework version %s or would be, this node supports %s; another node has to begin it"
            .formatted(locked.item().execution(), version, options.supportedReplayVersions()));
    committer.handBack(locked, Backoffs.HANDED_BACK, true);
  }

  private void unregistered(
      LockedOrchestration locked, Triage.Unregistered unregistered, boolean exhausted) {
    if (exhausted) {
      poison(locked, unregistered.start());
      return;
    }
    Duration pause =
        Backoffs.unregistered(
            locked.attemptCount(), options.unregisteredBaseDelay(), options.unregisteredMaxDelay());
    warn(
        locked,
        "orchestration %s@%s is not registered here; trying again in %d ms, will poison in %d more attempts"
            .formatted(
                unregistered.name(),
                unregistered.version() == null ? "latest" : unregistered.version(),
                pause.toMillis(),
                options.maxAttempts() - locked.attemptCount()));
    parts
        .signals()
        .handlerMissing(
            WorkQueue.ORCHESTRATOR,
            unregistered.name(),
            unregistered.version(),
            locked.attemptCount(),
            pause);
    committer.handBack(locked, pause, false);
  }

  private void poison(LockedOrchestration locked, TurnStart start) {
    warn(locked, "exceeded the maximum number of attempts, marking as poison");
    committer.fail(locked, start, poisonDetails(locked, start));
  }

  private void startLost(LockedOrchestration locked, TurnStart start) {
    String text = start.key() + " cannot begin: the start of it is gone or cannot be read";
    warn(locked, text);
    committer.fail(locked, start, new ErrorDetails.Infrastructure("restart", text, false));
  }

  private void poisonUnreadable(LockedOrchestration locked, String error) {
    warn(locked, "unreadable after the maximum number of attempts, marking as poison");
    committer.failUnreadable(
        locked,
        new ErrorDetails.Poison(
            locked.attemptCount(),
            options.maxAttempts(),
            new PoisonSubject.FailedDeserialization(
                locked.item().instance(), locked.item().execution().executionId(), error),
            error));
  }

  private ErrorDetails poisonDetails(LockedOrchestration locked, TurnStart start) {
    OrchestrationItem item = locked.item();
    return new ErrorDetails.Poison(
        locked.attemptCount(),
        options.maxAttempts(),
        new PoisonSubject.Orchestration(item.instance(), start.key().executionId()),
        PoisonText.of(item.messages()));
  }

  private static void warn(LockedOrchestration locked, String message) {
    LOG.atWarn()
        .addKeyValue("instance_id", locked.item().instance())
        .addKeyValue("execution_id", locked.item().execution().executionId())
        .addKeyValue("orchestration_name", locked.item().orchestrationName())
        .addKeyValue("attempt_count", locked.attemptCount())
        .log(message);
  }
}
