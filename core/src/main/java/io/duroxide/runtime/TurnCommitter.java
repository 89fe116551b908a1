package io.duroxide.runtime;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WorkClaim;
import io.duroxide.replay.Abandoned;
import io.duroxide.replay.RecordedHistory;
import io.duroxide.replay.TurnOutcome;
import io.duroxide.replay.TurnResult;
import io.duroxide.telemetry.WorkQueue;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes turns to the store.
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
  private final WorkClaims claims;
  private final Consumer<List<ActivityKey>> cancelLocally;

  /**
   * A committer.
   *
   * @param cancelLocally told which activities a commit cancelled, in case they run here
   */
  TurnCommitter(RuntimeParts parts, WorkClaims claims, Consumer<List<ActivityKey>> cancelLocally) {
    this.parts = parts;
    this.claims = claims;
    this.cancelLocally = cancelLocally;
    this.provider = parts.provider();
  }

  /**
   * Commits a turn; empty if it was dropped or failed, in which case the lock is dealt with. What
   * the answer claims is this node's to run.
   */
  Optional<CommittedTurn> commit(LockedOrchestration locked, TurnStart start, TurnCommit commit) {
    WorkClaim claim = claims.reserve(commit, 0);
    int claimed = 0;
    try {
      CommittedTurn committed = ack(locked, commit, claim);
      claimed = committed.claimed().size();
      return Optional.of(committed);
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
            start,
            new ErrorDetails.Infrastructure(e.operation(), String.valueOf(e.getMessage()), false));
      }
      return Optional.empty();
    } finally {
      claims.settle(claim, 0, claimed);
    }
  }

  /** Consumes a batch that changes nothing. */
  void drain(LockedOrchestration locked, TurnCommit commit) {
    try {
      ack(locked, commit, WorkClaim.NONE);
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
        new TurnResult(
            new TurnOutcome.Failed(details),
            List.of(),
            List.of(),
            Abandoned.NOTHING,
            recorded.outstanding(),
            TurnResult.LeftOver.NOTHING);
    TurnCommit commit =
        CommitPlan.of(
            start, result, recorded.lastEventId(), parts.stamp(), parts.options().limits());
    drain(locked, commit);
  }

  /**
   * Ends an execution whose history nobody can read, and tells its parent and its children. If the
   * store has that end already, the batch came too late and is consumed.
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
    TurnCommit commit =
        TurnCommit.events(
                key.executionId(),
                List.of(new Event(key, UNREADABLE_EVENT_ID, null, parts.stamp(), end)),
                ExecutionMetadata.NONE.withStatus(
                    ExecutionStatus.FAILED, end.details().displayMessage()))
            .withOrchestratorItems(relatives.notices(end));
    try {
      ack(locked, commit, WorkClaim.NONE);
    } catch (ProviderException e) {
      if (e.kind() != ProviderException.Kind.DUPLICATE_EVENT) {
        throw e;
      }
      TurnCommit nothing = TurnCommit.nothing(key.executionId());
      ack(locked, nothing.withOrchestratorItems(relatives.answers(end)), WorkClaim.NONE);
    }
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

  private CommittedTurn ack(LockedOrchestration locked, TurnCommit commit, WorkClaim claim) {
    for (int retry = 1; ; retry++) {
      try {
        CommittedTurn committed = store(locked.lockToken(), commit, claim);
        parts.signals().turnCommitted(locked.item(), commit, committed);
        cancelLocally.accept(commit.cancelledActivities());
        return committed;
      } catch (ProviderException e) {
        if (!e.retryable() || retry > Backoffs.ACK_RETRIES) {
          parts.signals().commitFailed(e);
          throw e;
        }
        Duration pause = Backoffs.beforeAckRetry(retry);
        parts
            .signals()
            .commitRetried(WorkQueue.ORCHESTRATOR, locked.item().instance(), e, retry, pause);
        parts.pause(pause);
      }
    }
  }

  private CommittedTurn store(String lockToken, TurnCommit commit, WorkClaim claim) {
    return claim.isEmpty()
        ? provider.ackOrchestrationItem(lockToken, commit)
        : provider.ackOrchestrationItem(lockToken, commit, claim);
  }

  private static void log(LockedOrchestration locked, String message, ProviderException cause) {
    LOG.atWarn()
        .addKeyValue("instance_id", locked.item().instance())
        .addKeyValue("error", cause.getMessage())
        .log(message);
  }
}
