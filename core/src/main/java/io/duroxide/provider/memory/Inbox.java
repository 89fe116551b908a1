package io.duroxide.provider.memory;

import io.duroxide.model.WorkItem;
import java.time.Instant;
import java.util.Collection;
import java.util.NavigableMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** The queued messages of one instance and its lock. Guarded by the gate. */
final class Inbox {
  private final String instance;
  private final NavigableMap<Place, Message> messages = new TreeMap<>();
  private final NavigableMap<Place, Message> starts = new TreeMap<>();
  private int queueMessages;
  private @Nullable InstanceLock lock;
  private @Nullable Place slot;

  Inbox(String instance) {
    this.instance = instance;
  }

  String instance() {
    return instance;
  }

  void add(Message message) {
    messages.put(message.place(), message);
    if (message.item() instanceof WorkItem.StartLike) {
      starts.put(message.place(), message);
    }
    if (message.item() instanceof WorkItem.QueueMessage) {
      queueMessages++;
    }
  }

  void remove(Message message) {
    if (messages.remove(message.place()) == null) {
      return;
    }
    starts.remove(message.place());
    if (message.item() instanceof WorkItem.QueueMessage) {
      queueMessages--;
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

  /** What can be delivered now, in enqueue order. */
  Batch visible(Instant now) {
    return Batch.of(messages.headMap(Place.endOf(now), true).values().stream());
  }

  /** Where it stands in line: with its oldest message. */
  Place place() {
    return messages.firstKey();
  }

  /**
   * The message whose visibility makes the instance a candidate: any, once the instance is known;
   * before that a start. Null when there is none.
   */
  @Nullable Message herald(boolean known) {
    if (known || isOrphaned()) {
      return messages.isEmpty() ? null : messages.firstEntry().getValue();
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
