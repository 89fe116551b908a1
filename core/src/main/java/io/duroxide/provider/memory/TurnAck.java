package io.duroxide.provider.memory;

import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CachedHistory;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.PruneOutcome;
import io.duroxide.provider.TextChecks;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
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
  private static final String OPERATION = "commitTurn";

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
    TextChecks.check(OPERATION, commit);
    Execution.checkIds(OPERATION, key(), commit.historyDelta());
  }

  private ExecutionKey key() {
    return new ExecutionKey(inbox.instance(), commit.executionId());
  }

  /** Refuses events that are stored already. */
  private TurnAck checked() {
    Execution stored = tables.instances().execution(key()).orElse(null);
    Execution.checkNew(OPERATION, key(), stored, commit.historyDelta());
    return this;
  }

  /** Commits a turn if its source allows it. */
  static Optional<Committed> commit(
      Tables tables, TurnSource source, TurnCommit commit, WorkClaim claim) {
    return switch (source) {
      case TurnSource.Fetched fetched -> {
        String token = fetched.lockToken();
        Inbox inbox = tables.orchestratorQueue().validHolder(OPERATION, token);
        TurnAck ack = new TurnAck(tables, inbox, commit);
        Batch batch = OrchestratorQueue.lockOf(inbox).batch();
        yield tables.orchestratorQueue().hasOtherMail(inbox, commit.mustBeEmpty(), batch)
            ? Optional.empty()
            : Optional.of(ack.checked().apply(token, claim));
      }
      case TurnSource.AfterActivity step -> after(tables, step, commit, claim);
      case TurnSource.NewInstance begun -> first(tables, begun.start(), commit, claim);
    };
  }

  /** A committed turn. */
  record Committed(String instance, CommittedTurn turn) {}

  /** Commits an activity's end and the turn it causes, if nobody else has to do with either. */
  private static Optional<Committed> after(
      Tables tables, TurnSource.AfterActivity step, TurnCommit commit, WorkClaim claim) {
    Task task = tables.workerQueue().validHolder(OPERATION, step.workToken());
    OrchestratorQueue queue = tables.orchestratorQueue();
    String instance = step.execution().instance();
    if (!isUndisturbed(tables, step) || !queue.isQuiet(instance)) {
      return Optional.empty();
    }
    Inbox inbox = queue.findOrNew(instance);
    TurnAck ack = new TurnAck(tables, inbox, commit).checked();
    if (queue.hasOtherMail(inbox, commit.mustBeEmpty(), Batch.EMPTY)) {
      return Optional.empty();
    }
    String token = queue.take(inbox, Batch.EMPTY, claim.lockTimeout());
    tables.workerQueue().remove(task);
    tables.sessions().touch(task.lane().session());
    return Optional.of(ack.apply(token, claim));
  }

  /** Commits a new instance and its first turn, if nothing is known of it. */
  private static Optional<Committed> first(
      Tables tables, WorkItem.StartOrchestration start, TurnCommit commit, WorkClaim claim) {
    OrchestratorQueue queue = tables.orchestratorQueue();
    String instance = start.instance();
    if (tables.instances().isKnown(instance)
        || queue.hasAny(instance)
        || tables.workerQueue().hasAny(instance)) {
      return Optional.empty();
    }
    Inbox inbox = queue.findOrNew(instance);
    TurnAck ack = new TurnAck(tables, inbox, commit).checked();
    String token = queue.take(inbox, Batch.EMPTY, claim.lockTimeout());
    return Optional.of(ack.apply(token, claim));
  }

  /** Whether nothing was recorded since the caller's last commit. */
  private static boolean isUndisturbed(Tables tables, TurnSource.AfterActivity step) {
    CachedHistory.Tip tip = step.tip();
    return tables
        .instances()
        .existing(step.execution().instance())
        .filter(known -> known.lastCommittedBy(tip.commitToken()))
        .filter(known -> known.endsAt(step.execution(), tip.lastEventId()))
        .isPresent();
  }

  private Committed apply(String token, WorkClaim claim) {
    Instance instance = writeInstance(tables.now(), token);
    List<LockedWork> claimed = new ArrayList<>();
    for (WorkItem.ActivityExecute activity : activities) {
      if (claim.includes(inbox.instance(), activity.key(), commit)) {
        claimed.add(tables.workerQueue().enqueueLocked(activity, claim.lockTimeout()));
      } else {
        tables.workerQueue().enqueue(activity);
      }
    }
    commit.cancelledActivities().forEach(tables.workerQueue()::cancel);
    if (commit.cancelled().wholeExecution()) {
      tables.workerQueue().cancelAll(key());
    }
    withdrawTimers();
    messages.forEach(tables.orchestratorQueue()::enqueueCommitted);
    inbox.mailboxes(commit.mailboxes());
    tables.orchestratorQueue().consume(inbox);
    return new Committed(inbox.instance(), new CommittedTurn(token, prune(instance), claimed));
  }

  private void withdrawTimers() {
    OrchestratorQueue queue = tables.orchestratorQueue();
    long execution = commit.executionId();
    for (long timer : commit.withdrawn().timers()) {
      queue.remove(inbox, inbox.timer(execution, timer));
    }
    ExecutionStatus status = commit.metadata().status();
    if (status != null && status.isTerminal()) {
      queue.remove(inbox, inbox.timers(execution));
    }
  }

  private @Nullable PruneOutcome prune(Instance instance) {
    PruneOptions options = commit.prune();
    return options == null ? null : PruneOutcome.of(Pruning.prune(instance, options));
  }

  private Instance writeInstance(Instant now, String token) {
    Instance instance = tables.instances().findOrNew(inbox.instance(), now);
    instance.committedBy(token);
    instance.mailboxes(commit.mailboxes());
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
