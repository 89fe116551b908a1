package io.duroxide.runtime;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.CommittedStep;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.MessageBatch;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.StepCommit;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.WorkClaim;
import io.duroxide.replay.Execution;
import io.duroxide.replay.ExecutionSetup;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the turn that an activity's outcome causes right where the activity ended, and commits both
 * at once.
 *
 * <p>This is a short cut past the queue, for an execution that waits in memory for this activity
 * alone. Whatever stands in its way, the outcome is reported the ordinary way, and the execution is
 * forgotten and rebuilt from what is stored. Thread-safe.
 */
final class Steps {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.turns");

  private final RuntimeParts parts;
  private final ExecutionCache cache;
  private final TurnRunner runner;
  private final WorkClaims claims;
  private final Consumer<List<ActivityKey>> cancelLocally;

  Steps(
      RuntimeParts parts,
      ExecutionCache cache,
      WorkClaims claims,
      Consumer<List<ActivityKey>> cancelLocally) {
    this.parts = parts;
    this.cache = cache;
    this.runner = new TurnRunner(parts);
    this.claims = claims;
    this.cancelLocally = cancelLocally;
  }

  /**
   * Commits an outcome with its turn; empty if the outcome has yet to be reported.
   *
   * @param owned how many slots the caller offers for the activities that the turn asks for
   * @return the activities that are the caller's to run next
   */
  Optional<List<LockedWork>> commit(LockedWork work, WorkItem outcome, int owned) {
    if (parts.options().localSteps() == 0 || work.attemptCount() > 1) {
      return Optional.empty();
    }
    return cache.takeWaitingFor(work.key()).flatMap(kept -> step(kept, work, outcome, owned));
  }

  private Optional<List<LockedWork>> step(
      ExecutionCache.Kept kept, LockedWork work, WorkItem outcome, int owned) {
    Optional<CommittedStep> committed = Optional.empty();
    boolean goesOn = false;
    OrchestrationItem item = item(kept.execution(), outcome);
    parts.signals().stepBegins(item);
    try {
      if (parts.triage().of(item, kept.execution()) instanceof Triage.Run run) {
        CachedHistory.Tip tip = kept.tip();
        TurnRunner.Planned planned = runner.run(item, run, kept.execution());
        goesOn = planned.goesOn();
        committed = commit(work, item, tip, planned, owned);
      }
    } catch (ProviderException e) {
      LOG.debug("{}: the step was not stored: {}", work.key(), e.getMessage());
    } catch (RuntimeException | Error e) {
      LOG.atWarn()
          .addKeyValue("instance_id", work.key().instance())
          .setCause(e)
          .log("the turn after an activity failed here, leaving it to the queue");
    } finally {
      parts.signals().stepEnds(item);
      if (committed.isPresent() && goesOn) {
        cache.keep(kept.execution(), committed.get().commitToken());
      } else {
        kept.execution().discard();
      }
    }
    return committed.map(step -> step.turn().claimed());
  }

  private Optional<CommittedStep> commit(
      LockedWork work,
      OrchestrationItem item,
      CachedHistory.Tip tip,
      TurnRunner.Planned planned,
      int owned) {
    WorkClaim claim = claims.reserve(planned.commit(), owned);
    int claimed = 0;
    try {
      Optional<CommittedStep> committed =
          parts
              .provider()
              .ackStep(
                  work.lockToken(), new StepCommit(item.execution(), tip, planned.commit(), claim));
      if (committed.isPresent()) {
        claimed = committed.get().turn().claimed().size();
        parts.signals().stepCommitted(work, item, planned.commit(), committed.get().turn());
        cancelLocally.accept(planned.commit().cancelledActivities());
        runner.committed(item, planned, committed.get().turn());
      }
      return committed;
    } finally {
      claims.settle(claim, owned, claimed);
    }
  }

  /** What a fetch would return if the outcome were queued and nothing else. */
  private static OrchestrationItem item(Execution parked, WorkItem outcome) {
    ExecutionSetup setup = parked.setup();
    return new OrchestrationItem(
        setup.key(),
        setup.name(),
        setup.version(),
        new StoredHistory(parked.lastEventId(), List.of(), null),
        new MessageBatch(List.of(outcome), null),
        Map.of());
  }
}
