package io.duroxide.provider.sqlite;

import io.duroxide.provider.ClockSteps;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The transaction that the commands of one group share: its time, its numbers, and what it makes
 * ready for others. Confined to the writer.
 */
final class Tx {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.sqlite");
  private static final long UNREAD = -1;

  /** Numbers that are reserved at once, so that few commits have to write down the last one. */
  private static final long BLOCK = 1000;

  private final Sql sql;
  private final ClockWatch clock;
  private final Durability durability;
  private final LogSpace space;
  private final ClockSteps steps;
  private final Totals totals = new Totals();
  private final List<Runnable> caches = new ArrayList<>();
  private final Wakes turns = new Wakes();
  private final Wakes work = new Wakes();
  private long seq = UNREAD;
  private long reserved = UNREAD;
  private long rowsBefore;
  private long rowsAtBegin;
  private long dataVersion;
  private boolean waitsForDisk = true;
  private Stage stage = Stage.NONE;

  /** How far the transaction is. */
  private enum Stage {
    NONE,
    OPEN,
    COMMITTING
  }

  private Tx(Sql sql, SqliteOptions options, LogSpace space, ClockSteps steps) {
    this.sql = sql;
    this.clock = new ClockWatch(sql, options.clock(), steps);
    this.durability = options.durability();
    this.space = space;
    this.steps = steps;
    caches.add(turns::forgetEarliest);
    caches.add(work::forgetEarliest);
  }

  /** Transactions on a connection of their own. */
  static Tx on(Database database) {
    return new Tx(
        database.openWriter(), database.options(), database.logSpace(), new ClockSteps(LOG));
  }

  Sql sql() {
    return sql;
  }

  /** The time of the running command. */
  long now() {
    return clock.now();
  }

  /** What happened to the clock. Thread-safe. */
  ClockSteps clockSteps() {
    return steps;
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
    if (stage != Stage.NONE) {
      abandon();
    }
    if (sql.mend()) {
      dataVersion = UNREAD;
      waitsForDisk = true;
      space.reopen();
    }
    if (durability == Durability.FULL && lasts != waitsForDisk) {
      sql.control(lasts ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
      waitsForDisk = lasts;
    }
    stage = Stage.OPEN;
    rowsAtBegin = sql.changedRows();
    sql.control("BEGIN IMMEDIATE");
    space.keep();
    return sawForeignCommit();
  }

  /** The time of the next command; not null if everything stored must be shifted before it. */
  ClockWatch.@Nullable Step readClock() throws SQLException {
    return clock.look();
  }

  /** Everything stored was shifted. */
  void shifted(ClockWatch.Step step) throws SQLException {
    clock.shifted(step);
  }

  void beginCommand() {
    rowsBefore = sql.changedRows();
  }

  /** Whether the running command has changed anything. */
  boolean isTouched() {
    return sql.changedRows() != rowsBefore;
  }

  private static final String WRITE_COUNTER =
      """
      UPDATE duroxide_counter SET seq = coalesce(?, seq), instances = instances + ?,
        executions = executions + ?, vacant = vacant + ?, messages = messages + ?,
        clock_limit = coalesce(?, clock_limit)
      """;

  void commit() throws SQLException {
    boolean usedUp = seq > reserved;
    boolean isTouched = sql.changedRows() != rowsAtBegin;
    write(usedUp ? seq + BLOCK : null, isTouched ? clock.newLimit() : null);
    stage = Stage.COMMITTING;
    sql.control("COMMIT");
    reserved = usedUp ? seq + BLOCK : reserved;
    clock.committed();
    stage = Stage.NONE;
  }

  /** For those who read inside the transaction. */
  void writeTotals() throws SQLException {
    write(null, null);
  }

  private void write(@Nullable Long newSeq, @Nullable Long newLimit) throws SQLException {
    Totals.Change change = totals.change();
    if (newSeq != null || newLimit != null || !change.equals(Totals.Change.NONE)) {
      sql.update(
          WRITE_COUNTER,
          newSeq,
          change.instances(),
          change.executions(),
          change.vacant(),
          change.messages(),
          newLimit);
      totals.clear();
    }
  }

  private void forgetSeq() {
    seq = UNREAD;
    reserved = UNREAD;
  }

  /** Undoes everything; also when the database has done so already. */
  void rollback() {
    forget();
    clock.undone();
    sql.rollback();
    stage = Stage.NONE;
  }

  /**
   * Ends a transaction that was cut short in whatever place, and relies on nothing that it has left
   * behind. True if it had been committed: then there is nothing left to undo.
   */
  boolean abandon() {
    sql.distrust();
    dataVersion = UNREAD;
    try {
      forget();
    } catch (Error shortage) {
      // The next transaction does so too, as it does not know which one was the last.
    }
    boolean undone = sql.rollback();
    boolean committed = stage == Stage.COMMITTING && !undone;
    if (committed) {
      clock.committed();
    }
    clock.undone();
    stage = Stage.NONE;
    return committed;
  }

  private void forget() {
    forgetSeq();
    totals.clear();
    turns.clear();
    work.clear();
    caches.forEach(Runnable::run);
  }

  /** What was read before is no longer so. */
  void forgetKept() {
    caches.forEach(Runnable::run);
  }

  private static final String READ_SEQ =
      """
      SELECT seq FROM duroxide_counter
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
      clock.forget();
      caches.forEach(Runnable::run);
    }
    return foreign;
  }
}
