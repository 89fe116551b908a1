package io.duroxide.provider.postgres;

import java.sql.SQLException;

/** The numbers that the server gives to messages and activities. Confined to one transaction. */
final class Sequences {
  private static final long MARGIN = 1_000_000;

  private final Sql sql;

  Sequences(Sql sql) {
    this.sql = sql;
  }

  private static final String LAST_MESSAGE =
      """
      SELECT pg_sequence_last_value(pg_get_serial_sequence('@.message', 'seq')::regclass)
      """;

  private static final String HOLD_MESSAGES =
      """
      LOCK TABLE @.message IN SHARE ROW EXCLUSIVE MODE
      """;

  private static final String ADVANCE_MESSAGES =
      """
      SELECT setval(pg_get_serial_sequence('@.message', 'seq')::regclass, ?)
      """;

  private static final String LAST_ACTIVITY =
      """
      SELECT pg_sequence_last_value(pg_get_serial_sequence('@.work', 'seq')::regclass)
      """;

  private static final String HOLD_ACTIVITIES =
      """
      LOCK TABLE @.work IN SHARE ROW EXCLUSIVE MODE
      """;

  private static final String ADVANCE_ACTIVITIES =
      """
      SELECT setval(pg_get_serial_sequence('@.work', 'seq')::regclass, ?)
      """;

  /**
   * Numbers that come later are larger than these, too.
   *
   * <p>Setting a sequence is not undone with the transaction, which harms nobody. It is done under
   * a lock, so that it never takes back what another node was given meanwhile, and with a margin,
   * so that it is seldom done.
   */
  void reserve(long message, long activity) throws SQLException {
    if (message > 0 && message > sql.number(LAST_MESSAGE)) {
      sql.update(HOLD_MESSAGES);
      long last = sql.number(LAST_MESSAGE);
      sql.number(ADVANCE_MESSAGES, Math.max(message, last) + MARGIN);
    }
    if (activity > 0 && activity > sql.number(LAST_ACTIVITY)) {
      sql.update(HOLD_ACTIVITIES);
      long last = sql.number(LAST_ACTIVITY);
      sql.number(ADVANCE_ACTIVITIES, Math.max(activity, last) + MARGIN);
    }
  }
}
