package io.duroxide.provider.sqlite;

import java.sql.SQLException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The transaction that the commands of one group share: its time, its numbers, and what it makes
 * ready for others. Confined to the writer.
 */
final class Tx {
  private static final long UNREAD = -1;

  /** Numbers that are reserved at once, so that few commits have to write down the last one. */
  private static final long BLOCK = 1000;

  private final Sql sql;
  private final InstantSource clock;
  private final Durability durability;
  private final LogSpace space;
  private final Totals totals = new Totals();
  private final List<Runnable> caches = new ArrayList<>();
  private final Wakes turns = new Wakes();
  private final Wakes work = new Wakes();
  private long now;
  private long seq = UNREAD;
  private long reserved = UNREAD;
  private long rowsBefore;
  private long dataVersion;
  private boolean waitsForDisk = true;

  private Tx(Sql sql, SqliteOptions options, LogSpace space) {
    this.sql = sql;
    this.clock = options.clock();
    this.durability = options.durability();
    this.space = space;
    caches.add(turns::forgetEarliest);
    caches.add(work::forgetEarliest);
  }

  /** Transactions on a connection of their own. */
  static Tx on(Database database) {
    return new Tx(database.openWriter(), database.options(), database.logSpace());
  }

  Sql sql() {
    return sql;
  }

  /** The time of the running command. */
  long now() {
    return now;
  }

  /** How many rows the group adds and removes. */
  Totals totals() {
    return totals;
  }

  /** What the group makes ready for fetches of instances. */
  Wakes turns() {
    return turns;
  }

  /** What the group makes ready for fetches of activities. */
  Wakes work() {
    return work;
  }

  /** To be called whenever what was read before may no longer be so. */
  void onStale(Runnable forget) {
    caches.add(forget);
  }

  /**
   * Begins a group; true if another connection has committed since this was last asked.
   *
   * @param lasts whether its commit must survive a loss of power; one that merely moves locks need
   *     not, because whoever held them does not survive either
   */
  boolean begin(boolean lasts) throws SQLException {
    if (sql.mend()) {
      dataVersion = UNREAD;
      waitsForDisk = true;
      space.reopen();
    }
    if (durability == Durability.FULL && lasts != waitsForDisk) {
      sql.control(lasts ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
      waitsForDisk = lasts;
    }
    sql.control("BEGIN IMMEDIATE");
    space.keep();
    return sawForeignCommit();
  }

  void beginCommand() {
    now = StoreTime.now(clock);
    rowsBefore = sql.changedRows();
  }

  /** Whether the running command has changed anything. */
  boolean isTouched() {
    return sql.changedRows() != rowsBefore;
  }

  private static final String WRITE_COUNTER =
      """
      UPDATE counter SET seq = coalesce(?, seq), instances = instances + ?,
        executions = executions + ?, vacant = vacant + ?, messages = messages + ?
      """;

  void commit() throws SQLException {
    boolean usedUp = seq > reserved;
    write(usedUp ? seq + BLOCK : null);
    sql.control("COMMIT");
    reserved = usedUp ? seq + BLOCK : reserved;
  }

  /** For those who read inside the transaction. */
  void writeTotals() throws SQLException {
    write(null);
  }

  private void write(@Nullable Long newSeq) throws SQLException {
    Totals.Change change = totals.change();
    if (newSeq != null || !change.equals(Totals.Change.NONE)) {
      sql.update(
          WRITE_COUNTER,
          newSeq,
          change.instances(),
          change.executions(),
          change.vacant(),
          change.messages());
      totals.clear();
    }
  }

  private void forgetSeq() {
    seq = UNREAD;
    reserved = UNREAD;
  }

  /** Undoes everything; also when the database has done so already. */
  void rollback() {
    forgetSeq();
    totals.clear();
    turns.clear();
    work.clear();
    caches.forEach(Runnable::run);
    try {
      sql.control("ROLLBACK");
    } catch (SQLException noTransaction) {
      // After a full disk and the like SQLite has rolled back by itself.
    }
  }

  private static final String READ_SEQ =
      """
      SELECT seq FROM counter
      """;

  /**
   * The next number, larger than all before it in this file. What another connection has reserved
   * is passed over, because its commits are seen before one of ours begins.
   */
  long nextSeq() throws SQLException {
    if (seq == UNREAD) {
      seq = sql.number(READ_SEQ);
      reserved = seq;
    }
    return ++seq;
  }

  /** Numbers that come later are larger than this one, too. */
  void reserveSeq(long number) throws SQLException {
    long next = nextSeq();
    seq = Math.max(next - 1, number);
  }

  void close() throws SQLException {
    space.close();
    sql.close();
  }

  /** Whether another connection has committed since this was last asked. */
  boolean sawForeignCommit() throws SQLException {
    long seen = sql.number("PRAGMA data_version");
    boolean foreign = seen != dataVersion;
    if (foreign) {
      dataVersion = seen;
      forgetSeq();
      caches.forEach(Runnable::run);
    }
    return foreign;
  }
}
