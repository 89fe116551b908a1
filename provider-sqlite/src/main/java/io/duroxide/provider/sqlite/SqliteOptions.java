package io.duroxide.provider.sqlite;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;

/**
 * How a store is opened.
 *
 * @param durability what a reported commit survives
 * @param busyTimeout how long to wait for another process that writes to the same file
 * @param clock the store's clock
 * @param groupSize how many operations one transaction may hold
 * @param queueSize how many operations may wait for the writer before callers are held back
 * @param readers how many reads run side by side
 */
public record SqliteOptions(
    Durability durability,
    Duration busyTimeout,
    InstantSource clock,
    int groupSize,
    int queueSize,
    int readers) {
  private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(10);
  private static final int GROUP_SIZE = 512;
  private static final int QUEUE_SIZE = 16_384;
  private static final int READERS = 4;

  /** Full durability on the system's clock. */
  public static final SqliteOptions DEFAULT =
      new SqliteOptions(
          Durability.FULL, BUSY_TIMEOUT, InstantSource.system(), GROUP_SIZE, QUEUE_SIZE, READERS);

  public SqliteOptions {
    Objects.requireNonNull(durability, "durability");
    Objects.requireNonNull(clock, "clock");
    if (busyTimeout.isNegative()) {
      throw new IllegalArgumentException("the busy timeout cannot be negative: " + busyTimeout);
    }
    if (groupSize < 1 || queueSize < 1 || readers < 1) {
      throw new IllegalArgumentException(
          "group size, queue size and readers are at least 1, not %d, %d and %d"
              .formatted(groupSize, queueSize, readers));
    }
  }

  public SqliteOptions withDurability(Durability newDurability) {
    return new SqliteOptions(newDurability, busyTimeout, clock, groupSize, queueSize, readers);
  }

  public SqliteOptions withBusyTimeout(Duration newTimeout) {
    return new SqliteOptions(durability, newTimeout, clock, groupSize, queueSize, readers);
  }

  /** With another clock; one that is moved by hand needs {@link SqliteProvider#clockAdvanced}. */
  public SqliteOptions withClock(InstantSource newClock) {
    return new SqliteOptions(durability, busyTimeout, newClock, groupSize, queueSize, readers);
  }

  public SqliteOptions withGroupSize(int newSize) {
    return new SqliteOptions(durability, busyTimeout, clock, newSize, queueSize, readers);
  }

  public SqliteOptions withQueueSize(int newSize) {
    return new SqliteOptions(durability, busyTimeout, clock, groupSize, newSize, readers);
  }

  public SqliteOptions withReaders(int newCount) {
    return new SqliteOptions(durability, busyTimeout, clock, groupSize, queueSize, newCount);
  }
}
