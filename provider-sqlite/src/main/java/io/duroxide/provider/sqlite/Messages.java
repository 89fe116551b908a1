package io.duroxide.provider.sqlite;

import io.duroxide.provider.InstanceSnapshot.MessageRow;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The table of messages. Confined to the writer. */
final class Messages {
  private final Tx tx;
  private final Sql sql;
  private final KeptMessages kept = new KeptMessages();

  Messages(Tx tx) {
    this.tx = tx;
    this.sql = tx.sql();
    tx.onStale(kept::clear);
  }

  /**
   * To be called for an instance that was not there before, so that its messages are remembered.
   */
  void begin(long instance) {
    kept.begin(instance);
  }

  private static final String INSERT =
      """
      INSERT INTO message (instance, visible_at, seq, kind, created_at, payload)
      VALUES (?, ?, ?, ?, ?, ?)
      """;

  private static final String INSERT_START =
      """
      INSERT INTO message
        (instance, visible_at, seq, kind, created_at, payload, parent, name, version)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  /** Adds a message to an instance; returns where it stands. */
  Place insert(long instance, NewMessage message, long visibleAt) throws SQLException {
    long seq = tx.nextSeq();
    int kind = message.kind().stored();
    String payload = message.payload();
    if (message.kind().isStart()) {
      String parent = message.parent();
      sql.update(
          INSERT_START,
          instance,
          visibleAt,
          seq,
          kind,
          tx.now(),
          payload,
          parent,
          message.name(),
          message.version());
    } else {
      sql.update(INSERT, instance, visibleAt, seq, kind, tx.now(), payload);
    }
    tx.totals().addMessages(1);
    Place place = new Place(visibleAt, seq);
    kept.add(instance, StoredMessage.of(message, place));
    return place;
  }

  private static final String RESTORE =
      """
      INSERT INTO message (instance, visible_at, seq, kind, attempts, created_at, payload, parent,
        name, version)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  /** Adds a message of another store. */
  void restore(long instance, NewMessage message, MessageRow row) throws SQLException {
    tx.reserveSeq(row.position());
    sql.update(
        RESTORE,
        instance,
        StoreTime.millis(row.visibleAt()),
        row.position(),
        message.kind().stored(),
        row.attempts(),
        StoreTime.millis(row.enqueuedAt()),
        message.payload(),
        message.parent(),
        message.name(),
        message.version());
    kept.forget(instance);
    tx.totals().addMessages(1);
  }

  private static final String VISIBLE =
      """
      SELECT visible_at, seq, kind, attempts, name, version, payload
      FROM message WHERE instance = ? AND visible_at <= ?
      """;

  /** What can be delivered now, in enqueue order. */
  List<StoredMessage> visible(long instance) throws SQLException {
    List<StoredMessage> known = kept.of(instance);
    if (known != null) {
      return known.stream().filter(message -> message.place().at() <= tx.now()).toList();
    }
    List<StoredMessage> found = sql.list(VISIBLE, Messages::read, instance, tx.now());
    found.sort(Comparator.comparingLong(message -> message.place().seq()));
    return found;
  }

  private static StoredMessage read(ResultSet row) throws SQLException {
    MessageKind kind = MessageKind.ofStored(row.getInt(3));
    return new StoredMessage(
        new Place(row.getLong(1), row.getLong(2)),
        kind,
        row.getInt(4),
        kind.isStart() ? new StoredMessage.Announced(row.getString(5), row.getString(6)) : null,
        row.getString(7));
  }

  private static final String FIRST =
      """
      SELECT visible_at, seq FROM message WHERE instance = ? ORDER BY visible_at, seq LIMIT 1
      """;

  /** The oldest message. */
  @Nullable Place first(long instance) throws SQLException {
    List<StoredMessage> known = kept.of(instance);
    if (known != null) {
      return known.stream().map(StoredMessage::place).min(Place.OLDEST_FIRST).orElse(null);
    }
    Place first = sql.first(FIRST, row -> new Place(row.getLong(1), row.getLong(2)), instance);
    if (first == null) {
      kept.begin(instance);
    }
    return first;
  }

  private static final String FIRST_START =
      """
      SELECT visible_at, seq FROM message
      WHERE instance = ? AND kind >= 2 ORDER BY visible_at, seq LIMIT 1
      """;

  /** The oldest message that begins an execution. */
  @Nullable Place firstStart(long instance) throws SQLException {
    return sql.first(FIRST_START, row -> new Place(row.getLong(1), row.getLong(2)), instance);
  }

  private static final String HAS_OTHERS =
      """
      SELECT 1 FROM message WHERE instance = ? AND kind <> 1 LIMIT 1
      """;

  /** Whether there is anything but queue messages. */
  boolean hasMoreThanQueueMessages(long instance) throws SQLException {
    return sql.exists(HAS_OTHERS, instance);
  }

  private static final String COUNT_ATTEMPT =
      """
      UPDATE message SET attempts = attempts + 1
      WHERE instance = ? AND visible_at <= ? AND seq <= ?
      """;

  /** Counts the attempt of a lock on its batch. */
  void countAttempt(InstanceLock lock) throws SQLException {
    Batch batch = lock.batch();
    if (batch != null) {
      kept.forget(batch.instance());
      sql.update(COUNT_ATTEMPT, batch.instance(), batch.at(), batch.seq());
    }
  }

  private static final String DELETE_BATCH =
      """
      DELETE FROM message WHERE instance = ? AND visible_at <= ? AND seq <= ?
      """;

  void delete(Batch batch) throws SQLException {
    removed(sql.update(DELETE_BATCH, batch.instance(), batch.at(), batch.seq()));
    kept.remove(batch);
  }

  private static final String DELETE_ALL =
      """
      DELETE FROM message WHERE instance = ?
      """;

  int deleteAll(long instance) throws SQLException {
    kept.forget(instance);
    return removed(sql.update(DELETE_ALL, instance));
  }

  private static final String STARTS_OF_CHILDREN =
      """
      SELECT DISTINCT instance FROM message WHERE parent = ?
      """;

  /** Instances for which a start waits that {@code parent} has sent. */
  List<Long> startsOfChildren(String parent) throws SQLException {
    return sql.list(STARTS_OF_CHILDREN, row -> row.getLong(1), parent);
  }

  private static final String DELETE_CHILD_STARTS =
      """
      DELETE FROM message WHERE parent = ? AND instance = ?
      """;

  int deleteStarts(String parent, long child) throws SQLException {
    kept.forget(child);
    return removed(sql.update(DELETE_CHILD_STARTS, parent, child));
  }

  private static final String ORPHANS =
      """
      SELECT DISTINCT instance FROM message m JOIN instance i ON i.key = m.instance
      WHERE i.stage = 0 AND m.created_at < ?1
        AND NOT EXISTS (SELECT 1 FROM message s WHERE s.instance = m.instance AND s.kind >= 2)
      """;

  /** Unknown instances without a start that have messages older than {@code before}. */
  List<Long> orphaned(long before) throws SQLException {
    return sql.list(ORPHANS, row -> row.getLong(1), before);
  }

  private static final String DELETE_OLD =
      """
      DELETE FROM message WHERE instance = ? AND created_at < ?
      """;

  int deleteOlder(long instance, long before) throws SQLException {
    kept.forget(instance);
    return removed(sql.update(DELETE_OLD, instance, before));
  }

  private int removed(int count) {
    tx.totals().addMessages(-count);
    return count;
  }
}
