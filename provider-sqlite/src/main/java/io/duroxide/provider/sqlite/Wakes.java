package io.duroxide.provider.sqlite;

import io.duroxide.provider.WaitingRoom;
import java.sql.SQLException;

/** What a group of commands makes ready, now and later. Confined to the writer. */
final class Wakes {
  private static final long UNKNOWN = Long.MIN_VALUE;

  private int ready;
  private long next = StoreTime.NEVER;

  /** Nothing that is stored turns ready by itself before this. */
  private long earliest = UNKNOWN;

  /** One more can be fetched now. */
  void ready() {
    ready++;
  }

  boolean anyReady() {
    return ready > 0;
  }

  /** Something can be fetched from {@code at} on. */
  void later(long at) {
    next = Math.min(next, at);
    earliest = Math.min(earliest, at);
  }

  /** Reads when something that is stored turns ready by itself. */
  @FunctionalInterface
  interface Reading {
    long next() throws SQLException;
  }

  /**
   * Nothing that is stored turns ready by itself before the instant that this returns; if that has
   * come, something does. The table is read only if it may have.
   */
  long earliest(long now, Reading reading) throws SQLException {
    if (earliest <= now) {
      earliest = reading.next();
    }
    return earliest;
  }

  /** The table was changed by others. */
  void forgetEarliest() {
    earliest = UNKNOWN;
  }

  /** What those who wait shall hear. */
  record News(int ready, long next) {
    /** Returns the generation of a look that saw all this; {@code seen} was the one before it. */
    long tell(WaitingRoom room, long seen) {
      long generation = ready > 0 ? room.wake(ready, seen) : seen;
      if (next != StoreTime.NEVER) {
        room.expect(next);
      }
      return generation;
    }
  }

  /** What there is to tell; the next group begins anew. */
  News take() {
    News news = new News(ready, next);
    clear();
    return news;
  }

  void clear() {
    ready = 0;
    next = StoreTime.NEVER;
  }
}
