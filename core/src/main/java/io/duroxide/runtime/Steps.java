package io.duroxide.runtime;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.MessageBatch;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ShortCut;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.TurnSource;
import io.duroxide.replay.Execution;
import io.duroxide.replay.ExecutionSetup;
import java.util.List;
import java.util.Optional;
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
  private final TurnStorage storage;
  private final boolean taken;

  Steps(RuntimeParts parts, ExecutionCache cache, TurnStorage storage) {
    this.parts = parts;
    this.cache = cache;
    this.storage = storage;
    this.taken =
        parts.options().localSteps() > 0 && parts.provider().shortCuts().contains(ShortCut.STEP);
  }

  /**
   * Commits an outcome with its turn; empty if the outcome has yet to be reported, as it has if no
   * slot for a turn is free or the instance takes one already.
   *
   * @param owned how many slots the caller offers for the activities that the turn asks for
   * @return the activities that are the caller's to run next
   */
  Optional<List<LockedWork>> commit(LockedWork work, WorkItem outcome, int owned) {
    if (!taken || work.attemptCount() > 1) {
      return Optional.empty();
    }
    Optional<InstanceTurns.Turn> begun = cache.turns().tryBegin(work.key().instance());
    if (begun.isEmpty()) {
      return Optional.empty();
    }
    try {
      return cache
          .takeWaitingFor(work.key())
          .flatMap(kept -> stepOrNot(kept, work, outcome, owned))
          .map(CommittedTurn::claimed);
    } finally {
      begun.get().close();
    }
  }

  private Optional<CommittedTurn> stepOrNot(
      ExecutionCache.Kept kept, LockedWork work, WorkItem outcome, int owned) {
    try {
      return step(kept, work, outcome, owned);
    } catch (ProviderException e) {
      LOG.debug("{}: the step was not stored: {}", work.key(), e.getMessage());
    } catch (RuntimeException | Error e) {
      kept.execution().discard();
      LOG.atWarn()
          .addKeyValue("instance_id", work.key().instance())
          .setCause(e)
          .log("the turn after an activity failed here, leaving it to the queue");
    }
    return Optional.empty();
  }

  private Optional<CommittedTurn> step(
      ExecutionCache.Kept kept, LockedWork work, WorkItem outcome, int owned) {
    Execution execution = kept.execution();
    OrchestrationItem item = item(execution, outcome);
    try {
      parts.signals().turnBegins(item);
      if (parts.triage().of(item, execution) instanceof Triage.Run run) {
        TurnSource source =
            new TurnSource.AfterActivity(work.lockToken(), item.execution(), kept.tip());
        return storage.take(
            TurnTask.of(source, item, run, execution)
                .withOwnedSlots(owned)
                .withOnStored(() -> parts.signals().activityReported(work, outcome)));
      }
      execution.discard();
      return Optional.empty();
    } finally {
      parts.signals().stepEnds(item);
    }
  }

  /** What a fetch would return if the outcome were queued and nothing else. */
  private static OrchestrationItem item(Execution parked, WorkItem outcome) {
    ExecutionSetup setup = parked.setup();
    return new OrchestrationItem(
        setup.key(),
        setup.name(),
        setup.version(),
        new StoredHistory.Rest(parked.lastEventId(), List.of()),
        new MessageBatch(List.of(outcome), null));
  }
}
