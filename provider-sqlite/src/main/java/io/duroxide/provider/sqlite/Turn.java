package io.duroxide.provider.sqlite;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.MailboxRules;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.PruneOptions;
import io.duroxide.provider.PruneOutcome;
import io.duroxide.provider.TextChecks;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WorkClaim;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What one turn changes. Built, and its parts encoded, by the caller; written by the writer.
 * Whatever can be refused is refused before the first write.
 */
final class Turn {
  static final String OPERATION = "commitTurn";

  private final TurnCommit commit;
  private final WorkClaim claim;
  private final @Nullable ProviderException invalid;
  private final Parts parts;

  /** The commit as it is stored. */
  private record Parts(
      NewEvents events,
      List<NewWork> activities,
      List<NewMessage> messages,
      List<EventKind> values,
      EventKind.@Nullable CustomStatusUpdated customStatus) {
    static final Parts NONE = new Parts(NewEvents.NONE, List.of(), List.of(), List.of(), null);

    static Parts of(TurnCommit commit) {
      TextChecks.check(OPERATION, commit);
      for (Event event : commit.historyDelta()) {
        if (event.id() < 1) {
          throw Refusal.invalid(OPERATION, "event ids begin at 1, got " + event.id());
        }
      }
      return new Parts(
          NewEvents.of(commit.historyDelta()),
          commit.workerItems().stream().map(item -> NewWork.of(OPERATION, item)).toList(),
          commit.orchestratorItems().stream().map(item -> NewMessage.of(OPERATION, item)).toList(),
          Values.changes(commit.historyDelta()),
          CustomStatuses.change(commit.historyDelta()));
    }
  }

  /** A lost lock is told before an invalid item, so the latter is kept until the lock is seen. */
  Turn(TurnCommit commit, WorkClaim claim) {
    this.commit = commit;
    this.claim = claim;
    Parts encoded = Parts.NONE;
    ProviderException refusal = null;
    try {
      encoded = Parts.of(commit);
    } catch (ProviderException notStorable) {
      refusal = notStorable;
    }
    this.parts = encoded;
    this.invalid = refusal;
  }

  /** Refuses what can never be stored. */
  void check() {
    if (invalid != null) {
      throw invalid;
    }
  }

  /** Whether a message is left in a mailbox that must be empty. */
  boolean isHeldUpByMail(Tables tables, Batch consumed) throws SQLException {
    for (String queue : commit.mustBeEmpty()) {
      if (tables.messages().hasOtherMail(consumed, queue)) {
        return true;
      }
    }
    return false;
  }

  /**
   * Writes the turn and frees its instance.
   *
   * @param token names the commit
   * @param consumed the messages that the turn has taken in; null for none
   */
  CommittedTurn write(Tables tables, InstanceRow row, String token, @Nullable Batch consumed)
      throws SQLException {
    Run run = new Run(tables, row);
    InstanceRow after = run.record();
    List<LockedWork> claimed = run.send();
    if (consumed != null) {
      tables.messages().delete(consumed);
    }
    run.release(after);
    return new CommittedTurn(token, run.prune(after), claimed);
  }

  /** Writes the first turn of an instance that is not there yet, and the instance with it. */
  CommittedTurn writeFirst(Tables tables, InstanceRow.Ref ref, String token) throws SQLException {
    tables.messages().begin(ref.key());
    Run run = new Run(tables, InstanceRow.unknown(ref, Slot.NONE));
    InstanceRow after = run.record();
    List<LockedWork> claimed = run.send();
    run.insert(after);
    return new CommittedTurn(token, run.prune(after), claimed);
  }

  /** The turn of one instance. */
  private final class Run {
    private final Tables tables;
    private final Records records;
    private final InstanceRow row;
    private final long execution = commit.executionId();
    private final ExecutionMetadata metadata = commit.metadata();
    private final boolean isCurrent;
    private boolean hasMessaged;
    private boolean hasParked;
    private boolean isBorn;
    private boolean hasNewStanding;

    Run(Tables tables, InstanceRow row) {
      this.tables = tables;
      this.records = tables.records();
      this.row = row;
      this.isCurrent = row.exists() && row.execution() == execution;
      this.hasParked = row.mailboxes().hasParked();
    }

    InstanceRow record() throws SQLException {
      boolean isNew =
          !isCurrent && !(row.isKnown() && records.executions().exists(row.key(), execution));
      Tail before =
          isNew ? Tail.NONE : isCurrent ? row.tail() : records.history().tail(row.key(), execution);
      records
          .history()
          .check(
              OPERATION,
              new History.Target(new ExecutionKey(row.id(), execution), row.key(), before.event()),
              parts.events());
      if (isNew) {
        records.executions().insert(row.key(), execution, metadata);
      } else {
        records.executions().note(row.key(), execution, metadata);
      }
      Tail tail = records.history().append(row.key(), execution, before, parts.events());
      return isQuiet() ? row.withExecution(execution, tail) : changed(isNew, tail);
    }

    /** Whether all that this turn changes of its instance is what every turn changes. */
    private boolean isQuiet() {
      return isCurrent
          && parts.values().isEmpty()
          && parts.customStatus() == null
          && metadata.status() == null
          && metadata.pinnedVersion() == null
          && metadata.orchestrationName() == null;
    }

    private InstanceRow changed(boolean isNew, Tail tail) throws SQLException {
      Standing before = row.standing();
      Face face = face(before.face());
      long current = Math.max(execution, row.execution());
      Executions.Outline outline = outline(before, current, isNew);
      Standing standing =
          new Standing(
              new Face(face.orchestration(), outline.pin(), face.hasValues()),
              outline.status(),
              outline.completedAt(),
              before.mailboxes());
      int stage = face.orchestration() == null ? InstanceRow.UNNAMED : InstanceRow.EXISTS;
      isBorn = stage == InstanceRow.EXISTS && !row.exists();
      hasNewStanding = isBorn || current != row.execution() || !standing.equals(before);
      if (stage == InstanceRow.UNNAMED && !row.isKnown()) {
        tables.instances().saveAppended(row.key(), stage, row.tail());
      }
      keepOtherTail(current, tail);
      Tail newest = current == execution ? tail : row.tail();
      InstanceRow after = row.withStage(stage).withExecution(current, newest).with(standing);
      writeExtras(after, standing);
      return after;
    }

    /** An instance repeats the end of one history, so the other one goes to its execution. */
    private void keepOtherTail(long current, Tail tail) throws SQLException {
      if (current != execution) {
        records.executions().saveTail(row.key(), execution, tail);
      } else if (row.execution() != execution && row.isKnown()) {
        records.executions().saveTail(row.key(), row.execution(), row.tail());
      }
    }

    private Face face(Face before) {
      String name = metadata.orchestrationName();
      String version = metadata.orchestrationVersion();
      OrchestrationIdentity orchestration =
          name != null && version != null
              ? new OrchestrationIdentity(name, version)
              : before.orchestration();
      boolean hasValues = before.hasValues() || !parts.values().isEmpty();
      return new Face(orchestration, before.pin(), hasValues);
    }

    /** What the instance repeats of the execution that is current after this turn. */
    private Executions.Outline outline(Standing before, long current, boolean isNew)
        throws SQLException {
      Executions.Outline standing =
          new Executions.Outline(before.face().pin(), before.status(), before.completedAt());
      if (isCurrent) {
        return noted(standing);
      }
      if (current != execution && row.exists()) {
        return standing;
      }
      return current == execution && isNew
          ? noted(Executions.Outline.NONE)
          : records.executions().outline(row.key(), current);
    }

    private Executions.Outline noted(Executions.Outline before) {
      ExecutionStatus status = metadata.status();
      String pin = Executions.pin(metadata);
      return new Executions.Outline(
          pin == null ? before.pin() : pin,
          status == null ? before.status() : status,
          status == null ? before.completedAt() : records.executions().completedAt(status));
    }

    private void writeExtras(InstanceRow after, Standing standing) throws SQLException {
      if (parts.customStatus() != null && after.exists()) {
        records.customStatuses().set(row.key(), parts.customStatus());
      }
      records.values().apply(row.key(), parts.values());
      ExecutionStatus status = metadata.status();
      if (standing.face().hasValues() && status != null && status.isTerminal()) {
        records.values().merge(row.key());
      }
    }

    List<LockedWork> send() throws SQLException {
      List<LockedWork> claimed = new ArrayList<>(claim.activityIds().size());
      for (NewWork activity : parts.activities()) {
        if (isClaimed(activity)) {
          claimed.add(
              tables.workers().queue().enqueueLocked(row.key(), activity, claim.lockTimeout()));
        } else {
          sendActivity(activity);
        }
      }
      for (ActivityKey cancelled : commit.cancelledActivities()) {
        cancel(cancelled);
      }
      if (commit.cancelled().wholeExecution()) {
        tables.workers().queue().cancelAll(row.key(), execution);
      }
      withdrawTimers();
      OrchestratorQueue queue = tables.orchestratorQueue();
      for (NewMessage message : parts.messages()) {
        if (message.instance().equals(row.id())) {
          sendToItself(message, queue.visibleAt(message));
        } else {
          queue.enqueueCommitted(message);
        }
      }
      return claimed;
    }

    private void sendToItself(NewMessage message, long visibleAt) throws SQLException {
      Messages messages = tables.messages();
      Mailboxes mailboxes = new Mailboxes(row.mailboxes().rules(), hasParked);
      if (messages.isHeldBack(row.key(), mailboxes, message, visibleAt)) {
        messages.insertParked(row.key(), message, visibleAt);
        hasParked = true;
      } else {
        messages.insert(row.key(), message, visibleAt);
        hasMessaged = true;
      }
    }

    private void withdrawTimers() throws SQLException {
      Messages messages = tables.messages();
      for (long timer : commit.withdrawn().timers()) {
        messages.withdraw(row.key(), execution, timer);
      }
      ExecutionStatus status = metadata.status();
      if (status != null && status.isTerminal() && row.isInLine()) {
        messages.withdrawAll(row.key(), execution);
      }
    }

    /** What the new rules have no room for is parked, what they have is let out. */
    private Mailboxes rearranged() throws SQLException {
      MailboxRules rules = commit.mailboxes();
      boolean mayHaveMail = row.isInLine() || hasMessaged;
      if (!hasParked && !(mayHaveMail && rules.mayClose())) {
        return new Mailboxes(rules, false);
      }
      Messages messages = tables.messages();
      hasMessaged |= messages.rearrange(row.key(), rules, hasParked) > 0;
      return new Mailboxes(rules, messages.hasParked(row.key()));
    }

    private InstanceRow freed(InstanceRow recorded) throws SQLException {
      Mailboxes mailboxes = rearranged();
      InstanceRow after = recorded.with(mailboxes);
      boolean mayWait = row.isInLine() || hasMessaged;
      InstanceRow free = after.with(InstanceLock.NONE);
      Slot slot = mayWait ? tables.orchestratorQueue().slotOf(free) : Slot.NONE;
      return free.with(slot, InstanceLock.NONE);
    }

    void insert(InstanceRow after) throws SQLException {
      InstanceRow freed = freed(after);
      tables.instances().insertBorn(freed, metadata.parent());
      tables.orchestratorQueue().announce(freed.slot());
    }

    void release(InstanceRow after) throws SQLException {
      InstanceRow freed = freed(after);
      if (hasNewStanding) {
        tables.instances().saveStanding(freed);
      } else {
        tables.instances().saveTurn(freed);
        if (!freed.mailboxes().equals(row.mailboxes())) {
          tables.instances().saveMailboxes(row.key(), freed.mailboxes());
        }
      }
      if (isBorn) {
        tables.instances().saveBirth(row.key(), metadata.parent());
      }
      tables.orchestratorQueue().announce(freed.slot());
    }

    @Nullable PruneOutcome prune(InstanceRow after) throws SQLException {
      PruneOptions options = commit.prune();
      return options == null ? null : new Pruning(tables).prune(after, options);
    }

    private boolean isClaimed(NewWork activity) {
      return claim.includes(row.id(), activity.key(), commit);
    }

    private void sendActivity(NewWork activity) throws SQLException {
      if (activity.key().instance().equals(row.id())) {
        tables.workers().queue().enqueue(row.key(), activity);
      } else {
        tables.workers().queue().enqueue(activity);
      }
    }

    private void cancel(ActivityKey activity) throws SQLException {
      InstanceRow owner =
          activity.instance().equals(row.id()) ? row : tables.instances().find(activity.instance());
      if (owner != null) {
        tables.workers().queue().cancel(owner.key(), activity);
      }
    }
  }
}
