package io.duroxide.provider.memory;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.MailboxRules;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The queued messages of one instance and its lock. Guarded by the gate. */
final class Inbox {
  private final String instance;
  private final NavigableMap<Place, Message> messages = new TreeMap<>();
  private final NavigableMap<Place, Message> offered = new TreeMap<>();
  private final Map<String, NavigableMap<Place, Message>> queues = new HashMap<>();
  private final NavigableMap<Place, Message> starts = new TreeMap<>();
  private final Map<TimerName, List<Message>> timers = new HashMap<>();
  private int queueMessages;
  private MailboxRules mailboxes;
  private @Nullable InstanceLock lock;
  private @Nullable Place slot;

  /**
   * An empty inbox.
   *
   * @param mailboxes how much of its queues may be delivered
   */
  Inbox(String instance, MailboxRules mailboxes) {
    this.instance = instance;
    this.mailboxes = mailboxes;
  }

  /** A timer as its orchestration knows it. */
  private record TimerName(long executionId, long eventId) {
    static TimerName of(WorkItem.TimerFired timer) {
      return new TimerName(timer.executionId(), timer.id());
    }
  }

  String instance() {
    return instance;
  }

  void add(Message message) {
    messages.put(message.place(), message);
    if (message.item() instanceof WorkItem.StartLike) {
      starts.put(message.place(), message);
    }
    String queue = message.queue();
    if (queue != null) {
      queueMessages++;
      queues.computeIfAbsent(queue, any -> new TreeMap<>()).put(message.place(), message);
    }
    if (queue == null || !mailboxes.isClosed(queue)) {
      offered.put(message.place(), message);
    }
    if (message.item() instanceof WorkItem.TimerFired timer) {
      timers.computeIfAbsent(TimerName.of(timer), any -> new ArrayList<>(1)).add(message);
    }
  }

  void remove(Message message) {
    if (messages.remove(message.place()) == null) {
      return;
    }
    starts.remove(message.place());
    offered.remove(message.place());
    String queue = message.queue();
    if (queue != null) {
      queueMessages--;
      queues.computeIfPresent(queue, (any, same) -> without(same, message));
    }
    if (message.item() instanceof WorkItem.TimerFired timer) {
      timers.computeIfPresent(TimerName.of(timer), (any, same) -> without(same, message));
    }
  }

  private static @Nullable NavigableMap<Place, Message> without(
      NavigableMap<Place, Message> messages, Message gone) {
    messages.remove(gone.place());
    return messages.isEmpty() ? null : messages;
  }

  /** From now on other rules hold: queues that are full come out of sight, others into it. */
  void mailboxes(MailboxRules rules) {
    queues.forEach((queue, messages) -> {
      if (rules.isClosed(queue)) {
        offered.keySet().removeAll(messages.keySet());
      } else if (mailboxes.isClosed(queue)) {
        offered.putAll(messages);
      }
    });
    mailboxes = rules;
  }

  private static @Nullable List<Message> without(List<Message> messages, Message gone) {
    messages.remove(gone);
    return messages.isEmpty() ? null : messages;
  }

  /** The messages of one timer. */
  List<Message> timer(long executionId, long eventId) {
    return List.copyOf(timers.getOrDefault(new TimerName(executionId, eventId), List.of()));
  }

  /** The messages of all timers of an execution. */
  List<Message> timers(long executionId) {
    return timers.entrySet().stream()
        .filter(entry -> entry.getKey().executionId() == executionId)
        .flatMap(entry -> entry.getValue().stream())
        .toList();
  }

  /** The clock went back. */
  void shift(StoreClock.Step step) {
    List<Message> all = List.copyOf(messages.values());
    all.forEach(this::remove);
    for (Message message : all) {
      message.shift(step);
      add(message);
    }
    if (lock != null) {
      lock = lock.renewed(step.shifted(lock.until()));
    }
  }

  Collection<Message> messages() {
    return messages.values();
  }

  boolean isEmpty() {
    return messages.isEmpty();
  }

  boolean hasStart() {
    return !starts.isEmpty();
  }

  /** What can be delivered now, in the order of delivery. */
  Batch visible(Instant now) {
    return Batch.of(offered.headMap(Place.endOf(now), true).values().stream(), mailboxes);
  }

  /** How many messages are visible, whether their mailboxes have room or not. */
  int visibleCount(Instant now) {
    return allVisible(now).size();
  }

  /** What is visible, whether its mailbox has room or not. */
  Collection<Message> allVisible(Instant now) {
    return messages.headMap(Place.endOf(now), true).values();
  }

  /** Whether anything can be delivered now. */
  boolean hasVisible(Instant now) {
    return !offered.isEmpty() && !place().at().isAfter(now);
  }

  /** Where it stands in line: with the oldest message that there is room for. */
  Place place() {
    return offered.firstKey();
  }

  /**
   * The message whose visibility makes the instance a candidate: any, once the instance is known;
   * before that a start. Null when there is none.
   */
  @Nullable Message herald(boolean known) {
    if (known || isOrphaned()) {
      return offered.isEmpty() ? null : offered.firstEntry().getValue();
    }
    return starts.isEmpty() ? null : starts.firstEntry().getValue();
  }

  /** Holds nothing but queue messages, so that without an instance it must be dropped. */
  boolean isOrphaned() {
    return queueMessages == messages.size();
  }

  @Nullable InstanceLock lock() {
    return lock;
  }

  void lock(@Nullable InstanceLock newLock) {
    lock = newLock;
  }

  boolean isLocked(Instant now) {
    return lock != null && lock.isValid(now);
  }

  /** False for an instance in the ready line only if the clock was set back. */
  boolean isDue(Instant now) {
    return !isLocked(now) && !place().at().isAfter(now);
  }

  /** The key under which the queue keeps it; null while it is not kept. */
  @Nullable Place slot() {
    return slot;
  }

  void slot(@Nullable Place newSlot) {
    slot = newSlot;
  }
}
