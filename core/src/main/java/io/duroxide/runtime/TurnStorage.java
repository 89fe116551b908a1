package io.duroxide.runtime;

import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.CancelledActivities;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkClaim;
import io.duroxide.replay.CodeLeft;
import io.duroxide.replay.Execution;
import io.duroxide.telemetry.NodeEvent.VainReason;
import io.duroxide.telemetry.WorkQueue;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;

/**
 * Takes turns, whatever caused them: computes the turn, takes slots for the activities that this
 * node runs itself, stores, tells, and keeps the execution or discards it.
 *
 * <p>Once a turn is stored, nothing keeps the caller from running what it claimed: an error in what
 * follows is noted and costs the kept execution at most. Thread-safe.
 */
final class TurnStorage {
  private final RuntimeParts parts;
  private final Provider provider;
  private final Signals signals;
  private final ExecutionCache cache;
  private final WorkClaims claims;
  private final BiConsumer<ExecutionKey, CancelledActivities> cancelLocally;
  private final TurnRunner runner;
  private final RoundGuard guard;

  /**
   * A storage.
   *
   * @param cancelLocally told which activities a commit cancelled, in case they run here
   */
  TurnStorage(
      RuntimeParts parts,
      ExecutionCache cache,
      WorkClaims claims,
      BiConsumer<ExecutionKey, CancelledActivities> cancelLocally) {
    this.parts = parts;
    this.provider = parts.provider();
    this.signals = parts.signals();
    this.cache = cache;
    this.claims = claims;
    this.cancelLocally = cancelLocally;
    this.runner = new TurnRunner(parts);
    this.guard = new RoundGuard("duroxide-turns-" + parts.runtimeId(), parts.time(), signals::met);
  }

  /**
   * Takes a turn. The answer is empty if something else has to do with the instance, or this node
   * closes: nothing is stored then. Code that is left behind by {@link CodeLeft} is the caller's to
   * discard.
   */
  Optional<CommittedTurn> take(TurnTask task) {
    return attempt(task).stored();
  }

  /** As {@link #take}, and tells why it was not stored. */
  Attempt attempt(TurnTask task) {
    return attempt(task, runner::run);
  }

  /**
   * What became of a turn.
   *
   * @param planned as it was computed
   * @param stored empty if it was not stored
   */
  record Attempt(TurnRunner.Planned planned, Optional<CommittedTurn> stored) {
    /** Whether it would have ended the execution, if it were not for a message that came. */
    boolean isHeldUpByMail() {
      return stored.isEmpty() && !planned.commit().mustBeEmpty().isEmpty();
    }

    /** Whether the message came along and the code did not read it. */
    boolean leavesMail() {
      return planned.leavesMail();
    }
  }

  /** As {@link #attempt}, but code that leaves its mail unread may end. */
  Attempt attemptLeavingMail(TurnTask task) {
    return attempt(
        task,
        asked -> {
          TurnRunner.Planned planned = runner.run(asked);
          return planned.leavesMail() ? planned.withoutMailRules() : planned;
        });
  }

  /** Stores what arrived as events; the turn that follows runs the code. */
  Attempt attemptTakingIn(TurnTask task) {
    return attempt(task, runner::takeIn);
  }

  private Attempt attempt(TurnTask task, Function<TurnTask, TurnRunner.Planned> compute) {
    boolean settled = false;
    try {
      TurnRunner.Planned planned = compute.apply(task);
      Optional<CommittedTurn> stored = storeOrNot(task, planned);
      settled = stored.isPresent() && follow(task, planned, stored.get());
      return new Attempt(planned, stored);
    } catch (CodeLeft left) {
      settled = true;
      throw left;
    } finally {
      if (!settled) {
        discard(task.execution());
      }
    }
  }

  private Optional<CommittedTurn> storeOrNot(TurnTask task, TurnRunner.Planned planned) {
    if (isClosed(task.source())) {
      return inVain(VainReason.CLOSED);
    }
    return planned.leavesMail() ? inVain(VainReason.MAIL) : reserveAndStore(task, planned);
  }

  /** A client does not wait for a node that closes; a turn that was fetched has some time left. */
  private boolean isClosed(TurnSource source) {
    return cache.isClosed()
        || (source instanceof TurnSource.NewInstance && cache.turns().slots().isClosed());
  }

  private Optional<CommittedTurn> inVain(VainReason reason) {
    signals.turnInVain(reason);
    return Optional.empty();
  }

  private Optional<CommittedTurn> reserveAndStore(TurnTask task, TurnRunner.Planned planned) {
    WorkClaim claim = claims.reserve(planned.commit(), task.ownedSlots());
    int claimed = 0;
    try {
      Optional<CommittedTurn> stored = store(task.source(), task.item(), planned.commit(), claim);
      if (stored.isEmpty()) {
        boolean isFetched = task.source() instanceof TurnSource.Fetched;
        return inVain(isFetched ? VainReason.MAIL : VainReason.RACE);
      }
      claimed = stored.get().claimed().size();
      return stored;
    } catch (ProviderException e) {
      boolean lockLost = e.kind() == ProviderException.Kind.LOCK_LOST;
      signals.turnInVain(lockLost ? VainReason.LOCK_LOST : VainReason.STORE);
      throw e;
    } finally {
      claims.settle(claim, task.ownedSlots(), claimed);
    }
  }

  /** Whether the execution is kept. */
  private boolean follow(TurnTask task, TurnRunner.Planned planned, CommittedTurn turn) {
    try {
      task.onStored().run();
      tell(task.item(), planned.commit(), turn);
      runner.committed(task.item(), planned, turn);
      if (planned.isParked()) {
        cache.keep(task.execution(), turn.commitToken());
        return true;
      }
    } catch (RuntimeException | Error e) {
      guard.note(e);
    }
    return false;
  }

  private void discard(Execution execution) {
    try {
      execution.discard();
    } catch (RuntimeException | Error e) {
      guard.note(e);
    }
  }

  /** Stores what no execution of this node brought about, and claims nothing. */
  void store(TurnSource source, OrchestrationItem item, TurnCommit commit) {
    store(source, item, commit, WorkClaim.NONE).ifPresent(turn -> tell(item, commit, turn));
  }

  private void tell(OrchestrationItem item, TurnCommit commit, CommittedTurn turn) {
    signals.turnCommitted(item, commit, turn);
    cancelLocally.accept(
        new ExecutionKey(item.instance(), commit.executionId()), commit.cancelled());
  }

  /**
   * A passing error is waited out for a while by whoever has the lock of the instance. For the
   * others the queue is the better way.
   */
  private Optional<CommittedTurn> store(
      TurnSource source, OrchestrationItem item, TurnCommit commit, WorkClaim claim) {
    int retries = source instanceof TurnSource.Fetched ? Backoffs.ACK_RETRIES : 0;
    for (int retry = 1; ; retry++) {
      try {
        return provider.commitTurn(source, commit, claim);
      } catch (ProviderException e) {
        if (!e.retryable() || retry > retries) {
          if (retries > 0) {
            signals.commitFailed(e);
          }
          throw e;
        }
        Duration pause = Backoffs.beforeAckRetry(retry);
        signals.commitRetried(WorkQueue.ORCHESTRATOR, item.instance(), e, retry, pause);
        parts.pause(pause);
      }
    }
  }
}
