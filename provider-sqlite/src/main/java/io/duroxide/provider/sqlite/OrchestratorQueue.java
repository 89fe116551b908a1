package io.duroxide.provider.sqlite;

import io.duroxide.provider.ProviderException;
import java.sql.SQLException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Messages and locks of instances: who stands in which line. Confined to the writer.
 *
 * <p>A known instance can be fetched once its oldest message is visible and its lock has ended. One
 * that is not known needs a visible start, or nothing but queue messages, which are then dropped;
 * otherwise it stands in no line and costs nothing (Q4).
 */
final class OrchestratorQueue {
  private final Tx tx;
  private final Instances instances;
  private final Messages messages;

  OrchestratorQueue(Tx tx, Instances instances, Messages messages) {
    this.tx = tx;
    this.instances = instances;
    this.messages = messages;
  }

  /** Queues a message that comes from outside a turn. */
  void enqueue(NewMessage message, Duration delay) throws SQLException {
    deliver(message, Math.max(StoreTime.after(tx.now(), delay), message.fireAt()));
  }

  /** Queues a start, unless there is an instance of that id or another start of it. */
  void enqueueNew(NewMessage start, Duration delay) throws SQLException {
    InstanceRow row = instances.find(start.instance());
    if (row != null && (row.isKnown() || messages.firstStart(row.key()) != null)) {
      throw ProviderException.alreadyExists("startNew", start.instance());
    }
    enqueue(start, delay);
  }

  /** Removes starts that no parent waits for: they found the instance. */
  void dropStarts(long key) throws SQLException {
    if (messages.deleteOwnStarts(key) > 0) {
      InstanceRow row = instances.find(key);
      if (row != null) {
        instances.saveSlot(key, slotOf(row));
      }
    }
  }

  /** Nobody gets the instance for so long; whoever has it has lost it. */
  void rest(long key, Duration delay) throws SQLException {
    InstanceRow row = instances.find(key);
    if (row != null) {
      messages.countAttempt(row.lock());
      relock(row, InstanceLock.rest(StoreTime.after(tx.now(), delay)));
    }
  }

  /** Queues a message that a commit sends. */
  void enqueueCommitted(NewMessage message) throws SQLException {
    deliver(message, visibleAt(message));
  }

  /** A timer that a commit sends is visible exactly at its fire time, anything else at once. */
  long visibleAt(NewMessage message) {
    return message.fireAt() > 0 ? message.fireAt() : tx.now();
  }

  private void deliver(NewMessage message, long visibleAt) throws SQLException {
    InstanceRow to = instances.find(message.instance());
    if (to == null) {
      deliverFirst(message, visibleAt);
      return;
    }
    if (messages.isHeldBack(to.key(), to.mailboxes(), message, visibleAt)) {
      messages.insertParked(to.key(), message, visibleAt);
      noteParked(to);
      return;
    }
    Place place = messages.insert(to.key(), message, visibleAt);
    Slot slot = to.isKnown() ? joined(to, place) : slotOf(to);
    if (!slot.equals(to.slot())) {
      instances.saveSlot(to.key(), slot);
      announce(slot);
    }
  }

  /** To be called when messages of an instance were parked. */
  void noteParked(InstanceRow row) throws SQLException {
    if (!row.mailboxes().hasParked()) {
      instances.saveMailboxes(row.key(), new Mailboxes(row.mailboxes().rules(), true));
    }
  }

  /** One message decides where an instance stands that nothing is known of. */
  private void deliverFirst(NewMessage message, long visibleAt) throws SQLException {
    InstanceRow.Ref ref = instances.newRef(message.instance());
    messages.begin(ref.key());
    Place place = messages.insert(ref.key(), message, visibleAt);
    Slot slot = message.kind().needsStart() ? Slot.NONE : slot(0, place, place);
    instances.insert(ref, slot);
    announce(slot);
  }

  /** Where a known instance stands once it has one more message; nothing has to be read for it. */
  private Slot joined(InstanceRow to, Place added) {
    Slot slot = to.slot();
    boolean first = slot.line() == Slot.NO_LINE || added.at() < slot.at();
    boolean lockDecides = slot.line() == Slot.HELD && slot.at() <= to.lock().until();
    return first && !lockDecides ? slot(to.lock().until(), added, added) : slot;
  }

  /** Where an instance stands, as its messages and its lock have it. */
  Slot slotOf(InstanceRow row) throws SQLException {
    Place oldest = messages.first(row.key());
    if (oldest == null) {
      return Slot.NONE;
    }
    Place herald = row.isKnown() ? oldest : heraldOfUnknown(row.key(), oldest);
    return herald == null ? Slot.NONE : slot(row.lock().until(), herald, oldest);
  }

  private @Nullable Place heraldOfUnknown(long key, Place oldest) throws SQLException {
    boolean orphaned = !messages.hasMoreThanQueueMessages(key);
    return orphaned ? oldest : messages.firstStart(key);
  }

  private Slot slot(long lockedUntil, Place herald, Place oldest) {
    long from = Math.max(herald.at(), lockedUntil);
    if (from <= tx.now()) {
      return Slot.ready(oldest);
    }
    return lockedUntil > tx.now() ? Slot.held(from, oldest) : Slot.sleeping(from, oldest);
  }

  /** Tells those who wait that an instance has come to stand there. */
  void announce(Slot slot) {
    switch (slot.line()) {
      case Slot.READY -> tx.turns().ready();
      case Slot.SLEEPING, Slot.HELD -> tx.turns().later(slot.at());
      default -> {}
    }
  }

  /** Locks an instance of the ready line for a batch. */
  void take(InstanceRow row, String token, Duration lockTimeout) throws SQLException {
    messages.countAttempt(row.lock());
    long until = StoreTime.after(tx.now(), lockTimeout);
    instances.take(row.key(), token, until);
    tx.turns().later(until);
  }

  /** The instance that {@code token} locks, valid or expired. */
  InstanceRow holder(String operation, String token) throws SQLException {
    InstanceRow row = instances.find(Tokens.batch(operation, token).instance());
    if (row == null || !token.equals(row.lock().token())) {
      throw Refusal.lockLost(operation, token);
    }
    return row;
  }

  /** As {@link #holder}, but the lock must be valid. */
  InstanceRow validHolder(String operation, String token) throws SQLException {
    InstanceRow row = holder(operation, token);
    if (!row.lock().isValid(tx.now())) {
      throw Refusal.lockLost(operation, token);
    }
    return row;
  }

  void renew(String token, Duration extendFor) throws SQLException {
    String operation = "renewOrchestrationItemLock";
    InstanceRow row = validHolder(operation, token);
    InstanceLock lock = row.lock().renewed(StoreTime.after(tx.now(), extendFor));
    relock(row, lock);
  }

  void abandon(String token, Duration delay, boolean ignoreAttempt) throws SQLException {
    InstanceRow row = holder("abandonOrchestrationItem", token);
    if (!ignoreAttempt) {
      messages.countAttempt(row.lock());
    }
    boolean rests = delay.isPositive();
    relock(row, rests ? InstanceLock.rest(StoreTime.after(tx.now(), delay)) : InstanceLock.NONE);
  }

  /** Gives an instance another lock, and the place that follows from it and its messages. */
  void relock(InstanceRow row, InstanceLock lock) throws SQLException {
    Slot slot = slotOf(row.with(lock));
    instances.saveLock(row.key(), slot, lock);
    announce(slot);
  }

  /** Whoever holds the lock has lost it. */
  void dropLock(InstanceRow row) throws SQLException {
    messages.countAttempt(row.lock());
    relock(row, InstanceLock.NONE);
  }

  /** To be called when messages were removed or an instance became known other than by a turn. */
  void placeAgain(InstanceRow row) throws SQLException {
    Slot slot = slotOf(row);
    instances.saveSlot(row.key(), slot);
    announce(slot);
    instances.deleteIfEmpty(row.key());
  }

  /** Removes everything queued for an instance; returns how many messages. */
  int clear(InstanceRow row) throws SQLException {
    int removed = messages.deleteAll(row.key());
    instances.saveLock(row.key(), Slot.NONE, InstanceLock.NONE);
    instances.deleteIfEmpty(row.key());
    return removed;
  }

  /** Removes old messages that have no instance to go to; returns how many. */
  int purgeOrphans(Duration olderThan) throws SQLException {
    long before = StoreTime.before(tx.now(), olderThan);
    int purged = 0;
    for (long key : messages.orphaned(before)) {
      purged += messages.deleteOlder(key, before);
      InstanceRow row = instances.find(key);
      if (row != null) {
        placeAgain(row);
      }
    }
    return purged;
  }
}
