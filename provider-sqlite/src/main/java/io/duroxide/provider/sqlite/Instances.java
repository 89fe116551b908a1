package io.duroxide.provider.sqlite;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.OrchestrationIdentity;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of instances, for commands. Confined to the writer. */
final class Instances {
  private final Tx tx;
  private final Sql sql;

  Instances(Tx tx) {
    this.tx = tx;
    this.sql = tx.sql();
  }

  private static final String BY_ID =
      """
      SELECT key, id, stage, line, slot_at, slot_seq, lock_token, locked_until, batch_at,
        batch_seq, execution, last_event, pin, status, completed_at, name, version, has_values
      FROM instance WHERE id = ?
      """;

  @Nullable InstanceRow find(String id) throws SQLException {
    return sql.first(BY_ID, Instances::read, id);
  }

  private static final String BY_KEY =
      """
      SELECT key, id, stage, line, slot_at, slot_seq, lock_token, locked_until, batch_at,
        batch_seq, execution, last_event, pin, status, completed_at, name, version, has_values
      FROM instance WHERE key = ?
      """;

  @Nullable InstanceRow find(long key) throws SQLException {
    return sql.first(BY_KEY, Instances::read, key);
  }

  private static final String INSERT =
      """
      INSERT INTO instance (key, id) VALUES (?, ?)
      """;

  InstanceRow findOrNew(String id) throws SQLException {
    InstanceRow known = find(id);
    if (known != null) {
      return known;
    }
    InstanceRow.Ref ref = new InstanceRow.Ref(tx.nextSeq(), id);
    sql.update(INSERT, ref.key(), id);
    return new InstanceRow(
        ref, InstanceRow.UNKNOWN, Slot.NONE, InstanceLock.NONE, Current.NONE, null, false);
  }

  private static final String READY =
      """
      SELECT key, id, stage, line, slot_at, slot_seq, lock_token, locked_until, batch_at,
        batch_seq, execution, last_event, pin, status, completed_at, name, version, has_values
      FROM instance
      WHERE line = 1 AND (slot_at, slot_seq) > (?, ?) AND slot_at <= ?
      ORDER BY slot_at, slot_seq LIMIT ?
      """;

  /** Instances of the ready line behind {@code after}, oldest first. */
  List<InstanceRow> ready(Place after, int limit) throws SQLException {
    return sql.list(READY, Instances::read, after.at(), after.seq(), tx.now(), limit);
  }

  private static final String PROMOTE =
      """
      UPDATE instance SET line = 1, (slot_at, slot_seq) =
        (SELECT visible_at, seq FROM message
         WHERE instance = instance.key ORDER BY visible_at, seq LIMIT 1)
      WHERE key IN
        (SELECT key FROM instance WHERE line = 2 AND slot_at <= ? ORDER BY slot_at LIMIT ?)
      """;

  /** Moves instances whose time has come to the ready line; returns how many. */
  int promote(int limit) throws SQLException {
    return sql.update(PROMOTE, tx.now(), limit);
  }

  private static final String NEXT_CHANGE =
      """
      SELECT slot_at FROM instance WHERE line = 2 ORDER BY slot_at LIMIT 1
      """;

  /** When the next sleeping instance turns ready. */
  long nextChange() throws SQLException {
    Long next = sql.first(NEXT_CHANGE, row -> row.getLong(1));
    return next == null ? StoreTime.NEVER : next;
  }

  private static final String SAVE_SLOT =
      """
      UPDATE instance SET line = ?, slot_at = ?, slot_seq = ? WHERE key = ?
      """;

  void saveSlot(long key, Slot slot) throws SQLException {
    sql.update(SAVE_SLOT, slot.line(), slot.at(), slot.seq(), key);
  }

  private static final String SAVE_LOCK =
      """
      UPDATE instance SET line = ?, slot_at = ?, slot_seq = ?,
        lock_token = ?, locked_until = ?, batch_at = ?, batch_seq = ?
      WHERE key = ?
      """;

  void saveLock(long key, Slot slot, InstanceLock lock) throws SQLException {
    sql.update(
        SAVE_LOCK,
        slot.line(),
        slot.at(),
        slot.seq(),
        lock.token(),
        lock.until(),
        lock.batchAt(),
        lock.batchSeq(),
        key);
  }

  private static final String SAVE_TURN =
      """
      UPDATE instance SET line = ?, slot_at = ?, slot_seq = ?,
        lock_token = NULL, locked_until = 0, batch_at = 0, batch_seq = 0,
        execution = ?, last_event = ?, has_values = ?, updated_at = ?
      WHERE key = ?
      """;

  /** Releases the lock and keeps what every turn changes. */
  void saveTurn(InstanceRow row) throws SQLException {
    Slot slot = row.slot();
    sql.update(
        SAVE_TURN,
        slot.line(),
        slot.at(),
        slot.seq(),
        row.current().execution(),
        row.current().lastEvent(),
        row.hasValues() ? 1 : 0,
        tx.now(),
        row.key());
  }

  private static final String SAVE_STANDING =
      """
      UPDATE instance SET stage = ?, pin = ?, status = ?, completed_at = ?, name = ?, version = ?
      WHERE key = ?
      """;

  /** Keeps what few turns change, and what the listings are made of. */
  void saveStanding(InstanceRow row) throws SQLException {
    OrchestrationIdentity name = row.orchestration();
    Current current = row.current();
    sql.update(
        SAVE_STANDING,
        row.stage(),
        current.pin(),
        current.status().stored(),
        current.completedAt(),
        name == null ? null : name.name(),
        name == null ? null : name.version(),
        row.key());
  }

  private static final String SAVE_BIRTH =
      """
      UPDATE instance SET parent = ?, created_at = ? WHERE key = ?
      """;

  void saveBirth(long key, @Nullable String parent) throws SQLException {
    sql.update(SAVE_BIRTH, parent, tx.now(), key);
  }

  private static final String SAVE_APPENDED =
      """
      UPDATE instance SET stage = ?, last_event = ? WHERE key = ?
      """;

  void saveAppended(InstanceRow row) throws SQLException {
    sql.update(SAVE_APPENDED, row.stage(), row.current().lastEvent(), row.key());
  }

  private static final String DELETE =
      """
      DELETE FROM instance WHERE key = ?
      """;

  void delete(long key) throws SQLException {
    sql.update(DELETE, key);
  }

  private static final String DELETE_EMPTY =
      """
      DELETE FROM instance WHERE key = ?1 AND stage = 0
        AND NOT EXISTS (SELECT 1 FROM message WHERE instance = ?1)
        AND NOT EXISTS (SELECT 1 FROM work WHERE instance = ?1)
      """;

  /** Removes the row of an instance that nothing is known of and nothing waits for. */
  void deleteIfEmpty(long key) throws SQLException {
    sql.update(DELETE_EMPTY, key);
  }

  static InstanceRow read(ResultSet row) throws SQLException {
    String name = row.getString(16);
    String version = row.getString(17);
    return new InstanceRow(
        new InstanceRow.Ref(row.getLong(1), row.getString(2)),
        row.getInt(3),
        new Slot(row.getInt(4), row.getLong(5), row.getLong(6)),
        new InstanceLock(row.getString(7), row.getLong(8), row.getLong(9), row.getLong(10)),
        current(row),
        name == null ? null : new OrchestrationIdentity(name, version),
        row.getInt(18) != 0);
  }

  private static Current current(ResultSet row) throws SQLException {
    String status = row.getString(14);
    return new Current(
        row.getLong(11),
        row.getLong(12),
        row.getString(13),
        status == null ? ExecutionStatus.RUNNING : ExecutionStatus.ofStored(status),
        Sql.nullableLong(row, 15));
  }
}
