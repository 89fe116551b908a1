package io.duroxide.provider.memory;

import io.duroxide.model.WorkItem;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of the orchestrator queue. Guarded by the gate. */
final class Message {
  private final WorkItem.ForOrchestrator item;
  private final Place place;
  private final Instant enqueuedAt;
  private int attempts;
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

  long seq() {
    return place.seq();
  }

  Instant enqueuedAt() {
    return enqueuedAt;
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
