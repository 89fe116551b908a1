package io.duroxide.provider.memory;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.CommittedStep;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.PruneOutcome;
import io.duroxide.provider.StartCommit;
import io.duroxide.provider.StepCommit;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WorkClaim;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The commit of one turn. Everything that could be refused is checked before anything is changed,
 * so that a refused commit leaves no trace. Guarded by the gate.
 */
final class TurnAck {
  private static final String OPERATION = "ackOrchestrationItem";

  private final Tables tables;
  private final Inbox inbox;
  private final TurnCommit commit;
  private final List<WorkItem.ActivityExecute> activities;
  private final List<WorkItem.ForOrchestrator> messages;

  private TurnAck(Tables tables, Inbox inbox, TurnCommit commit) {
    this.tables = tables;
    this.inbox = inbox;
    this.commit = commit;
    this.activities =
        commit.workerItems().stream().map(item -> WorkerQueue.check(OPERATION, item)).toList();
    this.messages =
        commit.orchestratorItems().stream()
            .map(item -> OrchestratorQueue.check(OPERATION, item))
            .toList();
    ExecutionKey key = new ExecutionKey(inbox.instance(), commit.executionId());
    Execution stored = tables.instances().execution(key).orElse(null);
    Execution.check(OPERATION, key, stored, commit.historyDelta());
  }

  /** Commits the turn that {@code token} holds; returns its instance and what came of it. */
  static Committed commit(Tables tables, String token, TurnCommit commit, WorkClaim claim) {
    Inbox inbox = tables.orchestratorQueue().validHolder(OPERATION, token);
    CommittedTurn turn = new TurnAck(tables, inbox, commit).apply(token, claim);
    return new Committed(inbox.instance(), turn);
  }

  /** A committed turn. */
  record Committed(String instance, CommittedTurn turn) {}

  /** Commits an activity's end and the turn it causes, if nobody else has to do with either. */
  static Optional<CommittedStep> commit(Tables tables, String workToken, StepCommit step) {
    Task task = tables.workerQueue().validHolder("ackStep", workToken);
    OrchestratorQueue queue = tables.orchestratorQueue();
    String instance = step.execution().instance();
    if (!isUndisturbed(tables, step) || !queue.isQuiet(instance)) {
      return Optional.empty();
    }
    Inbox inbox = queue.findOrNew(instance);
    TurnAck ack = new TurnAck(tables, inbox, step.turn());
    String token = queue.take(inbox, Batch.EMPTY, step.claim().lockTimeout());
    tables.workerQueue().remove(task);
    tables.sessions().touch(task.lane().session());
    return Optional.of(new CommittedStep(token, ack.apply(token, step.claim())));
  }

  /** Commits a new instance and its first turn, if nothing is known of it. */
  static Optional<CommittedStep> commit(Tables tables, StartCommit start) {
    OrchestratorQueue queue = tables.orchestratorQueue();
    String instance = start.start().instance();
    if (tables.instances().isKnown(instance)
        || queue.hasAny(instance)
        || tables.workerQueue().hasAny(instance)) {
      return Optional.empty();
    }
    Inbox inbox = queue.findOrNew(instance);
    TurnAck ack = new TurnAck(tables, inbox, start.turn());
    String token = queue.take(inbox, Batch.EMPTY, start.claim().lockTimeout());
    return Optional.of(new CommittedStep(token, ack.apply(token, start.claim())));
  }

  /** Whether nothing was recorded since the caller's last commit. */
  private static boolean isUndisturbed(Tables tables, StepCommit step) {
    CachedHistory.Tip tip = step.tip();
    return tables
        .instances()
        .existing(step.execution().instance())
        .filter(known -> known.lastCommittedBy(tip.commitToken()))
        .filter(known -> known.endsAt(step.execution(), tip.lastEventId()))
        .isPresent();
  }

  private CommittedTurn apply(String token, WorkClaim claim) {
    Instance instance = writeInstance(tables.now(), token);
    List<LockedWork> claimed = new ArrayList<>();
    for (WorkItem.ActivityExecute activity : activities) {
      boolean mine =
          claim.activityIds().contains(activity.key().activityId())
              && activity.instance().equals(inbox.instance());
      if (mine) {
        claimed.add(tables.workerQueue().enqueueLocked(activity, claim.lockTimeout()));
      } else {
        tables.workerQueue().enqueue(activity);
      }
    }
    commit.cancelledActivities().forEach(tables.workerQueue()::cancel);
    messages.forEach(tables.orchestratorQueue()::enqueueCommitted);
    tables.orchestratorQueue().consume(inbox);
    return new CommittedTurn(prune(instance), claimed);
  }

  private @Nullable PruneOutcome prune(Instance instance) {
    PruneOptions options = commit.prune();
    return options == null ? null : PruneOutcome.of(Pruning.prune(instance, options));
  }

  private Instance writeInstance(Instant now, String token) {
    Instance instance = tables.instances().findOrNew(inbox.instance(), now);
    instance.committedBy(token);
    instance.note(commit.metadata(), commit.executionId(), now);
    tables.instances().adopt(instance);
    Execution execution = instance.executionOrNew(commit.executionId(), now);
    execution.append(commit.historyDelta());
    execution.note(commit.metadata(), now);
    instance.noteCustomStatus(commit.historyDelta());
    instance.kv().apply(commit.historyDelta(), now);
    ExecutionStatus status = commit.metadata().status();
    if (status != null && status.isTerminal()) {
      instance.kv().merge();
    }
    return instance;
  }
}
