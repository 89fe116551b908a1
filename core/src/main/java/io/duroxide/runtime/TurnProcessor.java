package io.duroxide.runtime;

import io.duroxide.model.ConfigurationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.PoisonSubject;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationItem;
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
  private static final int MAX_POISON_TEXT = 4_000;

  private final RuntimeParts parts;
  private final RuntimeOptions options;
  private final ExecutionCache cache;
  private final TurnCommitter committer;
  private final TurnRunner runner;

  TurnProcessor(RuntimeParts parts, ExecutionCache cache, TurnCommitter committer) {
    this.parts = parts;
    this.options = parts.options();
    this.cache = cache;
    this.committer = committer;
    this.runner = new TurnRunner(parts);
  }

  /**
   * Never throws: whatever goes wrong, the instance is handed back.
   *
   * @return activities that the turn asked for and that this node shall run, a slot taken for each
   */
  List<LockedWork> process(LockedOrchestration locked) {
    try {
      return decide(locked);
    } catch (RuntimeException | Error e) {
      LOG.atError()
          .addKeyValue("instance_id", locked.item().instance())
          .setCause(e)
          .log("turn failed unexpectedly, handing the instance back");
      committer.handBack(locked, Backoffs.HANDED_BACK, false);
      return List.of();
    }
  }

  private List<LockedWork> decide(LockedOrchestration locked) {
    OrchestrationItem item = locked.item();
    boolean exhausted = locked.attemptCount() > options.maxAttempts();
    String unreadable = unreadable(item);
    if (unreadable != null) {
      if (!exhausted) {
        warn(locked, "stored data of the instance cannot be read, handing it back: " + unreadable);
        committer.handBack(locked, Backoffs.HANDED_BACK, false);
        return List.of();
      }
      if (item.history().error() != null) {
        poisonUnreadable(locked, unreadable);
        return List.of();
      }
    }
    boolean cached = item.history().after() > 0;
    @Nullable Execution parked = cache.take(item.execution()).orElse(null);
    if (cached && (parked == null || parked.lastEventId() != item.history().after())) {
      if (parked != null) {
        parked.discard();
      }
      committer.handBack(locked, Duration.ZERO, true);
      return List.of();
    }
    if (!cached && parked != null) {
      parked.discard();
      parked = null;
    }
    return judge(locked, parked, exhausted);
  }

  private static @Nullable String unreadable(OrchestrationItem item) {
    String history = item.history().error();
    return history == null ? item.messages().error() : history;
  }

  private List<LockedWork> judge(
      LockedOrchestration locked, @Nullable Execution parked, boolean exhausted) {
    Triage.Verdict verdict = parts.triage().of(locked.item(), parked);
    if (parked != null && !(verdict instanceof Triage.Run && !exhausted)) {
      parked.discard();
    }
    if (verdict instanceof Triage.Run run && !exhausted) {
      return runTurn(locked, run);
    }
    switch (verdict) {
      case Triage.Drain drain -> drain(locked, drain);
      case Triage.Incompatible incompatible -> incompatible(locked, incompatible, exhausted);
      case Triage.Unregistered unregistered -> unregistered(locked, unregistered, exhausted);
      case Triage.Run run -> poison(locked, run.start());
    }
    return List.of();
  }

  private void drain(LockedOrchestration locked, Triage.Drain drain) {
    warn(locked, "batch consumed without effect: " + drain.reason());
    committer.drain(
        locked,
        TurnCommit.nothing(locked.item().execution().executionId())
            .withOrchestratorItems(drain.answers()));
  }

  private List<LockedWork> runTurn(LockedOrchestration locked, Triage.Run run) {
    Execution execution = run.start().parked();
    if (execution == null) {
      execution = runner.fresh(run);
    }
    boolean parked = false;
    try {
      TurnRunner.Planned planned = runner.run(locked.item(), run, execution);
      Optional<CommittedTurn> committed = committer.commit(locked, run.start(), planned.commit());
      if (committed.isPresent()) {
        runner.committed(locked.item(), planned, committed.get());
        parked = planned.goesOn();
      }
      return committed.map(CommittedTurn::claimed).orElse(List.of());
    } finally {
      if (parked) {
        cache.keep(execution, locked.lockToken());
      } else {
        execution.discard();
      }
    }
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
        shortened(item.messages().items().toString()));
  }

  private static String shortened(String text) {
    return text.length() <= MAX_POISON_TEXT ? text : text.substring(0, MAX_POISON_TEXT) + "…";
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
