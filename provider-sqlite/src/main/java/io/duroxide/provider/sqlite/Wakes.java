package io.duroxide.provider.sqlite;

/** What a group of commands makes ready, now and later. Confined to the writer. */
final class Wakes {
  private int ready;
  private long next = StoreTime.NEVER;

  /** One more can be fetched now. */
  void ready() {
    ready++;
  }

  /** Something can be fetched from {@code at} on. */
  void later(long at) {
    next = Math.min(next, at);
  }

  /** Tells those who wait, and forgets. */
  void tell(WaitingRoom room) {
    if (ready > 0) {
      room.wake(ready);
    }
    if (next != StoreTime.NEVER) {
      room.expect(next);
    }
    clear();
  }

  void clear() {
    ready = 0;
    next = StoreTime.NEVER;
  }
}
