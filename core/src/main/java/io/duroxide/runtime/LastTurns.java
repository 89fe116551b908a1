package io.duroxide.runtime;

import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.StoredHistory;
import io.duroxide.replay.EngineOptions;
import io.duroxide.replay.Execution;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Takes turns of fetched instances, of which those that end an execution may have to wait for mail:
 * code can say that it ends only when mailboxes are empty.
 *
 * <p>If a message of such a mailbox came with the batch and the code ends without having read it,
 * as it does if a timer stands before the message, the turn is computed once more with these
 * messages first. If it leaves them again, it does not want them, and may end. If the store refuses
 * the end because a message is there that the batch lacks, the instance is fetched again, and the
 * batch has it. A batch that comes again without it is full: then it is recorded and no code runs,
 * so that the next one brings what had no room. Thread-safe.
 */
final class LastTurns {
  /** How many instances are remembered at most whose end was refused. */
  private static final int MOST_REMEMBERED = 10_000;

  private final EngineOptions engine;
  private final TurnStorage storage;
  private final Map<String, Integer> refused = new ConcurrentHashMap<>();

  LastTurns(EngineOptions engine, TurnStorage storage) {
    this.engine = engine;
    this.storage = storage;
  }

  /** Takes a turn; empty if it was not stored and the instance has to be fetched again. */
  Optional<CommittedTurn> take(LockedOrchestration locked, TurnTask task) {
    TurnStorage.Attempt attempt = storage.attempt(task);
    if (!attempt.isHeldUpByMail()) {
      return attempt.stored();
    }
    boolean isWhole = locked.item().history() instanceof StoredHistory.Whole;
    TurnTask again = task;
    if (attempt.leavesMail() && isWhole) {
      again = withMailFirst(task, attempt.planned().commit().mustBeEmpty());
      attempt = storage.attemptLeavingMail(again);
    }
    if (attempt.isHeldUpByMail() && !attempt.leavesMail() && isRefusedAgain(locked) && isWhole) {
      attempt = storage.attemptTakingIn(repeated(again, again.run().start()));
    }
    if (attempt.stored().isPresent()) {
      refused.remove(locked.item().instance());
    }
    return attempt.stored();
  }

  /** Whether the same batch came when the end of the instance was refused before. */
  private boolean isRefusedAgain(LockedOrchestration locked) {
    if (refused.size() >= MOST_REMEMBERED) {
      refused.clear();
    }
    int batch = locked.item().messages().items().hashCode();
    Integer before = refused.put(locked.item().instance(), batch);
    return before != null && before == batch;
  }

  private TurnTask withMailFirst(TurnTask task, List<String> queues) {
    return repeated(task, task.run().start().withMailFirst(queues));
  }

  private TurnTask repeated(TurnTask task, TurnStart start) {
    Triage.Run run = new Triage.Run(start, task.run().code());
    Execution execution = TurnRunner.fresh(run, engine);
    return TurnTask.of(task.source(), task.item(), run, execution);
  }
}
