package io.duroxide.provider.memory;

import io.duroxide.model.ParentLink;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.InstanceSnapshot.MessageRow;
import io.duroxide.provider.TextChecks;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Messages and locks of all instances.
 *
 * <p>An instance with messages stands in one of two lines. {@code ready} holds those that can be
 * fetched now, oldest first; {@code sleeping} those whose first message is hidden or whose lock has
 * not ended, by the instant at which that changes. An instance that nobody knows and that has no
 * start stands in neither, so it costs nothing (Q4). Guarded by the gate.
 */
final class OrchestratorQueue {
  private final Instances instances;
  private final StoreClock clock;
  private final Supplier<String> tokens;
  private final WaitingRoom room;
  private final Map<String, Inbox> inboxes = new HashMap<>();
  private final Map<String, Inbox> holders = new HashMap<>();
  private final Map<String, Set<Message>> childStarts = new HashMap<>();
  private final NavigableMap<Place, Inbox> ready = new TreeMap<>();
  private final NavigableMap<Place, Inbox> sleeping = new TreeMap<>();
  private final Positions positions = new Positions();
  private long dropped;

  OrchestratorQueue(
      Instances instances, StoreClock clock, Supplier<String> tokens, WaitingRoom room) {
    this.instances = instances;
    this.clock = clock;
    this.tokens = tokens;
    this.room = room;
  }

  /** The item as a message for an orchestration; anything else is refused. */
  static WorkItem.ForOrchestrator check(String operation, WorkItem item) {
    if (item instanceof WorkItem.ForOrchestrator message) {
      TextChecks.check(operation, item);
      return message;
    }
    throw Refusal.invalid(
        operation, item.instance() + ": an activity belongs into the worker queue, got " + item);
  }

  /** Queues a message that comes from outside a turn. */
  void enqueue(WorkItem.ForOrchestrator item, Duration delay) {
    Instant visibleAt = StoreClock.after(clock.now(), delay);
    if (item instanceof WorkItem.TimerFired timer) {
      visibleAt = StoreClock.later(visibleAt, timer.fireAt());
    }
    insert(item, visibleAt);
  }

  /** Queues a message that a commit sends; a timer becomes visible exactly at its fire time. */
  void enqueueCommitted(WorkItem.ForOrchestrator item) {
    boolean timed =
        item instanceof WorkItem.TimerFired timer && timer.fireAt().isAfter(Instant.EPOCH);
    insert(item, timed ? ((WorkItem.TimerFired) item).fireAt() : clock.now());
  }

  private void insert(WorkItem.ForOrchestrator item, Instant visibleAt) {
    add(new Message(item, new Place(visibleAt, positions.next()), clock.now()));
  }

  /** Queues a message of another store, at its place there if that is free. */
  void restore(WorkItem.ForOrchestrator item, MessageRow row) {
    Place place = new Place(row.visibleAt(), positions.take(row.position()));
    Message message = new Message(item, place, row.enqueuedAt());
    message.attempts(row.attempts());
    add(message);
  }

  /** Nobody gets the instance before {@code until}. */
  void rest(String instance, Instant until) {
    Inbox inbox = findOrNew(instance);
    inbox.lock(InstanceLock.coolDown(until));
    place(inbox);
  }

  /** Nobody gets the instance for so long; whoever has it has lost it. */
  void restFor(String instance, Duration delay) {
    dropLock(findOrNew(instance));
    rest(instance, StoreClock.after(clock.now(), delay));
  }

  /** Removes starts that no parent waits for: they found the instance. */
  void dropStarts(String instance) {
    Inbox inbox = findOrNew(instance);
    List<Message> found =
        inbox.messages().stream()
            .filter(message ->
                message.item() instanceof WorkItem.StartOrchestration start
                    && start.parent() == null)
            .toList();
    remove(inbox, found);
  }

  /** Whether a visible message for one of these queues is there that a batch does not hold. */
  boolean hasOtherMail(Inbox inbox, List<String> queues, Batch batch) {
    if (queues.isEmpty()) {
      return false;
    }
    List<Message> taken = batch.messages();
    return inbox.allVisible(clock.now()).stream()
        .filter(message ->
            message.item() instanceof WorkItem.QueueMessage mail && queues.contains(mail.name()))
        .anyMatch(message -> !taken.contains(message));
  }

  private void add(Message message) {
    WorkItem.ForOrchestrator item = message.item();
    Inbox inbox = findOrNew(item.instance());
    inbox.add(message);
    String parent = parentOf(item);
    if (parent != null) {
      childStarts.computeIfAbsent(parent, any -> new LinkedHashSet<>()).add(message);
    }
    place(inbox);
  }

  /** Removes messages; those that are gone already are ignored. */
  void remove(Inbox inbox, Collection<Message> messages) {
    for (Message message : messages) {
      inbox.remove(message);
      positions.free(message.seq());
      String parent = parentOf(message.item());
      Set<Message> starts = parent == null ? null : childStarts.get(parent);
      if (parent != null && starts != null) {
        starts.remove(message);
        if (starts.isEmpty()) {
          childStarts.remove(parent);
        }
      }
    }
    place(inbox);
  }

  /** Starts and cancels of children of {@code parent} that no turn has consumed yet. */
  List<Message> startsOfChildren(String parent) {
    return List.copyOf(childStarts.getOrDefault(parent, Set.of()));
  }

  private static @Nullable String parentOf(WorkItem item) {
    ParentLink parent =
        switch (item) {
          case WorkItem.StartOrchestration start -> start.parent();
          case WorkItem.CancelInstance cancel -> cancel.parent();
          default -> null;
        };
    return parent == null ? null : parent.instance();
  }

  /** Instances that can be fetched now, oldest first. */
  Collection<Inbox> ready() {
    NavigableMap<Place, Inbox> due = sleeping.headMap(Place.endOf(clock.now()), true);
    for (Inbox inbox : List.copyOf(due.values())) {
      stand(inbox, ready, inbox.place());
    }
    return ready.values();
  }

  /** When the next sleeping instance turns ready. */
  Instant nextChange() {
    return sleeping.isEmpty() ? Instant.MAX : sleeping.firstKey().at();
  }

  /** Puts the instance into the line where it belongs; to be called after every change of it. */
  void place(Inbox inbox) {
    leaveLine(inbox);
    InstanceLock lock = inbox.lock();
    if (inbox.isEmpty() && lock == null) {
      inboxes.remove(inbox.instance());
    }
    Message herald = inbox.herald(instances.isKnown(inbox.instance()));
    if (herald == null) {
      return;
    }
    Instant from = herald.place().at();
    if (lock != null) {
      from = StoreClock.later(from, lock.until());
    }
    if (from.isAfter(clock.now())) {
      stand(inbox, sleeping, new Place(from, herald.seq()));
      room.expect(from);
    } else {
      stand(inbox, ready, inbox.place());
      room.wake();
    }
  }

  private void stand(Inbox inbox, NavigableMap<Place, Inbox> line, Place slot) {
    leaveLine(inbox);
    inbox.slot(slot);
    line.put(slot, inbox);
  }

  /** Nobody can fetch the instance until something about it changes. */
  void leaveLine(Inbox inbox) {
    Place slot = inbox.slot();
    if (slot != null) {
      ready.remove(slot, inbox);
      sleeping.remove(slot, inbox);
      inbox.slot(null);
    }
  }

  /** Locks the instance for a batch and counts the attempt; returns the token. */
  String take(Inbox inbox, Batch batch, Duration lockTimeout) {
    dropLock(inbox);
    String token = tokens.get();
    holders.put(token, inbox);
    inbox.lock(new InstanceLock(token, StoreClock.after(clock.now(), lockTimeout), batch));
    batch.messages().forEach(Message::countAttempt);
    place(inbox);
    return token;
  }

  /** The inbox that {@code token} locks, valid or expired. */
  Inbox holder(String operation, String token) {
    Inbox inbox = holders.get(token);
    if (inbox == null) {
      throw Refusal.lockLost(operation, token);
    }
    return inbox;
  }

  /** As {@link #holder}, but the lock must be valid. */
  Inbox validHolder(String operation, String token) {
    Inbox inbox = holder(operation, token);
    if (!inbox.isLocked(clock.now())) {
      throw Refusal.lockLost(operation, token, inbox.instance());
    }
    return inbox;
  }

  void renew(String token, Duration extendFor) {
    String operation = "renewOrchestrationItemLock";
    Refusal.checkLease(operation, extendFor);
    Inbox inbox = validHolder(operation, token);
    inbox.lock(lockOf(inbox).renewed(StoreClock.after(clock.now(), extendFor)));
    place(inbox);
  }

  void abandon(String token, Duration delay, boolean ignoreAttempt) {
    Inbox inbox = holder("abandonOrchestrationItem", token);
    if (ignoreAttempt) {
      lockOf(inbox).batch().messages().forEach(Message::takeBackAttempt);
    }
    dropLock(inbox);
    if (delay.isPositive()) {
      inbox.lock(InstanceLock.coolDown(StoreClock.after(clock.now(), delay)));
    }
    place(inbox);
  }

  /** Removes the batch and releases the lock. */
  void consume(Inbox inbox) {
    Batch batch = lockOf(inbox).batch();
    dropLock(inbox);
    remove(inbox, batch.messages());
  }

  /** Whoever holds the lock has lost it. */
  void dropLock(Inbox inbox) {
    InstanceLock lock = inbox.lock();
    if (lock != null && lock.token() != null) {
      holders.remove(lock.token());
    }
    inbox.lock(null);
  }

  static InstanceLock lockOf(Inbox inbox) {
    InstanceLock lock = inbox.lock();
    if (lock == null) {
      throw new IllegalStateException(inbox.instance() + ": a held inbox has no lock");
    }
    return lock;
  }

  @Nullable Inbox find(String instance) {
    return inboxes.get(instance);
  }

  Inbox findOrNew(String instance) {
    return inboxes.computeIfAbsent(instance, id -> new Inbox(id, instances.mailboxes(id)));
  }

  /** Whether anything is queued for the instance, or somebody works on it. */
  boolean hasAny(String instance) {
    Inbox inbox = inboxes.get(instance);
    return inbox != null && (inbox.isLocked(clock.now()) || !inbox.isEmpty());
  }

  /** Whether a start of the instance is queued. */
  boolean hasStart(String instance) {
    Inbox inbox = inboxes.get(instance);
    return inbox != null && inbox.hasStart();
  }

  /** Whether nobody works on the instance and nothing waits to be fetched. */
  boolean isQuiet(String instance) {
    Inbox inbox = inboxes.get(instance);
    return inbox == null || (!inbox.isLocked(clock.now()) && !inbox.hasVisible(clock.now()));
  }

  Collection<Inbox> inboxes() {
    return inboxes.values();
  }

  /** How many messages are queued for an instance. */
  int count(String instance) {
    Inbox inbox = inboxes.get(instance);
    return inbox == null ? 0 : inbox.messages().size();
  }

  /** Counts messages that reached nobody. */
  void noteDropped(int messages) {
    dropped += messages;
  }

  /** How many messages reached nobody since the last call. */
  long takeDropped() {
    long count = dropped;
    dropped = 0;
    return count;
  }

  /** Removes everything queued for an instance, and its lock; returns how many messages. */
  int clear(String instance) {
    Inbox inbox = inboxes.get(instance);
    if (inbox == null) {
      return 0;
    }
    List<Message> all = List.copyOf(inbox.messages());
    dropLock(inbox);
    remove(inbox, all);
    return all.size();
  }

  /** The clock went back; an instance that stands in no line is not put into one. */
  void shift(StoreClock.Step step) {
    for (Inbox inbox : List.copyOf(inboxes.values())) {
      boolean inLine = inbox.slot() != null;
      leaveLine(inbox);
      inbox.shift(step);
      if (inLine) {
        place(inbox);
      }
    }
  }

  /** To be called when an instance becomes known other than by a turn. */
  void contextChanged(String instance) {
    Inbox inbox = inboxes.get(instance);
    if (inbox != null) {
      place(inbox);
    }
  }

  /** Removes old messages that have no instance to go to; returns how many. */
  int purgeOrphans(Duration olderThan) {
    Instant now = clock.now();
    int purged = 0;
    for (Inbox inbox : List.copyOf(inboxes.values())) {
      if (inbox.hasStart() || instances.isKnown(inbox.instance())) {
        continue;
      }
      List<Message> old =
          inbox.messages().stream()
              .filter(message -> StoreClock.after(message.enqueuedAt(), olderThan).isBefore(now))
              .toList();
      if (!old.isEmpty()) {
        remove(inbox, old);
        purged += old.size();
      }
    }
    return purged;
  }
}
