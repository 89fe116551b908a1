package io.duroxide.provider.sqlite;

import io.duroxide.codec.DecodeException;
import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.ParentLink;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.EventPages;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.ExecutionPin;
import io.duroxide.provider.InstanceSnapshot;
import io.duroxide.provider.InstanceSnapshot.EventRow;
import io.duroxide.provider.InstanceSnapshot.ExecutionRow;
import io.duroxide.provider.InstanceSnapshot.Head;
import io.duroxide.provider.InstanceSnapshot.ValueRow;
import io.duroxide.provider.InstanceTransfer.EventSource;
import io.duroxide.provider.StoredText;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** An instance of another store. Run by the writer, which asks the other store for its events. */
final class Import implements Command<Boolean> {
  static final String OPERATION = "writeInstance";

  private final InstanceSnapshot snapshot;
  private final EventSource events;
  private final List<NewMessage> messages;
  private final List<NewWork> activities;

  Import(InstanceSnapshot snapshot, EventSource events) {
    this.snapshot = snapshot;
    this.events = events;
    this.messages =
        snapshot.inbox().messages().stream()
            .map(row -> NewMessage.of(OPERATION, item(row.item())).withPayload(row.item()))
            .toList();
    this.activities =
        snapshot.activities().stream()
            .map(row -> NewWork.of(OPERATION, item(row.item())).withPayload(row.item()))
            .toList();
  }

  private WorkItem item(String stored) {
    try {
      WorkItem item = WorkItemCodec.decode(stored);
      if (item.instance().equals(snapshot.id())) {
        return item;
      }
      throw Refusal.invalid(OPERATION, snapshot.id() + " has an item of " + item.instance());
    } catch (DecodeException e) {
      throw Refusal.invalid(OPERATION, snapshot.id() + ": " + e.getMessage());
    }
  }

  @Override
  public Boolean run(Tables tables) throws SQLException {
    InstanceRow known = tables.instances().find(snapshot.id());
    if (known != null) {
      tables.instances().deleteIfEmpty(known.key());
      if (tables.instances().find(known.key()) != null) {
        return false;
      }
    }
    new Run(tables, tables.instances().findOrNew(snapshot.id())).write();
    return true;
  }

  /** The writing of it. */
  private final class Run {
    private final Tables tables;
    private final Sql sql;
    private final InstanceRow row;
    private final long key;

    Run(Tables tables, InstanceRow row) {
      this.tables = tables;
      this.sql = tables.tx().sql();
      this.row = row.withStage(stage());
      this.key = row.key();
    }

    void write() throws SQLException {
      writeInstance();
      for (ExecutionRow execution : snapshot.executions()) {
        writeExecution(execution);
      }
      writeValues();
      for (int i = 0; i < messages.size(); i++) {
        tables.messages().restore(key, messages.get(i), snapshot.inbox().messages().get(i));
      }
      for (int i = 0; i < activities.size(); i++) {
        tables.workers().queue().restore(key, activities.get(i), snapshot.activities().get(i));
      }
      tables.messages().rearrange(key, snapshot.inbox().mailboxes(), false);
      Instant rest = snapshot.inbox().restsUntil();
      tables
          .orchestratorQueue()
          .relock(
              row, rest == null ? InstanceLock.NONE : InstanceLock.rest(StoreTime.millis(rest)));
      tables.instances().forget(key);
    }

    private int stage() {
      if (snapshot.executions().isEmpty()) {
        return InstanceRow.UNKNOWN;
      }
      return snapshot.head() == null ? InstanceRow.UNNAMED : InstanceRow.EXISTS;
    }

    private static final String WRITE_CURRENT =
        """
        UPDATE duroxide_instance SET stage = ?, execution = ?, pin = ?, status = ?, completed_at = ?,
          has_values = ?, mailboxes = ?, has_parked = 1
        WHERE key = ?
        """;

    private static final String WRITE_HEAD =
        """
        UPDATE duroxide_instance SET name = ?, version = ?, parent = ?, parent_execution = ?,
          parent_event = ?, created_at = ?, updated_at = ?
        WHERE key = ?
        """;

    private void writeInstance() throws SQLException {
      ExecutionRow current = snapshot.current();
      ExecutionInfo info = current == null ? null : current.info();
      sql.update(
          WRITE_CURRENT,
          stage(),
          snapshot.currentExecution(),
          current == null ? null : pin(current),
          info == null ? null : info.status().stored(),
          info == null ? null : millis(info.completedAt()),
          snapshot.values().isEmpty() ? 0 : 1,
          new Mailboxes(snapshot.inbox().mailboxes(), true).storedRules(),
          key);
      Head head = snapshot.head();
      if (head != null) {
        writeHead(head);
      }
    }

    private static final String WRITE_STATUS =
        """
        INSERT INTO duroxide_custom_status (instance, version, status) VALUES (?, ?, ?)
        """;

    private void writeHead(Head head) throws SQLException {
      ParentLink parent = head.parent();
      sql.update(
          WRITE_HEAD,
          head.orchestration().name(),
          head.orchestration().version(),
          parent == null ? null : parent.instance(),
          parent == null ? null : parent.executionId(),
          parent == null ? null : parent.scheduleId(),
          StoreTime.millis(head.createdAt()),
          StoreTime.millis(head.updatedAt()),
          key);
      tables.tx().totals().addInstances(1);
      if (head.customStatus().version() > 0) {
        String text = StoredText.stored(head.customStatus().status());
        sql.update(WRITE_STATUS, key, head.customStatus().version(), text);
      }
    }

    private static final String WRITE_EXECUTION =
        """
        INSERT INTO duroxide_execution
          (instance, id, status, started_at, completed_at, pin, carried, version, output)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        """;

    /** Nothing carried is what the start tells, too. */
    private void writeExecution(ExecutionRow execution) throws SQLException {
      ExecutionInfo info = execution.info();
      sql.update(
          WRITE_EXECUTION,
          key,
          execution.id(),
          info.status().stored(),
          StoreTime.millis(info.startedAt()),
          millis(info.completedAt()),
          pin(execution),
          execution.carried() == 0 ? null : execution.carried(),
          execution.version(),
          StoredText.stored(info.output()));
      tables.tx().totals().addExecutions(1);
      Tail tail = Tail.NONE;
      for (List<EventRow> page : new EventPages(snapshot.key(execution), execution, events)) {
        NewEvents stored =
            NewEvents.ofStored(
                page.stream().map(event -> new StoredEvent(event.id(), event.data())).toList());
        if (!stored.isBehind(tail.event())) {
          throw Refusal.invalid(
              OPERATION, snapshot.key(execution) + ": its events do not come in their order");
        }
        tail = tables.records().history().append(key, execution.id(), tail, stored);
      }
      if (execution.id() == snapshot.currentExecution()) {
        tables.instances().saveAppended(key, stage(), tail);
      } else {
        tables.records().executions().saveTail(key, execution.id(), tail);
      }
    }

    private static final String WRITE_BASE =
        """
        INSERT INTO duroxide_kv_base (instance, key, value, updated_at) VALUES (?, ?, ?, ?)
        """;

    private static final String WRITE_DELTA =
        """
        INSERT INTO duroxide_kv_delta (instance, key, value, updated_at) VALUES (?, ?, ?, ?)
        """;

    private void writeValues() throws SQLException {
      for (ValueRow value : snapshot.values()) {
        sql.update(
            value.pending() ? WRITE_DELTA : WRITE_BASE,
            key,
            value.key(),
            StoredText.stored(value.value()),
            StoreTime.millis(value.updatedAt()));
      }
    }

    private static @Nullable String pin(ExecutionRow execution) {
      ExecutionPin pin = execution.pin();
      return pin == null ? null : pin.text();
    }

    private static @Nullable Long millis(@Nullable Instant instant) {
      return instant == null ? null : StoreTime.millis(instant);
    }
  }
}
