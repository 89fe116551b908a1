package io.duroxide.provider.sqlite;

import io.duroxide.provider.WaitingRoom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Where fetches of the two queues wait. Thread-safe.
 *
 * @param stored how many rows this process has ever changed: while that stays the same, and no
 *     other process commits, a look finds the same
 */
record Rooms(WaitingRoom turns, WaitingRoom work, AtomicLong stored) {
  private static final Duration FALLBACK = Duration.ofSeconds(4);

  static Rooms create(InstantSource clock) {
    AtomicLong stored = new AtomicLong();
    return new Rooms(room(clock, stored), room(clock, stored), stored);
  }

  private static WaitingRoom room(InstantSource clock, AtomicLong stored) {
    return new WaitingRoom(clock, () -> FALLBACK, stored::get);
  }

  boolean anyoneWaits() {
    return turns.anyoneWaits() || work.anyoneWaits();
  }

  /** Something has happened that nobody here knows: somebody of each kind shall look. */
  void wakeOneEach() {
    turns.wake(1);
    work.wake(1);
  }

  void wakeAll() {
    turns.wakeAll();
    work.wakeAll();
  }

  void close() {
    turns.close();
    work.close();
  }
}
