package io.duroxide.provider.sqlite;

import io.duroxide.provider.MailboxRules;
import io.duroxide.provider.QueueRoom;
import java.sql.SQLException;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Messages whose queue has no room for them. They stand apart, so that neither a fetch nor the
 * place of their instance in line has to look at them, however many they are. All messages of a
 * queue that is closed are parked; of one that has room, the visible ones behind what it has room
 * for may be, and what arrives then joins them. Confined to the writer.
 */
final class ParkedMessages {
  private final Tx tx;
  private final Sql sql;

  ParkedMessages(Tx tx) {
    this.tx = tx;
    this.sql = tx.sql();
  }

  private static final String HAS_QUEUE =
      """
      SELECT 1 FROM duroxide_message WHERE instance = ? AND parked = 1 AND name = ? LIMIT 1
      """;

  /** Whether messages of a queue are parked. */
  boolean has(long instance, String queue) throws SQLException {
    return sql.exists(HAS_QUEUE, instance, queue);
  }

  private static final String HAS_ANY =
      """
      SELECT 1 FROM duroxide_message WHERE instance = ? AND parked = 1 LIMIT 1
      """;

  boolean hasAny(long instance) throws SQLException {
    return sql.exists(HAS_ANY, instance);
  }

  private static final String PARK_FROM =
      """
      UPDATE duroxide_message SET parked = 1
      WHERE instance = ? AND parked = 0 AND kind = 1 AND name = ? AND visible_at <= ? AND seq >= ?
      """;

  /** Parks the visible messages of a queue from a number on. */
  void parkFrom(long instance, String queue, long seq) throws SQLException {
    sql.update(PARK_FROM, instance, queue, tx.now(), seq);
  }

  private static final String QUEUES =
      """
      SELECT DISTINCT name FROM duroxide_message WHERE instance = ? AND parked = 0 AND kind = 1
      """;

  private static final String PARK_QUEUE =
      """
      UPDATE duroxide_message SET parked = 1
      WHERE instance = ? AND parked = 0 AND kind = 1 AND name = ?
      """;

  /** Parks all messages of queues that are closed; returns how many. */
  int parkClosed(long instance, MailboxRules rules) throws SQLException {
    int parked = 0;
    for (String queue : sql.list(QUEUES, row -> row.getString(1), instance)) {
      if (rules.isClosed(queue)) {
        parked += sql.update(PARK_QUEUE, instance, queue);
      }
    }
    return parked;
  }

  private static final String NEXT_QUEUE =
      """
      SELECT name FROM duroxide_message WHERE instance = ? AND parked = 1 AND name > ?
      ORDER BY name LIMIT 1
      """;

  private static final String FIRST_QUEUE =
      """
      SELECT name FROM duroxide_message WHERE instance = ? AND parked = 1 ORDER BY name LIMIT 1
      """;

  /** Lets out what there is room for; returns how many. */
  int release(long instance, MailboxRules rules) throws SQLException {
    int released = 0;
    String queue = sql.first(FIRST_QUEUE, row -> row.getString(1), instance);
    while (queue != null) {
      QueueRoom room = rules.room(queue);
      if (!room.isClosed()) {
        released += release(instance, queue, room);
      }
      queue = sql.first(NEXT_QUEUE, row -> row.getString(1), instance, queue);
    }
    return released;
  }

  private static final String SIZES =
      """
      SELECT seq, octet_length(payload) FROM duroxide_message
      WHERE instance = ? AND parked = 1 AND name = ? AND visible_at <= ? ORDER BY seq LIMIT 0 + ?
      """;

  /** The size of a parked message. */
  private record Size(long seq, long bytes) {}

  private static final String RELEASE_TO =
      """
      UPDATE duroxide_message SET parked = 0
      WHERE instance = ? AND parked = 1 AND name = ? AND seq <= ? AND visible_at <= ?
      """;

  private static final String RELEASE_DELAYED =
      """
      UPDATE duroxide_message SET parked = 0
      WHERE instance = ? AND parked = 1 AND visible_at > ? AND name = ?
      """;

  private int release(long instance, String queue, QueueRoom room) throws SQLException {
    List<Size> sizes =
        sql.list(
            SIZES,
            row -> new Size(row.getLong(1), row.getLong(2)),
            instance,
            queue,
            tx.now(),
            room.messages());
    Long last = lastWithin(sizes, room);
    int released = sql.update(RELEASE_DELAYED, instance, tx.now(), queue);
    return last == null
        ? released
        : released + sql.update(RELEASE_TO, instance, queue, last, tx.now());
  }

  private static @Nullable Long lastWithin(List<Size> sizes, QueueRoom room) {
    Long last = null;
    int count = 0;
    long sum = 0;
    for (Size size : sizes) {
      sum += size.bytes();
      if (!room.takes(count, sum)) {
        break;
      }
      count++;
      last = size.seq();
    }
    return last;
  }
}
