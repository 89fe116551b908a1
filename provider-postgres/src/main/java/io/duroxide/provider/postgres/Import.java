package io.duroxide.provider.postgres;

import io.duroxide.codec.DecodeException;
import io.duroxide.codec.EventCodec;
import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.EventKind;
import io.duroxide.model.ParentLink;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.CustomStatus;
import io.duroxide.provider.EventPages;
import io.duroxide.provider.ExecutionInfo;
import io.duroxide.provider.InstanceSnapshot;
import io.duroxide.provider.InstanceSnapshot.EventRow;
import io.duroxide.provider.InstanceSnapshot.ExecutionRow;
import io.duroxide.provider.InstanceSnapshot.Head;
import io.duroxide.provider.InstanceSnapshot.MessageRow;
import io.duroxide.provider.InstanceSnapshot.ValueRow;
import io.duroxide.provider.InstanceSnapshot.WorkRow;
import io.duroxide.provider.InstanceTransfer.EventSource;
import io.duroxide.provider.MailboxRules;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An instance of another store; asks that store for its events while it is written. */
final class Import {
  static final String OPERATION = "writeInstance";

  private final StoreClock clock;
  private final InstanceSnapshot snapshot;
  private final EventSource events;
  private final List<NewMessage> messages;
  private final List<NewWork> activities;

  Import(StoreClock clock, InstanceSnapshot snapshot, EventSource events) {
    this.clock = clock;
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

  /** Writes it in one transaction; false, and nothing was changed, if there is anything. */
  boolean run(Sql sql) throws SQLException {
    return new Run(sql).write();
  }

  /** The writing of it. */
  private final class Run {
    private final Sql sql;

    Run(Sql sql) {
      this.sql = sql;
    }

    private static final String FORGET_EMPTY =
        """
        DELETE FROM @.instance i WHERE i.id = ? AND i.stage = 0
          AND NOT EXISTS (SELECT FROM @.message m WHERE m.instance = i.key)
          AND NOT EXISTS (SELECT FROM @.work w WHERE w.instance = i.key)
        """;

    private static final String WRITE_INSTANCE =
        """
        INSERT INTO @.instance (id, locked_until, execution, last_event, stage, has_values, status,
          pin, completed_at)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO NOTHING
        RETURNING key
        """;

    boolean write() throws SQLException {
      new Sequences(sql).reserve(lastMessage(), lastActivity());
      Long key = insert();
      if (key == null && sql.update(FORGET_EMPTY, snapshot.id()) > 0) {
        key = insert();
      }
      if (key == null) {
        return false;
      }
      write(key);
      return true;
    }

    /** Its number; null if there is a row already. */
    private @Nullable Long insert() throws SQLException {
      Instant rest = snapshot.inbox().restsUntil();
      ExecutionRow current = snapshot.current();
      ExecutionRow repeated = snapshot.head() == null ? null : current;
      return sql.first(
          WRITE_INSTANCE,
          row -> row.getLong(1),
          snapshot.id(),
          rest == null ? 0 : Millis.of(rest),
          snapshot.currentExecution(),
          current == null ? 0 : current.lastEvent(),
          stage(),
          !snapshot.values().isEmpty(),
          repeated == null ? null : repeated.info().status().stored(),
          repeated == null ? null : StoredPins.write(repeated.pin()),
          repeated == null ? null : millis(repeated.info().completedAt()));
    }

    private int stage() {
      if (snapshot.executions().isEmpty()) {
        return 0;
      }
      return snapshot.head() == null ? 1 : 2;
    }

    private long lastMessage() {
      return snapshot.inbox().messages().stream().mapToLong(MessageRow::position).max().orElse(0);
    }

    private long lastActivity() {
      return snapshot.activities().stream().mapToLong(WorkRow::position).max().orElse(0);
    }

    private void write(long key) throws SQLException {
      Head head = snapshot.head();
      if (head != null) {
        writeHead(key, head);
      }
      for (ExecutionRow execution : snapshot.executions()) {
        writeExecution(key, execution);
      }
      for (ValueRow value : snapshot.values()) {
        writeValue(key, value);
      }
      for (int i = 0; i < messages.size(); i++) {
        writeMessage(key, messages.get(i), snapshot.inbox().messages().get(i));
      }
      writeMailboxes(key, snapshot.inbox().mailboxes());
      for (int i = 0; i < activities.size(); i++) {
        writeActivity(key, activities.get(i), snapshot.activities().get(i));
      }
    }

    private static final String WRITE_HEAD =
        """
        UPDATE @.instance SET name = ?, version = ?, parent = ?, parent_execution = ?,
          parent_event = ?, created_at = ?, updated_at = ?
        WHERE key = ?
        """;

    private static final String WRITE_STATUS =
        """
        INSERT INTO @.custom_status (instance, version, status) VALUES (?, ?, ?)
        """;

    private void writeHead(long key, Head head) throws SQLException {
      ParentLink parent = head.parent();
      sql.update(
          WRITE_HEAD,
          head.orchestration().name(),
          head.orchestration().version(),
          parent == null ? null : parent.instance(),
          parent == null ? null : parent.executionId(),
          parent == null ? null : parent.scheduleId(),
          Millis.of(head.createdAt()),
          Millis.of(head.updatedAt()),
          key);
      CustomStatus status = head.customStatus();
      if (status.version() > 0) {
        sql.update(WRITE_STATUS, key, status.version(), status.status());
      }
    }

    private static final String WRITE_EVENTS =
        """
        INSERT INTO @.history (instance, execution, event, data)
        SELECT ?, ?, e.event, e.data FROM unnest(?, ?) e(event, data)
        """;

    private static final String WRITE_EXECUTION =
        """
        INSERT INTO @.execution (instance, id, started_at, completed_at, carried, status, pin,
          version, start_name, start_version, output)
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """;

    private void writeExecution(long key, ExecutionRow execution) throws SQLException {
      EventKind.OrchestrationStarted start = null;
      for (List<EventRow> page : new EventPages(snapshot.key(execution), execution, events)) {
        start = start == null ? start(page) : start;
        long[] ids = page.stream().mapToLong(EventRow::id).toArray();
        sql.update(
            WRITE_EVENTS, key, execution.id(), ids, page.stream().map(EventRow::data).toList());
      }
      ExecutionInfo info = execution.info();
      sql.update(
          WRITE_EXECUTION,
          key,
          execution.id(),
          Millis.of(info.startedAt()),
          millis(info.completedAt()),
          execution.carried() == 0 ? null : Math.toIntExact(execution.carried()),
          info.status().stored(),
          StoredPins.write(execution.pin()),
          execution.version(),
          start == null ? null : start.name(),
          start == null ? null : start.version(),
          info.output());
    }

    /** The first start that can be decoded. */
    private static EventKind.@Nullable OrchestrationStarted start(List<EventRow> page) {
      for (EventRow row : page) {
        if (kind(row) instanceof EventKind.OrchestrationStarted start) {
          return start;
        }
      }
      return null;
    }

    private static @Nullable EventKind kind(EventRow row) {
      try {
        return EventCodec.decode(row.data()).kind();
      } catch (DecodeException damaged) {
        return null;
      }
    }

    private static final String WRITE_BASE =
        """
        INSERT INTO @.kv_base (instance, key, value, updated_at) VALUES (?, ?, ?, ?)
        """;

    private static final String WRITE_DELTA =
        """
        INSERT INTO @.kv_delta (instance, key, value, updated_at) VALUES (?, ?, ?, ?)
        """;

    private void writeValue(long key, ValueRow value) throws SQLException {
      sql.update(
          value.pending() ? WRITE_DELTA : WRITE_BASE,
          key,
          value.key(),
          value.value(),
          Millis.of(value.updatedAt()));
    }

    private static final String WRITE_MESSAGE =
        """
        INSERT INTO @.message (instance, seq, visible_at, created_at, attempts, kind, parked,
          parent, name, version, payload)
        OVERRIDING SYSTEM VALUE
        VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
        """;

    private void writeMessage(long key, NewMessage message, MessageRow row) throws SQLException {
      sql.update(
          WRITE_MESSAGE,
          key,
          row.position(),
          Millis.of(row.visibleAt()),
          Millis.of(row.enqueuedAt()),
          row.attempts(),
          message.kind(),
          isParked(message),
          message.parent(),
          message.name(),
          message.version(),
          message.payload());
    }

    /** Waits for a start that is not queued. */
    private boolean isParked(NewMessage message) {
      return stage() == 0 && message.isPlain() && messages.stream().noneMatch(NewMessage::isStart);
    }

    private static final String WRITE_MAILBOXES =
        """
        UPDATE @.instance SET mailboxes = ARRAY[ROW(NULL, ?, ?)::@.queue_room] || ARRAY(
          SELECT ROW(r.queue, r.messages::integer, r.bytes)::@.queue_room
          FROM unnest(?, ?, ?) r(queue, messages, bytes) ORDER BY r.queue)
        WHERE key = ?
        """;

    private static final String REARRANGE =
        """
        SELECT @.rearrange(@.store_now(?), i.key, i.mailboxes) FROM @.instance i WHERE i.key = ?
        """;

    private void writeMailboxes(long key, MailboxRules rules) throws SQLException {
      if (rules.equals(MailboxRules.FIRST)) {
        return;
      }
      List<StoredRoom> rows = StoredRoom.of(rules);
      List<StoredRoom> named = rows.subList(1, rows.size());
      sql.update(
          WRITE_MAILBOXES,
          rules.others().messages(),
          rules.others().bytes(),
          named.stream().map(row -> Objects.requireNonNull(row.queue())).toList(),
          named.stream().mapToLong(row -> row.room().messages()).toArray(),
          named.stream().mapToLong(row -> row.room().bytes()).toArray(),
          key);
      sql.first(REARRANGE, row -> row.getLong(1), clock.given(), key);
    }

    private static final String WRITE_ACTIVITY =
        """
        INSERT INTO @.work (instance, execution, activity, seq, wake_at, attempts, ready, name, tag,
          session, payload)
        OVERRIDING SYSTEM VALUE
        VALUES (?, ?, ?, ?, coalesce(?, @.store_now(?)), ?, ?, ?, ?, ?, ?)
        """;

    private void writeActivity(long key, NewWork work, WorkRow row) throws SQLException {
      sql.update(
          WRITE_ACTIVITY,
          key,
          work.key().executionId(),
          work.key().activityId(),
          row.position(),
          millis(row.visibleAt()),
          clock.given(),
          row.attempts(),
          row.visibleAt() == null,
          work.name(),
          work.tag(),
          work.session(),
          work.payload());
    }

    private static @Nullable Long millis(@Nullable Instant instant) {
      return instant == null ? null : Millis.of(instant);
    }
  }
}
