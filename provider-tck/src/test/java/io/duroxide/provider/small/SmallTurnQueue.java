package io.duroxide.provider.small;

import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.BatchBound;
import io.duroxide.provider.DeliveryOrder;
import io.duroxide.provider.LockTokens;
import io.duroxide.provider.OrphanQueuePolicy;
import io.duroxide.provider.TextChecks;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The orchestrator queue and the locks of instances. Guarded by the provider's lock. */
final class SmallTurnQueue {
  private static final Comparator<Message> ORDER =
      Comparator.comparing((Message message) -> message.visibleAt)
          .thenComparingLong(message -> message.position);

  private final Supplier<String> tokens = LockTokens.random();
  private final SmallClock clock;
  private final Map<String, NavigableSet<Message>> messages = new HashMap<>();
  private final Map<String, Lock> locks = new HashMap<>();
  private final Set<String> held = new HashSet<>();
  private long positions;

  SmallTurnQueue(SmallClock clock) {
    this.clock = clock;
  }

  /** A row of the queue. */
  static final class Message {
    final WorkItem item;
    final Instant visibleAt;
    final long position;
    final long bytes;
    int attempts;

    Message(WorkItem item, Instant visibleAt, long position) {
      this.item = item;
      this.visibleAt = visibleAt;
      this.position = position;
      this.bytes = BatchBound.bytesOf(WorkItemCodec.encode(item));
    }

    private DeliveryOrder.Place place() {
      boolean isTimer = item instanceof WorkItem.TimerFired;
      return new DeliveryOrder.Place(visibleAt.toEpochMilli(), isTimer, position);
    }
  }

  /**
   * Keeps everyone else from an instance until its end.
   *
   * @param token of whoever holds it; null while the instance rests
   * @param batch what was delivered with it
   */
  record Lock(String instance, @Nullable String token, Instant until, List<Message> batch) {}

  static void check(String operation, WorkItem item) {
    if (item instanceof WorkItem.ActivityExecute) {
      throw SmallRefusals.invalid(operation, "an activity belongs into the worker queue: " + item);
    }
    TextChecks.check(operation, item);
  }

  /** Queues a message of a client, which waits for its delay; a timer waits for its fire time. */
  void add(WorkItem item, Duration delay) {
    Instant visibleAt = clock.after(delay);
    boolean isEarly =
        item instanceof WorkItem.TimerFired timer && timer.fireAt().isAfter(visibleAt);
    add(item, isEarly ? ((WorkItem.TimerFired) item).fireAt() : visibleAt);
  }

  /** Queues a message of a commit: visible at once, a timer at its fire time. */
  void send(WorkItem item) {
    boolean isTimed =
        item instanceof WorkItem.TimerFired timer && timer.fireAt().isAfter(Instant.EPOCH);
    add(item, isTimed ? ((WorkItem.TimerFired) item).fireAt() : clock.now());
  }

  private void add(WorkItem item, Instant visibleAt) {
    held.remove(item.instance());
    messages
        .computeIfAbsent(item.instance(), any -> new TreeSet<>(ORDER))
        .add(new Message(item, visibleAt, ++positions));
  }

  /** Instances with visible messages that are neither locked nor resting, oldest first. */
  List<String> ready() {
    return messages.entrySet().stream()
        .filter(entry -> !clock.isFuture(entry.getValue().first().visibleAt))
        .filter(entry -> !isLocked(entry.getKey()))
        .sorted(Comparator.comparing(entry -> entry.getValue().first(), ORDER))
        .map(Map.Entry::getKey)
        .toList();
  }

  private boolean isLocked(String instance) {
    Lock lock = locks.get(instance);
    return lock != null && clock.isFuture(lock.until());
  }

  /** The visible messages of an instance in the order of delivery. */
  List<Message> visible(String instance) {
    return DeliveryOrder.of(
        messages.getOrDefault(instance, new TreeSet<>(ORDER)).stream()
            .takeWhile(message -> !clock.isFuture(message.visibleAt))
            .toList(),
        Message::place);
  }

  /** Queue messages alone are dropped if nobody can get them, unless a fetch has held them. */
  void meetOrphans(String instance, OrphanQueuePolicy policy) {
    boolean isMailAlone =
        messages.get(instance).stream()
            .allMatch(message -> message.item instanceof WorkItem.QueueMessage);
    if (policy == OrphanQueuePolicy.HOLD) {
      held.add(instance);
    } else if (isMailAlone && !held.contains(instance)) {
      messages.remove(instance);
    }
  }

  /** Locks an instance and counts the attempt on what is delivered. */
  Lock take(String instance, Duration lockTimeout, List<Message> visible) {
    List<Message> batch =
        BatchBound.cut(
            visible,
            message -> message.bytes,
            message -> BatchBound.isAlwaysDelivered(message.item));
    batch.forEach(message -> message.attempts++);
    Lock lock = new Lock(instance, tokens.get(), clock.after(lockTimeout), batch);
    locks.put(instance, lock);
    return lock;
  }

  /** The lock of a token, valid or expired. */
  Lock held(String operation, String token) {
    return locks.values().stream()
        .filter(lock -> token.equals(lock.token()))
        .findFirst()
        .orElseThrow(() -> SmallRefusals.lockLost(operation, token));
  }

  Lock valid(String operation, String token) {
    Lock lock = held(operation, token);
    if (!clock.isFuture(lock.until())) {
      throw SmallRefusals.lockLost(operation, token);
    }
    return lock;
  }

  void renew(String token, Duration extendFor) {
    String operation = "renewOrchestrationItemLock";
    SmallRefusals.checkLease(operation, extendFor);
    Lock lock = valid(operation, token);
    locks.put(
        lock.instance(), new Lock(lock.instance(), token, clock.after(extendFor), lock.batch()));
  }

  /** Releases an instance, which rests for {@code delay}. */
  void abandon(String token, Duration delay, boolean ignoreAttempt) {
    Lock lock = held("abandonOrchestrationItem", token);
    if (ignoreAttempt) {
      lock.batch().forEach(message -> message.attempts--);
    }
    locks.put(lock.instance(), new Lock(lock.instance(), null, clock.after(delay), List.of()));
  }

  /** Whether a visible message of one of these mailboxes is not part of the batch. */
  boolean hasOtherMail(Lock lock, List<String> mailboxes) {
    return visible(lock.instance()).stream()
        .filter(message -> !lock.batch().contains(message))
        .anyMatch(message ->
            message.item instanceof WorkItem.QueueMessage mail && mailboxes.contains(mail.name()));
  }

  /** Removes what was delivered and releases the lock. */
  void consume(Lock lock) {
    messages.computeIfPresent(
        lock.instance(),
        (any, waiting) -> {
          waiting.removeAll(Set.copyOf(lock.batch()));
          return waiting.isEmpty() ? null : waiting;
        });
    locks.remove(lock.instance());
  }
}
