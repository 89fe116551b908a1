package io.duroxide.provider.memory;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.PruneDirective;
import io.duroxide.provider.PruneOutcome;
import io.duroxide.provider.TurnCommit;
import java.time.Instant;
import java.util.List;

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

  /** An instance whose turn was committed. */
  record Committed(String instance, CommittedTurn turn) {}

  /** Commits the turn that {@code token} holds. */
  static Committed commit(Tables tables, String token, TurnCommit commit) {
    Inbox inbox = tables.orchestratorQueue().validHolder(OPERATION, token);
    return new Committed(inbox.instance(), new TurnAck(tables, inbox, commit).apply(token));
  }

  private CommittedTurn apply(String token) {
    Instance instance = writeInstance(tables.now(), token);
    activities.forEach(tables.workerQueue()::enqueue);
    commit.cancelledActivities().forEach(tables.workerQueue()::cancel);
    messages.forEach(tables.orchestratorQueue()::enqueueCommitted);
    tables.orchestratorQueue().consume(inbox);
    return prune(instance);
  }

  private CommittedTurn prune(Instance instance) {
    PruneDirective directive = commit.prune();
    return directive == null
        ? CommittedTurn.PLAIN
        : new CommittedTurn(PruneOutcome.of(Pruning.prune(instance, directive)));
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
