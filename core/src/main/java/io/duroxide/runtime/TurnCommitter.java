package io.duroxide.runtime;

import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.EventStamp;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.CancelledActivities;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.InstanceStats;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.replay.RecordedHistory;
import io.duroxide.replay.TurnOutcome;
import io.duroxide.replay.TurnResult;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes turns of fetched instances to the store.
 *
 * <p>A passing error is tried again and then handed back, never turned into a failure of the
 * orchestration: a turn is deterministic, so repeating it is safe. A lost lock means that another
 * node repeats it. Only a commit that the store refuses for good fails the orchestration.
 */
final class TurnCommitter {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.runtime.turns");

  /** Written without reading the history, whose ids are unknown. */
  private static final long UNREADABLE_EVENT_ID = 99_999;

  private static final Duration AFTER_OUTAGE = Duration.ofMillis(50);

  private final RuntimeParts parts;
  private final Provider provider;
  private final TurnStorage storage;
  private final LastTurns lastTurns;

  TurnCommitter(RuntimeParts parts, TurnStorage storage) {
    this.parts = parts;
    this.storage = storage;
    this.lastTurns = new LastTurns(parts.engine(), storage);
    this.provider = parts.provider();
  }

  /**
   * Takes a turn; empty if it was dropped or failed, in which case the lock is dealt with. What the
   * answer claims is this node's to run.
   */
  Optional<CommittedTurn> take(LockedOrchestration locked, TurnTask task) {
    try {
      Optional<CommittedTurn> stored = lastTurns.take(locked, task);
      if (stored.isEmpty()) {
        handBack(locked, Duration.ZERO, true);
      }
      return stored;
    } catch (ProviderException e) {
      if (e.kind() == ProviderException.Kind.LOCK_LOST) {
        log(locked, "lock lost, the turn is left to whoever holds it", e);
      } else if (e.retryable()) {
        log(locked, "the store did not take the turn, handing it back", e);
        handBack(locked, AFTER_OUTAGE, true);
      } else {
        log(locked, "the store refuses the turn, failing the orchestration", e);
        fail(
            locked,
            task.run().start(),
            new ErrorDetails.Infrastructure(e.operation(), String.valueOf(e.getMessage()), false));
      }
      return Optional.empty();
    }
  }

  /** Consumes a batch that changes nothing. */
  void drain(LockedOrchestration locked, TurnCommit commit) {
    try {
      store(locked, commit);
    } catch (ProviderException e) {
      handBackAfter(locked, e);
    }
  }

  /** Ends the execution with an error, cancelling what it left open and telling its parent. */
  void fail(LockedOrchestration locked, TurnStart start, ErrorDetails details) {
    List<Event> history =
        start.parked() == null ? start.history() : provider.readWithExecution(start.key());
    RecordedHistory recorded = new RecordedHistory(start.key(), history);
    TurnResult result =
        new TurnResult(new TurnOutcome.Failed(details), List.of(), recorded.outstanding());
    EventStamp stamp =
        history.isEmpty() ? parts.stamp() : parts.stamp().notBefore(history.getLast().stamp().at());
    TurnCommit commit =
        CommitPlan.of(start, result, recorded.lastEventId(), stamp, parts.options().limits());
    drain(locked, commit);
  }

  /**
   * Ends an execution whose history nobody can read, removes its activities, and tells its parent
   * and its children. If it has ended already, which its status says, the batch is consumed.
   */
  void failUnreadable(LockedOrchestration locked, ErrorDetails details) {
    try {
      endUnreadable(locked, new EventKind.OrchestrationFailed(details));
    } catch (ProviderException e) {
      handBackAfter(locked, e);
    }
  }

  private void endUnreadable(LockedOrchestration locked, EventKind.OrchestrationFailed end) {
    ExecutionKey key = locked.item().execution();
    Relatives relatives = new Relatives(provider, locked.item());
    if (hasEnded(key)) {
      TurnCommit nothing = TurnCommit.nothing(key.executionId());
      store(locked, nothing.withOrchestratorItems(relatives.answers(end)));
      return;
    }
    TurnCommit commit =
        TurnCommit.events(
                key.executionId(),
                List.of(new Event(key, unreadableEventId(key), null, parts.stamp(), end)),
                ExecutionMetadata.NONE.withStatus(
                    ExecutionStatus.FAILED, end.details().displayMessage()))
            .withOrchestratorItems(relatives.notices(end))
            .withCancelled(CancelledActivities.WHOLE_EXECUTION);
    store(locked, commit);
  }

  private boolean hasEnded(ExecutionKey key) {
    return provider
        .status(key.instance())
        .filter(status ->
            status.executionId() > key.executionId()
                || (status.executionId() == key.executionId() && status.status().endsInstance()))
        .isPresent();
  }

  /** A history has as many events as its last one says; a very long one reaches the usual id. */
  private long unreadableEventId(ExecutionKey key) {
    long stored =
        provider.instanceStats(key.instance()).map(InstanceStats::historyEventCount).orElse(0L);
    return Math.max(UNREADABLE_EVENT_ID, stored + 1);
  }

  /** An outage costs no attempt; a refusal does, and is not repeated in a hurry. */
  private void handBackAfter(LockedOrchestration locked, ProviderException e) {
    log(locked, "the store did not take the end of the instance, handing it back", e);
    if (e.retryable()) {
      handBack(locked, AFTER_OUTAGE, true);
    } else if (e.kind() != ProviderException.Kind.LOCK_LOST) {
      handBack(locked, Backoffs.HANDED_BACK, false);
    }
  }

  /** Gives the instance back to the queue. */
  void handBack(LockedOrchestration locked, Duration delay, boolean ignoreAttempt) {
    try {
      provider.abandonOrchestrationItem(locked.lockToken(), delay, ignoreAttempt);
    } catch (ProviderException e) {
      log(locked, "could not hand the instance back, its lock will expire", e);
    }
  }

  private void store(LockedOrchestration locked, TurnCommit commit) {
    storage.store(source(locked), locked.item(), commit);
  }

  /** What gives the holder of a lock the right to commit. */
  static TurnSource source(LockedOrchestration locked) {
    return new TurnSource.Fetched(locked.lockToken());
  }

  private static void log(LockedOrchestration locked, String message, ProviderException cause) {
    LOG.atWarn()
        .addKeyValue("instance_id", locked.item().instance())
        .addKeyValue("error", cause.getMessage())
        .log(message);
  }
}
