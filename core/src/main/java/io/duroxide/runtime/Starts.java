package io.duroxide.runtime;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CommittedStep;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.MessageBatch;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.StartCommit;
import io.duroxide.provider.Starter;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.WorkClaim;
import io.duroxide.replay.Execution;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Runs the first turn of an instance right where a client starts it, and commits both at once.
 *
 * <p>This is a short cut past the queue, for an instance that nobody has heard of and that this
 * node can run. Code does not run for one that exists, so it asks first. Whatever stands in its
 * way, the start is queued the ordinary way. Thread-safe.
 */
final class Starts implements Starter {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.turns");

  private final RuntimeParts parts;
  private final ExecutionCache cache;
  private final TurnRunner runner;
  private final WorkClaims claims;
  private final Slots slots;
  private final Consumer<LockedWork> launch;

  /**
   * A short cut.
   *
   * @param slots for turns
   * @param launch runs an activity for which a slot was taken
   */
  Starts(
      RuntimeParts parts,
      ExecutionCache cache,
      WorkClaims claims,
      Slots slots,
      Consumer<LockedWork> launch) {
    this.parts = parts;
    this.cache = cache;
    this.runner = new TurnRunner(parts);
    this.claims = claims;
    this.slots = slots;
    this.launch = launch;
  }

  @Override
  public boolean begin(WorkItem.StartOrchestration start) {
    if (parts.options().localSteps() == 0 || slots.isClosed() || !slots.tryTake()) {
      return false;
    }
    OrchestrationItem item = item(start);
    parts.signals().stepBegins(item);
    try {
      return parts.triage().of(item, null) instanceof Triage.Run run
          && parts.provider().status(start.instance()).isEmpty()
          && begin(start, item, run);
    } catch (ProviderException e) {
      LOG.debug("{}: the first turn was not stored: {}", start.instance(), e.getMessage());
      return false;
    } catch (RuntimeException | Error e) {
      LOG.atWarn()
          .addKeyValue("instance_id", start.instance())
          .setCause(e)
          .log("the first turn failed here, leaving it to the queue");
      return false;
    } finally {
      parts.signals().stepEnds(item);
      slots.giveBack();
    }
  }

  private boolean begin(WorkItem.StartOrchestration start, OrchestrationItem item, Triage.Run run) {
    Execution execution = runner.fresh(run);
    Optional<CommittedStep> committed = Optional.empty();
    boolean goesOn = false;
    try {
      TurnRunner.Planned planned = runner.run(item, run, execution);
      goesOn = planned.goesOn();
      committed = commit(start, item, planned);
    } finally {
      if (committed.isPresent() && goesOn) {
        cache.keep(execution, committed.get().commitToken());
      } else {
        execution.discard();
      }
    }
    committed.ifPresent(step -> step.turn().claimed().forEach(launch));
    return committed.isPresent();
  }

  private Optional<CommittedStep> commit(
      WorkItem.StartOrchestration start, OrchestrationItem item, TurnRunner.Planned planned) {
    WorkClaim claim = claims.reserve(planned.commit(), 0);
    int claimed = 0;
    try {
      Optional<CommittedStep> committed =
          parts.provider().ackStart(new StartCommit(start, planned.commit(), claim));
      if (committed.isPresent()) {
        CommittedTurn turn = committed.get().turn();
        claimed = turn.claimed().size();
        parts.signals().turnCommitted(item, planned.commit(), turn);
        runner.committed(item, planned, turn);
      }
      return committed;
    } finally {
      claims.settle(claim, 0, claimed);
    }
  }

  /** What a fetch would return if the start were queued and nothing else. */
  private static OrchestrationItem item(WorkItem.StartOrchestration start) {
    String version = start.version();
    return new OrchestrationItem(
        new ExecutionKey(start.instance(), ExecutionKey.FIRST),
        start.orchestration(),
        version == null ? "unknown" : version,
        new StoredHistory(0, List.of(), null),
        new MessageBatch(List.of(start), null),
        Map.of());
  }
}
