package io.duroxide.provider.memory;

import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.WorkItem;
import io.duroxide.provider.BatchBound;
import io.duroxide.provider.DeliveryOrder;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of the orchestrator queue. Guarded by the gate. */
final class Message {
  private final WorkItem.ForOrchestrator item;
  private Place place;
  private Instant enqueuedAt;
  private int attempts;
  private long bytes;
  private @Nullable String damage;

  /**
   * @param place when it turns visible, and its position in the queue
   */
  Message(WorkItem.ForOrchestrator item, Place place, Instant enqueuedAt) {
    this.item = item;
    this.place = place;
    this.enqueuedAt = enqueuedAt;
  }

  WorkItem.ForOrchestrator item() {
    return item;
  }

  Place place() {
    return place;
  }

  DeliveryOrder.Place deliveryPlace() {
    boolean isTimer = item instanceof WorkItem.TimerFired;
    return new DeliveryOrder.Place(place.at().toEpochMilli(), isTimer, place.seq());
  }

  /** The mailbox it is for; null if it is for none. */
  @Nullable String queue() {
    return item instanceof WorkItem.QueueMessage message ? message.name() : null;
  }

  long seq() {
    return place.seq();
  }

  Instant enqueuedAt() {
    return enqueuedAt;
  }

  /** The clock went back; what was visible is so, and others keep their instants. */
  void shift(StoreClock.Step step) {
    place = new Place(step.shiftedIfPast(place.at()), place.seq());
    enqueuedAt = step.shifted(enqueuedAt);
  }

  /** The size of its stored form; measured when it is first asked for. */
  long bytes() {
    if (bytes == 0) {
      bytes = BatchBound.bytesOf(WorkItemCodec.encode(item));
    }
    return bytes;
  }

  int attempts() {
    return attempts;
  }

  void attempts(int count) {
    attempts = count;
  }

  void countAttempt() {
    attempts++;
  }

  void takeBackAttempt() {
    attempts = Math.max(0, attempts - 1);
  }

  /** Why its payload cannot be decoded; null when it can. */
  @Nullable String damage() {
    return damage;
  }

  void damage(String error) {
    damage = error;
  }
}
