package io.duroxide.provider.sqlite;

import java.sql.SQLException;

/**
 * The clock was set back: whatever is stored as a time is moved by as much, so that it is as far
 * from now as it was. So what was visible is so, in its order, and locks, leases, rests and
 * announcements last as long as they would have. Messages whose time had not come keep their
 * instants. Times that are only told, such as when an instance was created, stay. Run by the writer
 * inside the transaction that meets the step.
 */
final class ClockShift {
  /** What lies before this or behind its opposite is never or always, and moves nowhere. */
  private static final long LONGEST = Long.MAX_VALUE / 2;

  private final Tables tables;
  private final Sql sql;
  private final ClockWatch.Step step;

  ClockShift(Tables tables, ClockWatch.Step step) {
    this.tables = tables;
    this.sql = tables.tx().sql();
    this.step = step;
  }

  void run() throws SQLException {
    shiftMessages();
    sql.update(SHIFT_LINES, step.back(), step.seenUntil(), LONGEST);
    shiftWork();
    tables.tx().forgetKept();
    for (long key : sql.list(LOCKED, row -> row.getLong(1))) {
      InstanceRow row = tables.instances().find(key);
      if (row != null) {
        shiftLock(row);
      }
    }
  }

  private static final String SHIFT_VISIBLE =
      """
      UPDATE duroxide_message SET visible_at = visible_at - ?1
      WHERE (visible_at <= ?2 OR visible_at <= created_at) AND visible_at BETWEEN -?3 AND ?3
      """;

  private static final String SHIFT_ARRIVAL =
      """
      UPDATE duroxide_message SET created_at = created_at - ?1 WHERE created_at BETWEEN -?2 AND ?2
      """;

  private void shiftMessages() throws SQLException {
    sql.update(SHIFT_VISIBLE, step.back(), step.seenUntil(), LONGEST);
    sql.update(SHIFT_ARRIVAL, step.back(), LONGEST);
  }

  /** A place in the ready line is the time of a message that was visible. */
  private static final String SHIFT_LINES =
      """
      UPDATE duroxide_instance SET slot_at = slot_at - ?1
      WHERE line IN (1, 2) AND slot_at BETWEEN -?3 AND CASE line WHEN 1 THEN ?3 ELSE ?2 END
      """;

  private static final String SHIFT_WORK =
      """
      UPDATE duroxide_work SET slot = slot - ?1 WHERE line = 2 AND slot BETWEEN -?2 AND ?2
      """;

  private static final String SHIFT_SESSIONS =
      """
      UPDATE duroxide_session SET locked_until = locked_until - ?1, used_at = used_at - ?1
      WHERE locked_until BETWEEN -?2 AND ?2
      """;

  private static final String SHIFT_NODES =
      """
      UPDATE duroxide_node SET until = until - ?1 WHERE until BETWEEN -?2 AND ?2
      """;

  private void shiftWork() throws SQLException {
    sql.update(SHIFT_WORK, step.back(), LONGEST);
    sql.update(SHIFT_SESSIONS, step.back(), LONGEST);
    sql.update(SHIFT_NODES, step.back(), LONGEST);
  }

  private static final String LOCKED =
      """
      SELECT key FROM duroxide_instance WHERE lock_token IS NOT NULL OR locked_until > 0
      """;

  /**
   * A token says by times which messages its batch has, so the lock remembers the shift. Whether
   * the lock or a message decides when the instance can be fetched may have changed.
   */
  private void shiftLock(InstanceRow row) throws SQLException {
    InstanceLock lock = row.lock();
    boolean isEndless = lock.until() > LONGEST;
    InstanceLock shifted =
        lock.shifted(isEndless ? lock.until() : lock.until() - step.back(), step.back());
    if (row.slot().line() == Slot.HELD) {
      tables.orchestratorQueue().relock(row, shifted);
    } else {
      tables.instances().saveLock(row.key(), row.slot(), shifted);
    }
  }
}
