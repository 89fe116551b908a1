package io.duroxide.provider.memory;

import io.duroxide.model.ActivityKey;
import io.duroxide.model.WorkItem;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A row of the worker queue. Guarded by the gate. */
final class Task {
  private final WorkItem.ActivityExecute item;
  private final Lane lane;
  private final long seq;
  private Instant freeAt;
  private @Nullable String token;
  private int attempts;
  private @Nullable String damage;

  Task(WorkItem.ActivityExecute item, long seq, Instant visibleAt) {
    this.item = item;
    this.lane = Lane.of(item);
    this.seq = seq;
    this.freeAt = visibleAt;
  }

  WorkItem.ActivityExecute item() {
    return item;
  }

  ActivityKey key() {
    return item.key();
  }

  Lane lane() {
    return lane;
  }

  long seq() {
    return seq;
  }

  /** When it turns visible or its lock ends, and its position in the queue. */
  Place place() {
    return new Place(freeAt, seq);
  }

  boolean isFree(Instant now) {
    return !freeAt.isAfter(now);
  }

  boolean isLocked(Instant now) {
    return token != null && !isFree(now);
  }

  /** Who locked it last; null once released. */
  @Nullable String token() {
    return token;
  }

  int attempts() {
    return attempts;
  }

  void attempts(int count) {
    attempts = count;
  }

  void lock(String newToken, Instant until) {
    token = newToken;
    freeAt = until;
    attempts++;
  }

  void renew(Instant until) {
    freeAt = until;
  }

  void release(Instant visibleAt, boolean ignoreAttempt) {
    token = null;
    freeAt = visibleAt;
    if (ignoreAttempt) {
      attempts = Math.max(0, attempts - 1);
    }
  }

  /** The clock went back; its lock or delay lasts as long as before. */
  void shift(StoreClock.Step step) {
    freeAt = step.shifted(freeAt);
  }

  /** Why its payload cannot be decoded; null when it can. */
  @Nullable String damage() {
    return damage;
  }

  void damage(String error) {
    damage = error;
  }
}
