package io.duroxide.provider.sqlite;

import io.duroxide.model.ActivityKey;
import io.duroxide.provider.InstanceSnapshot.WorkRow;
import io.duroxide.provider.LockedWork;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The table of activities and their locks.
 *
 * <p>An activity stands either in the lane of those that the same workers may run, oldest first, or
 * among the sleeping, by the instant at which it turns visible or its lock ends. Confined to the
 * writer.
 */
final class WorkerQueue {
  static final int READY = 1;
  static final int READY_IN_SESSION = 3;
  private static final int ASLEEP = 2;

  private final Tx tx;
  private final Sql sql;
  private final Instances instances;
  private final Lanes lanes;
  private final Tokens tokens;

  WorkerQueue(Tx tx, Instances instances, Lanes lanes, Tokens tokens) {
    this.tokens = tokens;
    this.tx = tx;
    this.sql = tx.sql();
    this.instances = instances;
    this.lanes = lanes;
  }

  void enqueue(NewWork work) throws SQLException {
    enqueue(instances.findOrNew(work.key().instance()).key(), work);
  }

  private static final String INSERT =
      """
      INSERT INTO duroxide_work (instance, execution, activity, seq, line, slot, lane, ready_line, payload)
      VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?6, ?5, ?7)
      """;

  void enqueue(long instance, NewWork work) throws SQLException {
    sql.update(
        INSERT,
        instance,
        work.key().executionId(),
        work.key().activityId(),
        tx.nextSeq(),
        readyLine(work),
        lanes.key(work.lane()),
        work.payload());
    tx.work().ready();
  }

  private static final String INSERT_LOCKED =
      """
      INSERT INTO duroxide_work
        (instance, execution, activity, seq, line, slot, lane, ready_line, attempts, token, payload)
      VALUES (?, ?, ?, ?, 2, ?, ?, ?, 1, ?, ?)
      """;

  /** Queues an activity that is locked from the beginning. */
  LockedWork enqueueLocked(long instance, NewWork work, Duration lockTimeout) throws SQLException {
    ActivityKey key = work.key();
    Tokens.WorkRef ref =
        new Tokens.WorkRef(instance, key.executionId(), key.activityId(), tx.nextSeq());
    String token = tokens.forWork(ref);
    long until = StoreTime.after(tx.now(), lockTimeout);
    sql.update(
        INSERT_LOCKED,
        instance,
        ref.execution(),
        ref.activity(),
        ref.seq(),
        until,
        lanes.key(work.lane()),
        readyLine(work),
        token,
        work.payload());
    tx.work().later(until);
    return new LockedWork(key, work.item(), null, token, 1);
  }

  private static final String RESTORE =
      """
      INSERT INTO duroxide_work
        (instance, execution, activity, seq, line, slot, lane, ready_line, attempts, payload)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  /** Queues an activity of another store. */
  void restore(long instance, NewWork work, WorkRow row) throws SQLException {
    tx.reserveSeq(row.position());
    Instant visibleAt = row.visibleAt();
    long lane = lanes.key(work.lane());
    long wakesAt = visibleAt == null ? tx.now() : StoreTime.millis(visibleAt);
    sql.update(
        RESTORE,
        instance,
        work.key().executionId(),
        work.key().activityId(),
        row.position(),
        visibleAt == null ? readyLine(work) : ASLEEP,
        visibleAt == null ? lane : wakesAt,
        lane,
        readyLine(work),
        row.attempts(),
        work.payload());
    if (visibleAt == null) {
      tx.work().ready();
    } else {
      tx.work().later(wakesAt);
    }
  }

  private static int readyLine(NewWork work) {
    return work.lane().session() == null ? READY : READY_IN_SESSION;
  }

  private static final String PROMOTE =
      """
      UPDATE duroxide_work SET line = ready_line, slot = lane WHERE line = 2 AND slot <= ?
      """;

  /** Moves activities whose time has come to their lanes. */
  void promote() throws SQLException {
    if (nextChange() <= tx.now()) {
      sql.update(PROMOTE, tx.now());
    }
  }

  private static final String NEXT_CHANGE =
      """
      SELECT coalesce(min(slot), 9223372036854775807) FROM duroxide_work WHERE line = 2
      """;

  /** No sleeping activity turns ready before this. */
  long nextChange() throws SQLException {
    return tx.work().earliest(tx.now(), () -> sql.number(NEXT_CHANGE));
  }

  private static final String READY_LANES =
      """
      WITH RECURSIVE found (lane) AS (
        SELECT (SELECT slot FROM duroxide_work WHERE line = ?1 ORDER BY slot LIMIT 1)
        UNION ALL
        SELECT (SELECT slot FROM duroxide_work WHERE line = ?1 AND slot > found.lane ORDER BY slot LIMIT 1)
        FROM found WHERE lane IS NOT NULL)
      SELECT lane FROM found WHERE lane IS NOT NULL
      """;

  /** The lanes that have something ready. */
  List<Long> readyLanes(boolean inSessions) throws SQLException {
    return sql.list(READY_LANES, row -> row.getLong(1), inSessions ? READY_IN_SESSION : READY);
  }

  /** An activity that is ready. */
  record Ready(Tokens.WorkRef ref, String instance, int attempts, String payload) {
    ActivityKey key() {
      return new ActivityKey(instance, ref.execution(), ref.activity());
    }
  }

  private static final String HEADS =
      """
      SELECT w.instance, w.execution, w.activity, w.seq, i.id, w.attempts, w.payload
      FROM duroxide_work w JOIN duroxide_instance i ON i.key = w.instance
      WHERE w.line = ? AND w.slot = ? ORDER BY w.seq LIMIT 0 + ?
      """;

  /** The oldest activities of a lane. */
  List<Ready> heads(long lane, boolean inSession, int limit) throws SQLException {
    return sql.list(
        HEADS,
        row ->
            new Ready(
                new Tokens.WorkRef(row.getLong(1), row.getLong(2), row.getLong(3), row.getLong(4)),
                row.getString(5),
                row.getInt(6),
                row.getString(7)),
        inSession ? READY_IN_SESSION : READY,
        lane,
        limit);
  }

  private static final String TAKE =
      """
      UPDATE duroxide_work SET line = 2, slot = ?, token = ?, attempts = attempts + 1
      WHERE instance = ? AND execution = ? AND activity = ? AND seq = ?
      """;

  /** Locks an activity and counts the attempt. */
  void take(Tokens.WorkRef ref, String token, Duration lockTimeout) throws SQLException {
    long until = StoreTime.after(tx.now(), lockTimeout);
    sql.update(TAKE, until, token, ref.instance(), ref.execution(), ref.activity(), ref.seq());
    tx.work().later(until);
  }

  private static final String DELETE_LOCKED_WITHOUT_SESSION =
      """
      DELETE FROM duroxide_work
      WHERE instance = ? AND execution = ? AND activity = ? AND seq = ?
        AND token = ? AND line = 2 AND slot > ? AND ready_line = 1
      """;

  private static final String DELETE_LOCKED =
      """
      DELETE FROM duroxide_work
      WHERE instance = ? AND execution = ? AND activity = ? AND seq = ?
        AND token = ? AND line = 2 AND slot > ?
      RETURNING lane
      """;

  /**
   * Removes the activity that {@code token} validly locks; returns its session. Most have none, and
   * a statement that answers with rows costs twice as much as one that does not.
   */
  @Nullable String deleteLocked(String operation, String token) throws SQLException {
    Tokens.WorkRef ref = Tokens.work(operation, token);
    @Nullable Object[] values = {
      ref.instance(), ref.execution(), ref.activity(), ref.seq(), token, tx.now()
    };
    if (sql.update(DELETE_LOCKED_WITHOUT_SESSION, values) == 1) {
      return null;
    }
    Long lane = sql.updateReturning(DELETE_LOCKED, row -> row.getLong(1), values);
    if (lane == null) {
      throw Refusal.lockLost(operation, token);
    }
    return lanes.lane(lane).session();
  }

  private static final String RENEW =
      """
      UPDATE duroxide_work SET slot = ?
      WHERE instance = ? AND execution = ? AND activity = ? AND seq = ?
        AND token = ? AND line = 2 AND slot > ?
      RETURNING lane
      """;

  /** Sets the end of a valid lock; returns the lane of its activity. */
  Lane renew(String token, Duration extendFor) throws SQLException {
    String operation = "renewWorkItemLock";
    Tokens.WorkRef ref = Tokens.work(operation, token);
    long until = StoreTime.after(tx.now(), extendFor);
    Long lane =
        sql.updateReturning(
            RENEW,
            row -> row.getLong(1),
            until,
            ref.instance(),
            ref.execution(),
            ref.activity(),
            ref.seq(),
            token,
            tx.now());
    if (lane == null) {
      throw Refusal.lockLost(operation, token);
    }
    tx.work().later(until);
    return lanes.lane(lane);
  }

  private static final String RELEASE_NOW =
      """
      UPDATE duroxide_work SET line = ready_line, slot = lane, token = NULL,
        attempts = max(0, attempts - ?)
      WHERE instance = ? AND execution = ? AND activity = ? AND seq = ? AND token = ?
      """;

  private static final String RELEASE_LATER =
      """
      UPDATE duroxide_work SET line = 2, slot = ?7, token = NULL, attempts = max(0, attempts - ?1)
      WHERE instance = ?2 AND execution = ?3 AND activity = ?4 AND seq = ?5 AND token = ?6
      """;

  /** Releases the activity that {@code token} locks, valid or expired. */
  void abandon(String token, Duration delay, boolean ignoreAttempt) throws SQLException {
    String operation = "abandonWorkItem";
    Tokens.WorkRef ref = Tokens.work(operation, token);
    int takenBack = ignoreAttempt ? 1 : 0;
    long visibleAt = StoreTime.after(tx.now(), delay);
    int released =
        visibleAt <= tx.now()
            ? sql.update(
                RELEASE_NOW,
                takenBack,
                ref.instance(),
                ref.execution(),
                ref.activity(),
                ref.seq(),
                token)
            : sql.update(
                RELEASE_LATER,
                takenBack,
                ref.instance(),
                ref.execution(),
                ref.activity(),
                ref.seq(),
                token,
                visibleAt);
    if (released == 0) {
      throw Refusal.lockLost(operation, token);
    }
    announce(visibleAt);
  }

  private void announce(long visibleAt) {
    if (visibleAt <= tx.now()) {
      tx.work().ready();
    } else {
      tx.work().later(visibleAt);
    }
  }

  private static final String CANCEL =
      """
      DELETE FROM duroxide_work WHERE instance = ? AND execution = ? AND activity = ?
      """;

  /** Removes an activity whether or not someone runs it: whoever does has lost its lock. */
  void cancel(long instance, ActivityKey key) throws SQLException {
    sql.update(CANCEL, instance, key.executionId(), key.activityId());
  }

  private static final String CANCEL_ALL =
      """
      DELETE FROM duroxide_work WHERE instance = ? AND execution = ?
      """;

  /** As {@link #cancel}, for all activities of an execution. */
  void cancelAll(long instance, long execution) throws SQLException {
    sql.update(CANCEL_ALL, instance, execution);
  }

  private static final String CLEAR =
      """
      DELETE FROM duroxide_work WHERE instance = ?
      """;

  /** Removes everything queued for an instance; returns how many activities. */
  int clear(long instance) throws SQLException {
    return sql.update(CLEAR, instance);
  }
}
