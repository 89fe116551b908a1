package io.duroxide.provider.sqlite;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.model.ParentLink;
import io.duroxide.provider.OrchestrationIdentity;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The table of instances, for commands. Confined to the writer. */
final class Instances {
  private final Tx tx;
  private final Sql sql;
  private final KeptRows kept = new KeptRows();

  Instances(Tx tx) {
    this.tx = tx;
    this.sql = tx.sql();
    tx.onStale(kept::clear);
  }

  private static final String BY_ID =
      """
      SELECT key, id, stage, line, slot_at, slot_seq, lock_token, locked_until, execution,
        last_event, tail, name, version, pin, has_values, status, completed_at, mailboxes, has_parked
      FROM duroxide_instance WHERE id = ?
      """;

  @Nullable InstanceRow find(String id) throws SQLException {
    InstanceRow row = kept.get(id);
    return row == null ? keep(sql.first(BY_ID, Instances::read, id)) : row;
  }

  private static final String BY_KEY =
      """
      SELECT key, id, stage, line, slot_at, slot_seq, lock_token, locked_until, execution,
        last_event, tail, name, version, pin, has_values, status, completed_at, mailboxes, has_parked
      FROM duroxide_instance WHERE key = ?
      """;

  @Nullable InstanceRow find(long key) throws SQLException {
    InstanceRow row = kept.get(key);
    return row == null ? keep(sql.first(BY_KEY, Instances::read, key)) : row;
  }

  private @Nullable InstanceRow keep(@Nullable InstanceRow row) {
    if (row != null) {
      kept.put(row);
    }
    return row;
  }

  /** To be called when an instance was changed elsewhere. */
  void forget(long key) {
    kept.remove(key);
  }

  private static final String INSERT =
      """
      INSERT INTO duroxide_instance (key, id, line, slot_at, slot_seq) VALUES (?, ?, ?, ?, ?)
      """;

  /** The number of an instance that is not there yet. */
  InstanceRow.Ref newRef(String id) throws SQLException {
    return new InstanceRow.Ref(tx.nextSeq(), id);
  }

  /** Adds an instance that nothing is known of. */
  InstanceRow insert(InstanceRow.Ref ref, Slot slot) throws SQLException {
    sql.update(INSERT, ref.key(), ref.id(), slot.storedLine(), slot.at(), slot.seq());
    InstanceRow row = InstanceRow.unknown(ref, slot);
    kept.put(row);
    return row;
  }

  InstanceRow findOrNew(String id) throws SQLException {
    InstanceRow known = find(id);
    return known == null ? insert(newRef(id), Slot.NONE) : known;
  }

  private static final String READY =
      """
      SELECT key FROM duroxide_instance
      WHERE line = 1 AND (slot_at, slot_seq) > (?, ?) AND slot_at <= ?
      ORDER BY slot_at, slot_seq LIMIT 0 + ?
      """;

  /** Instances of the ready line behind {@code after}, oldest first. */
  List<InstanceRow> ready(Place after, int limit) throws SQLException {
    List<Long> keys =
        sql.list(READY, row -> row.getLong(1), after.at(), after.seq(), tx.now(), limit);
    List<InstanceRow> rows = new ArrayList<>(keys.size());
    for (long key : keys) {
      rows.add(Objects.requireNonNull(find(key)));
    }
    return rows;
  }

  private static final String PROMOTE =
      """
      UPDATE duroxide_instance SET line = 1, (slot_at, slot_seq) =
        (SELECT visible_at, seq FROM duroxide_message
         WHERE instance = duroxide_instance.key AND parked = 0 ORDER BY visible_at, seq LIMIT 1)
      WHERE key IN (
        SELECT key FROM
          (SELECT key FROM duroxide_instance WHERE line = 2 AND slot_at <= ?1 ORDER BY slot_at LIMIT ?2)
        UNION ALL
        SELECT key FROM
          (SELECT key FROM duroxide_instance WHERE line = 3 AND slot_at <= ?1 ORDER BY slot_at LIMIT ?2))
      """;

  /** Moves instances whose time has come to the ready line, up to a limit of each line. */
  int promote(int limit) throws SQLException {
    if (nextChange() > tx.now()) {
      return 0;
    }
    kept.clear();
    return sql.update(PROMOTE, tx.now(), limit);
  }

  private static final String NEXT_CHANGE =
      """
      SELECT min(
        coalesce((SELECT min(slot_at) FROM duroxide_instance WHERE line = 2), 9223372036854775807),
        coalesce((SELECT min(slot_at) FROM duroxide_instance WHERE line = 3), 9223372036854775807))
      """;

  /** No sleeping instance turns ready before this. */
  long nextChange() throws SQLException {
    return tx.turns().earliest(tx.now(), () -> sql.number(NEXT_CHANGE));
  }

  private static final String SAVE_SLOT =
      """
      UPDATE duroxide_instance SET line = ?, slot_at = ?, slot_seq = ? WHERE key = ?
      """;

  void saveSlot(long key, Slot slot) throws SQLException {
    sql.update(SAVE_SLOT, slot.storedLine(), slot.at(), slot.seq(), key);
    kept.change(key, row -> row.with(slot, row.lock()));
  }

  private static final String SAVE_LOCK =
      """
      UPDATE duroxide_instance SET line = ?, slot_at = ?, slot_seq = ?, lock_token = ?, locked_until = ?
      WHERE key = ?
      """;

  void saveLock(long key, Slot slot, InstanceLock lock) throws SQLException {
    sql.update(
        SAVE_LOCK, slot.storedLine(), slot.at(), slot.seq(), lock.storedToken(), lock.until(), key);
    kept.change(key, row -> row.with(slot, lock));
  }

  private static final String TAKE =
      """
      UPDATE duroxide_instance SET line = 3, slot_at = ?1, lock_token = ?2, locked_until = ?1 WHERE key = ?3
      """;

  /** Locks an instance of the ready line. */
  void take(long key, String token, long until) throws SQLException {
    sql.update(TAKE, until, token, key);
    kept.change(
        key,
        row ->
            row.with(
                new Slot(Slot.HELD, until, row.slot().seq()), InstanceLock.held(token, until)));
  }

  private static final String SAVE_TURN =
      """
      UPDATE duroxide_instance SET line = ?, slot_at = ?, slot_seq = ?, lock_token = NULL, locked_until = 0,
        last_event = ?, tail = ?, updated_at = ?
      WHERE key = ?
      """;

  /** Keeps what every turn changes, and that the lock is released. */
  void saveTurn(InstanceRow after) throws SQLException {
    Slot slot = after.slot();
    sql.update(
        SAVE_TURN,
        slot.storedLine(),
        slot.at(),
        slot.seq(),
        after.tail().event(),
        after.tail().key(),
        tx.now(),
        after.key());
    kept.put(after);
  }

  private static final String SAVE_STANDING =
      """
      UPDATE duroxide_instance SET line = ?, slot_at = ?, slot_seq = ?, lock_token = NULL, locked_until = 0,
        last_event = ?, tail = ?, updated_at = ?, execution = ?, name = ?, version = ?, pin = ?, status = ?,
        completed_at = ?, has_values = ?, mailboxes = ?, has_parked = ?
      WHERE key = ?
      """;

  /** As {@link #saveTurn}, and keeps what few turns change. */
  void saveStanding(InstanceRow after) throws SQLException {
    Slot slot = after.slot();
    Standing standing = after.standing();
    OrchestrationIdentity name = standing.face().orchestration();
    sql.update(
        SAVE_STANDING,
        slot.storedLine(),
        slot.at(),
        slot.seq(),
        after.tail().event(),
        after.tail().key(),
        tx.now(),
        after.execution(),
        name == null ? null : name.name(),
        name == null ? null : name.version(),
        standing.face().pin(),
        standing.status().stored(),
        standing.completedAt(),
        standing.face().hasValues() ? 1 : 0,
        standing.mailboxes().storedRules(),
        standing.mailboxes().hasParked() ? 1 : 0,
        after.key());
    kept.put(after);
  }

  private static final String SAVE_MAILBOXES =
      """
      UPDATE duroxide_instance SET mailboxes = ?, has_parked = ? WHERE key = ?
      """;

  void saveMailboxes(long key, Mailboxes mailboxes) throws SQLException {
    sql.update(SAVE_MAILBOXES, mailboxes.storedRules(), mailboxes.hasParked() ? 1 : 0, key);
    kept.change(key, row -> row.with(mailboxes));
  }

  private static final String SAVE_BIRTH =
      """
      UPDATE duroxide_instance SET stage = ?, parent = ?, parent_execution = ?, parent_event = ?,
        created_at = ?
      WHERE key = ?
      """;

  /** From now on clients see the instance; the last thing to save, for the sake of the indexes. */
  void saveBirth(long key, @Nullable ParentLink parent) throws SQLException {
    sql.update(
        SAVE_BIRTH,
        InstanceRow.EXISTS,
        parent == null ? null : parent.instance(),
        parent == null ? null : parent.executionId(),
        parent == null ? null : parent.scheduleId(),
        tx.now(),
        key);
    tx.totals().addInstances(1);
  }

  private static final String INSERT_BORN =
      """
      INSERT INTO duroxide_instance (key, id, stage, line, slot_at, slot_seq, last_event, tail, updated_at,
        created_at, execution, name, version, pin, status, completed_at, has_values, parent,
        parent_execution, parent_event, mailboxes, has_parked)
      VALUES (?1, ?2, 2, ?3, ?4, ?5, ?6, ?7, ?8, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17,
        ?18, ?19, ?20)
      """;

  /** Adds an instance that clients see at once. */
  void insertBorn(InstanceRow row, @Nullable ParentLink parent) throws SQLException {
    Slot slot = row.slot();
    Standing standing = row.standing();
    OrchestrationIdentity name = standing.face().orchestration();
    sql.update(
        INSERT_BORN,
        row.key(),
        row.id(),
        slot.storedLine(),
        slot.at(),
        slot.seq(),
        row.tail().event(),
        row.tail().key(),
        tx.now(),
        row.execution(),
        name == null ? null : name.name(),
        name == null ? null : name.version(),
        standing.face().pin(),
        standing.status().stored(),
        standing.completedAt(),
        standing.face().hasValues() ? 1 : 0,
        parent == null ? null : parent.instance(),
        parent == null ? null : parent.executionId(),
        parent == null ? null : parent.scheduleId(),
        standing.mailboxes().storedRules(),
        standing.mailboxes().hasParked() ? 1 : 0);
    kept.put(row);
    tx.totals().addInstances(1);
  }

  private static final String SAVE_RESTART =
      """
      UPDATE duroxide_instance SET execution = ?, last_event = 0, tail = 0, pin = NULL, status = ?,
        completed_at = NULL, parent = NULL, parent_execution = NULL, parent_event = NULL, updated_at = ?
      WHERE key = ?
      """;

  /** From now on this execution is the current one; its start has yet to be taken in. */
  void saveRestart(long key, long execution) throws SQLException {
    change(key, SAVE_RESTART, execution, ExecutionStatus.RUNNING.stored(), tx.now(), key);
  }

  private static final String SAVE_APPENDED =
      """
      UPDATE duroxide_instance SET stage = ?, last_event = ?, tail = ? WHERE key = ?
      """;

  void saveAppended(long key, int stage, Tail tail) throws SQLException {
    change(key, SAVE_APPENDED, stage, tail.event(), tail.key(), key);
  }

  private static final String DELETE =
      """
      DELETE FROM duroxide_instance WHERE key = ?
      """;

  /** Deletes an instance that exists. */
  void delete(long key) throws SQLException {
    change(key, DELETE, key);
    tx.totals().addInstances(-1);
  }

  private static final String DELETE_EMPTY =
      """
      DELETE FROM duroxide_instance WHERE key = ?1 AND stage = 0
        AND NOT EXISTS (SELECT 1 FROM duroxide_message WHERE instance = ?1)
        AND NOT EXISTS (SELECT 1 FROM duroxide_work WHERE instance = ?1)
      """;

  /** Removes the row of an instance that nothing is known of and nothing waits for. */
  void deleteIfEmpty(long key) throws SQLException {
    change(key, DELETE_EMPTY, key);
  }

  private void change(long key, String text, @Nullable Object... values) throws SQLException {
    kept.remove(key);
    sql.update(text, values);
  }

  private static InstanceRow read(ResultSet row) throws SQLException {
    return new InstanceRow(
        new InstanceRow.Ref(row.getLong(1), row.getString(2)),
        row.getInt(3),
        new Slot(row.getInt(4), row.getLong(5), row.getLong(6)),
        InstanceLock.ofStored(row.getString(7), row.getLong(8)),
        row.getLong(9),
        new Tail(row.getLong(10), row.getLong(11)),
        readStanding(row));
  }

  private static Standing readStanding(ResultSet row) throws SQLException {
    String name = row.getString(12);
    String status = row.getString(16);
    return new Standing(
        new Face(
            name == null ? null : new OrchestrationIdentity(name, row.getString(13)),
            row.getString(14),
            row.getInt(15) != 0),
        status == null ? ExecutionStatus.RUNNING : ExecutionStatus.ofStored(status),
        Sql.nullableLong(row, 17),
        new Mailboxes(Mailboxes.readRules(row.getString(18)), row.getInt(19) != 0));
  }
}
