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

  /**
   * Tells those who wait; returns the generation of a look that saw all this.
   *
   * @param seen the room's generation from before it
   */
  long tell(WaitingRoom room, long seen) {
    long generation = ready > 0 ? room.wake(ready, seen) : seen;
    if (next != Millis.NEVER) {
      room.expect(next);
    }
    return generation;
  }
}
