package io.duroxide.provider.postgres;

import io.duroxide.provider.WaitingRoom;

/** What a group of commands makes ready, now and later. Confined to a lane. */
final class Wakes {
  private int ready;
  private long next = Millis.NEVER;

  /** So many more can be fetched now. */
  void ready(int count) {
    ready += count;
  }

  /** Something can be fetched from {@code at} on. */
  void later(long at) {
    next = Math.min(next, at);
  }

  boolean isReady() {
    return ready > 0;
  }

  /** Tells those who wait. */
  void tell(WaitingRoom room) {
    if (ready > 0) {
      room.wake(ready);
    }
    if (next != Millis.NEVER) {
      room.expect(next);
    }
  }
}
