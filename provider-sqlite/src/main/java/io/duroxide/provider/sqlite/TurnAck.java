package io.duroxide.provider.sqlite;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.EventKind;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.ParentLink;
import io.duroxide.provider.ExecutionMetadata;
import io.duroxide.provider.OrchestrationIdentity;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.TurnCommit;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The commit of one turn. Built, and its parts encoded, by the caller; run by the writer. Whatever
 * can be refused is refused before the first write.
 */
final class TurnAck implements Command<String> {
  private static final String OPERATION = "ackOrchestrationItem";

  private final String token;
  private final TurnCommit commit;
  private final @Nullable ProviderException invalid;
  private final Parts parts;

  /** The commit as it is stored. */
  private record Parts(
      List<StoredEvent> events,
      List<NewWork> activities,
      List<NewMessage> messages,
      List<EventKind> values,
      EventKind.@Nullable CustomStatusUpdated customStatus) {
    static final Parts NONE = new Parts(List.of(), List.of(), List.of(), List.of(), null);

    static Parts of(TurnCommit commit) {
      return new Parts(
          commit.historyDelta().stream().map(StoredEvent::of).toList(),
          commit.workerItems().stream().map(item -> NewWork.of(OPERATION, item)).toList(),
          commit.orchestratorItems().stream().map(item -> NewMessage.of(OPERATION, item)).toList(),
          Values.changes(commit.historyDelta()),
          CustomStatuses.change(commit.historyDelta()));
    }

    long newestEvent() {
      return events.stream().mapToLong(StoredEvent::id).max().orElse(0);
    }
  }

  /** A lost lock is told before an invalid item, so the latter is kept until the lock is seen. */
  TurnAck(String token, TurnCommit commit) {
    this.token = token;
    this.commit = commit;
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

  /** Returns the instance whose turn it was. */
  @Override
  public String run(Tables tables) throws SQLException {
    InstanceRow row = tables.orchestratorQueue().validHolder(OPERATION, token);
    if (invalid != null) {
      throw invalid;
    }
    new Run(tables, row).commit();
    return row.id();
  }

  /** The turn of one instance. */
  private final class Run {
    private final Tables tables;
    private final Records records;
    private final InstanceRow row;
    private final long execution = commit.executionId();
    private final ExecutionMetadata metadata = commit.metadata();
    private final boolean isCurrent;

    Run(Tables tables, InstanceRow row) {
      this.tables = tables;
      this.records = tables.records();
      this.row = row;
      this.isCurrent = row.exists() && row.current().execution() == execution;
    }

    void commit() throws SQLException {
      boolean isStored =
          isCurrent || (row.isKnown() && records.executions().exists(row.key(), execution));
      boolean isNew = !isStored;
      checkEvents(isNew);
      Current current = writeExecution(isNew);
      InstanceRow named = named(current);
      writeExtras(named);
      sendAndConsume(named);
    }

    private void checkEvents(boolean isNew) throws SQLException {
      long newest = 0;
      if (isCurrent) {
        newest = row.current().lastEvent();
      } else if (!isNew) {
        newest = records.history().newest(row.key(), execution);
      }
      String label = new ExecutionKey(row.id(), execution).toString();
      records
          .history()
          .check(
              OPERATION, new History.Target(label, row.key(), execution, newest), parts.events());
    }

    /**
     * Writes the execution and its events; returns what its instance repeats of the current one.
     */
    private Current writeExecution(boolean isNew) throws SQLException {
      if (isNew) {
        records.executions().insert(row.key(), execution, metadata);
      } else {
        records.executions().note(row.key(), execution, metadata);
      }
      records.history().append(row.key(), execution, parts.events());
      if (isCurrent) {
        return noted(row.current());
      }
      long newest = Math.max(execution, row.current().execution());
      if (newest > execution && row.exists()) {
        return row.current();
      }
      return newest == execution && isNew
          ? noted(new Current(execution, 0, null, ExecutionStatus.RUNNING, null))
          : records.executions().current(row.key(), newest);
    }

    private Current noted(Current before) {
      ExecutionStatus status = metadata.status();
      String pin = Executions.pin(metadata);
      return new Current(
          execution,
          Math.max(before.lastEvent(), parts.newestEvent()),
          pin == null ? before.pin() : pin,
          status == null ? before.status() : status,
          status == null ? before.completedAt() : records.executions().completedAt(status));
    }

    /** The instance after this turn, apart from its place in line. */
    private InstanceRow named(Current current) throws SQLException {
      String name = metadata.orchestrationName();
      String version = metadata.orchestrationVersion();
      OrchestrationIdentity orchestration = row.orchestration();
      if (name != null && version != null) {
        orchestration = new OrchestrationIdentity(name, version);
      }
      int stage = orchestration == null ? InstanceRow.UNNAMED : InstanceRow.EXISTS;
      InstanceRow after =
          new InstanceRow(
              row.ref(),
              stage,
              row.slot(),
              InstanceLock.NONE,
              current,
              orchestration,
              row.hasValues() || !parts.values().isEmpty());
      if (stage == InstanceRow.EXISTS && !row.exists()) {
        ParentLink parent = metadata.parent();
        tables.instances().saveBirth(row.key(), parent == null ? null : parent.instance());
      }
      boolean stands =
          stage == row.stage()
              && current.isLike(row.current())
              && Objects.equals(orchestration, row.orchestration());
      if (!stands) {
        tables.instances().saveStanding(after);
      }
      return after;
    }

    private void writeExtras(InstanceRow after) throws SQLException {
      if (parts.customStatus() != null && after.exists()) {
        records.customStatuses().set(row.key(), parts.customStatus());
      }
      records.values().apply(row.key(), parts.values());
      ExecutionStatus status = metadata.status();
      if (after.hasValues() && status != null && status.isTerminal()) {
        records.values().merge(row.key());
      }
    }

    private void sendAndConsume(InstanceRow after) throws SQLException {
      for (NewWork activity : parts.activities()) {
        sendActivity(activity);
      }
      for (ActivityKey cancelled : commit.cancelledActivities()) {
        cancel(cancelled);
      }
      OrchestratorQueue queue = tables.orchestratorQueue();
      for (NewMessage message : parts.messages()) {
        if (message.instance().equals(row.id())) {
          tables.messages().insert(row.key(), message, queue.visibleAt(message));
        } else {
          queue.enqueueCommitted(message);
        }
      }
      tables.messages().deleteBatch(row.key(), row.lock());
      InstanceRow placed = after.with(queue.slotOf(after), InstanceLock.NONE);
      tables.instances().saveTurn(placed);
      queue.announce(placed.slot());
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
