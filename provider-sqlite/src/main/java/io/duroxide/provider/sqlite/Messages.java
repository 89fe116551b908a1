package io.duroxide.provider.sqlite;

import io.duroxide.provider.BatchBound;
import io.duroxide.provider.DeliveryOrder;
import io.duroxide.provider.InstanceSnapshot.MessageRow;
import io.duroxide.provider.MailboxRules;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The table of messages. Confined to the writer. */
final class Messages {
  private final Tx tx;
  private final Sql sql;
  private final KeptMessages kept = new KeptMessages();
  private final ParkedMessages parked;

  Messages(Tx tx) {
    this.tx = tx;
    this.parked = new ParkedMessages(tx);
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
      INSERT INTO duroxide_message (instance, visible_at, seq, kind, created_at, payload)
      VALUES (?, ?, ?, ?, ?, ?)
      """;

  private static final String INSERT_FULL =
      """
      INSERT INTO duroxide_message
        (instance, visible_at, seq, kind, created_at, payload, parent, name, version)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """;

  private static final String INSERT_PARKED =
      """
      INSERT INTO duroxide_message (instance, parked, visible_at, seq, kind, created_at, payload, name)
      VALUES (?, 1, ?, ?, 1, ?, ?, ?)
      """;

  /** Adds a message to an instance whose mailbox has no room for it. */
  void insertParked(long instance, NewMessage message, long visibleAt) throws SQLException {
    sql.update(
        INSERT_PARKED,
        instance,
        visibleAt,
        tx.nextSeq(),
        tx.now(),
        message.payload(),
        message.name());
    tx.totals().addMessages(1);
  }

  /** Whether a message has no room, or stands behind others that have none. */
  boolean isHeldBack(long instance, Mailboxes mailboxes, NewMessage message, long visibleAt)
      throws SQLException {
    String queue = message.queue();
    return queue != null
        && (mailboxes.rules().isClosed(queue)
            || (mailboxes.hasParked() && visibleAt <= tx.now() && parked.has(instance, queue)));
  }

  /** Parks what a fetch had no room for. */
  void park(long instance, Delivery delivery) throws SQLException {
    kept.forget(instance);
    for (Map.Entry<String, Long> queue : delivery.heldBack().entrySet()) {
      parked.parkFrom(instance, queue.getKey(), queue.getValue());
    }
  }

  /** Parks what other rules have no room for, and lets out what they have; returns the latter. */
  int rearrange(long instance, MailboxRules rules, boolean hasParked) throws SQLException {
    int closed = parked.parkClosed(instance, rules);
    int released = hasParked ? parked.release(instance, rules) : 0;
    if (closed + released > 0) {
      kept.forget(instance);
    }
    return released;
  }

  boolean hasParked(long instance) throws SQLException {
    return parked.hasAny(instance);
  }

  /** Adds a message to an instance; returns where it stands. */
  Place insert(long instance, NewMessage message, long visibleAt) throws SQLException {
    long seq = tx.nextSeq();
    int kind = message.kind().stored();
    String payload = message.payload();
    String parent = message.parent();
    if (message.name() != null || parent != null) {
      sql.update(
          INSERT_FULL,
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
      INSERT INTO duroxide_message (instance, visible_at, seq, kind, attempts, created_at, payload, parent,
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

  private static final String SIZE =
      """
      SELECT count(*), total(octet_length(payload)) FROM (
        SELECT payload FROM duroxide_message
        WHERE instance = ? AND parked = 0 AND visible_at <= ? LIMIT ?)
      """;

  private static final String VISIBLE =
      """
      SELECT visible_at, seq, kind, attempts, name, version, octet_length(payload), payload
      FROM duroxide_message WHERE instance = ? AND parked = 0 AND visible_at <= ?
      """;

  private static final String VISIBLE_PLACES =
      """
      SELECT visible_at, seq, kind, attempts, name, version, octet_length(payload), ''
      FROM duroxide_message WHERE instance = ? AND parked = 0 AND visible_at <= ?
      """;

  private static final String PAYLOAD =
      """
      SELECT payload FROM duroxide_message
      WHERE instance = ? AND parked = 0 AND visible_at = ? AND seq = ?
      """;

  /**
   * What can be delivered now.
   *
   * @param batch in the order of delivery
   * @param isWhole whether it is all that is visible and has room
   * @param largest the largest number of a message that is visible and has room
   * @param heldBack queues with visible messages that have no room, and the number of the first one
   */
  record Delivery(
      List<StoredMessage> batch, boolean isWhole, long largest, Map<String, Long> heldBack) {
    static Delivery of(List<StoredMessage> visible, MailboxRules rules) {
      List<StoredMessage> ordered = DeliveryOrder.of(visible, StoredMessage::deliveryPlace);
      List<StoredMessage> within =
          rules.within(ordered, StoredMessage::queue, StoredMessage::bytes);
      List<StoredMessage> batch =
          BatchBound.cut(within, StoredMessage::bytes, StoredMessage::isAlwaysDelivered);
      long largest = within.stream().mapToLong(message -> message.place().seq()).max().orElse(0);
      return new Delivery(batch, batch.size() == within.size(), largest, heldBack(ordered, within));
    }

    private static Map<String, Long> heldBack(
        List<StoredMessage> visible, List<StoredMessage> within) {
      if (within.size() == visible.size()) {
        return Map.of();
      }
      Set<Long> delivered = new HashSet<>();
      within.forEach(message -> delivered.add(message.place().seq()));
      Map<String, Long> heldBack = new HashMap<>();
      for (StoredMessage message : visible) {
        String queue = message.queue();
        if (queue != null && !delivered.contains(message.place().seq())) {
          heldBack.putIfAbsent(queue, message.place().seq());
        }
      }
      return heldBack;
    }
  }

  /** What can be delivered now; nothing is read of what the bounds of a batch leave out. */
  Delivery deliverable(long instance, MailboxRules rules) throws SQLException {
    List<StoredMessage> known = kept.of(instance);
    if (known != null) {
      return Delivery.of(
          known.stream().filter(message -> message.place().at() <= tx.now()).toList(), rules);
    }
    if (isSmall(instance)) {
      return Delivery.of(sql.list(VISIBLE, Messages::read, instance, tx.now()), rules);
    }
    Delivery places =
        Delivery.of(sql.list(VISIBLE_PLACES, Messages::read, instance, tx.now()), rules);
    List<StoredMessage> batch = new ArrayList<>(places.batch().size());
    for (StoredMessage message : places.batch()) {
      Place place = message.place();
      String payload =
          sql.first(PAYLOAD, row -> row.getString(1), instance, place.at(), place.seq());
      batch.add(message.withPayload(payload == null ? "" : payload));
    }
    return new Delivery(batch, places.isWhole(), places.largest(), places.heldBack());
  }

  private boolean isSmall(long instance) throws SQLException {
    int more = BatchBound.MESSAGES + 1;
    Boolean isSmall =
        sql.first(
            SIZE,
            row -> row.getInt(1) < more && row.getLong(2) <= BatchBound.BYTES,
            instance,
            tx.now(),
            more);
    return Boolean.TRUE.equals(isSmall);
  }

  private static StoredMessage read(ResultSet row) throws SQLException {
    MessageKind kind = MessageKind.ofStored(row.getInt(3));
    return new StoredMessage(
        new Place(row.getLong(1), row.getLong(2)),
        kind,
        row.getInt(4),
        kind.isStart() ? new StoredMessage.Announced(row.getString(5), row.getString(6)) : null,
        kind == MessageKind.QUEUE ? row.getString(5) : null,
        row.getLong(7),
        row.getString(8));
  }

  private static final String FIRST =
      """
      SELECT visible_at, seq FROM duroxide_message
      WHERE instance = ? AND parked = 0 ORDER BY visible_at, seq LIMIT 1
      """;

  /** The oldest message that is not parked. */
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
      SELECT visible_at, seq FROM duroxide_message
      WHERE instance = ? AND parked = 0 AND kind IN (2, 3) ORDER BY visible_at, seq LIMIT 1
      """;

  /** The oldest message that begins an execution. */
  @Nullable Place firstStart(long instance) throws SQLException {
    return sql.first(FIRST_START, row -> new Place(row.getLong(1), row.getLong(2)), instance);
  }

  private static final String HAS_OTHERS =
      """
      SELECT 1 FROM duroxide_message WHERE instance = ? AND parked = 0 AND kind <> 1 LIMIT 1
      """;

  /** Whether there is anything but queue messages. */
  boolean hasMoreThanQueueMessages(long instance) throws SQLException {
    return sql.exists(HAS_OTHERS, instance);
  }

  private static final String COUNT_ATTEMPT =
      """
      UPDATE duroxide_message SET attempts = attempts + 1
      WHERE instance = ? AND parked = 0 AND visible_at <= ? AND seq <= ?
      """;

  private static final String COUNT_ATTEMPT_OF_PART =
      """
      UPDATE duroxide_message SET attempts = attempts + 1
      WHERE instance = ? AND parked = 0 AND visible_at <= ? AND seq <= ?
        AND CASE kind
          WHEN 4 THEN (visible_at, seq) <= (?, ?)
          WHEN 2 THEN true WHEN 3 THEN true WHEN 5 THEN true
          ELSE seq <= ? END
      """;

  /** Counts the attempt of a lock on its batch. */
  void countAttempt(InstanceLock lock) throws SQLException {
    Batch batch = lock.batch();
    if (batch != null) {
      kept.forget(batch.instance());
      onBatch(batch, COUNT_ATTEMPT, COUNT_ATTEMPT_OF_PART);
    }
  }

  private static final String DELETE_BATCH =
      """
      DELETE FROM duroxide_message
      WHERE instance = ? AND parked = 0 AND visible_at <= ? AND seq <= ?
      """;

  private static final String DELETE_PART =
      """
      DELETE FROM duroxide_message
      WHERE instance = ? AND parked = 0 AND visible_at <= ? AND seq <= ?
        AND CASE kind
          WHEN 4 THEN (visible_at, seq) <= (?, ?)
          WHEN 2 THEN true WHEN 3 THEN true WHEN 5 THEN true
          ELSE seq <= ? END
      """;

  void delete(Batch batch) throws SQLException {
    removed(onBatch(batch, DELETE_BATCH, DELETE_PART));
    kept.remove(batch);
  }

  private int onBatch(Batch batch, String onWhole, String onPart) throws SQLException {
    Batch.Part part = batch.part();
    return part == null
        ? sql.update(onWhole, batch.instance(), batch.at(), batch.seq())
        : sql.update(
            onPart,
            batch.instance(),
            batch.at(),
            batch.seq(),
            part.lastTimer().at(),
            part.lastTimer().seq(),
            part.lastMessage());
  }

  private static final String DELETE_TIMER =
      """
      DELETE FROM duroxide_message WHERE instance = ? AND kind = 4 AND name = ?
      """;

  /** Removes a timer that nobody waits for any more. */
  void withdraw(long instance, long execution, long event) throws SQLException {
    String name = TimerName.of(execution, event);
    removedTimers(instance, sql.update(DELETE_TIMER, instance, name));
  }

  private static final String DELETE_TIMERS =
      """
      DELETE FROM duroxide_message WHERE instance = ? AND kind = 4 AND name >= ? AND name < ?
      """;

  /** Removes all timers of an execution, which has ended. */
  void withdrawAll(long instance, long execution) throws SQLException {
    String from = TimerName.from(execution);
    removedTimers(instance, sql.update(DELETE_TIMERS, instance, from, TimerName.to(execution)));
  }

  private void removedTimers(long instance, int count) {
    if (count > 0) {
      kept.forget(instance);
      removed(count);
    }
  }

  private static final String DELETE_ALL =
      """
      DELETE FROM duroxide_message WHERE instance = ?
      """;

  int deleteAll(long instance) throws SQLException {
    kept.forget(instance);
    return removed(sql.update(DELETE_ALL, instance));
  }

  private static final String STARTS_OF_CHILDREN =
      """
      SELECT DISTINCT instance FROM duroxide_message WHERE parent = ?
      """;

  /** Instances for which a start or a cancel waits that {@code parent} has sent. */
  List<Long> startsOfChildren(String parent) throws SQLException {
    return sql.list(STARTS_OF_CHILDREN, row -> row.getLong(1), parent);
  }

  private static final String DELETE_CHILD_STARTS =
      """
      DELETE FROM duroxide_message WHERE parent = ? AND instance = ?
      """;

  int deleteStarts(String parent, long child) throws SQLException {
    kept.forget(child);
    return removed(sql.update(DELETE_CHILD_STARTS, parent, child));
  }

  private static final String DELETE_OWN_STARTS =
      """
      DELETE FROM duroxide_message WHERE instance = ? AND kind = 2 AND parent IS NULL
      """;

  /** Removes starts without a parent; returns how many. */
  int deleteOwnStarts(long instance) throws SQLException {
    int count = sql.update(DELETE_OWN_STARTS, instance);
    if (count > 0) {
      kept.forget(instance);
    }
    return removed(count);
  }

  private static final String OTHER_MAIL =
      """
      SELECT 1 FROM duroxide_message
      WHERE instance = ?1 AND kind = 1 AND name = ?2 AND visible_at <= ?3
        AND (parked = 1 OR visible_at > ?4 OR seq > ?5)
      LIMIT 1
      """;

  /** Whether a message for a queue can be fetched that a batch does not hold. */
  boolean hasOtherMail(Batch batch, String queue) throws SQLException {
    Batch.Part part = batch.part();
    long last = part == null ? batch.seq() : Math.min(batch.seq(), part.lastMessage());
    return sql.exists(OTHER_MAIL, batch.instance(), queue, tx.now(), batch.at(), last);
  }

  private static final String ORPHANS =
      """
      SELECT DISTINCT instance FROM duroxide_message m JOIN duroxide_instance i ON i.key = m.instance
      WHERE i.stage = 0 AND m.created_at < ?1
        AND NOT EXISTS (SELECT 1 FROM duroxide_message s WHERE s.instance = m.instance AND s.kind IN (2, 3))
      """;

  /** Unknown instances without a start that have messages older than {@code before}. */
  List<Long> orphaned(long before) throws SQLException {
    return sql.list(ORPHANS, row -> row.getLong(1), before);
  }

  private static final String DELETE_OLD =
      """
      DELETE FROM duroxide_message WHERE instance = ? AND created_at < ?
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
