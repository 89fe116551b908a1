package io.duroxide.provider.sqlite;

import io.duroxide.provider.MigrationMode;
import java.nio.file.attribute.PosixFilePermission;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Objects;
import java.util.Set;

/**
 * How a store is opened.
 *
 * @param durability what a reported commit survives
 * @param busyTimeout how long to wait for another process that writes to the same file
 * @param clock the store's clock
 * @param groups how many operations the writer takes at a time
 * @param readers how many reads run side by side
 * @param fileMode who may read and write files that are made, where the file system knows modes
 * @param migrations what opening does with a file that does not have the library's schema; a store
 *     in memory is always made
 */
public record SqliteOptions(
    Durability durability,
    Duration busyTimeout,
    InstantSource clock,
    GroupLimits groups,
    int readers,
    Set<PosixFilePermission> fileMode,
    MigrationMode migrations) {
  private static final Duration BUSY_TIMEOUT = Duration.ofSeconds(10);
  private static final int GROUP_SIZE = 512;
  private static final int QUEUE_SIZE = 16_384;
  private static final int READERS = 4;

  /** Full durability on the system's clock. */
  public static final SqliteOptions DEFAULT =
      new SqliteOptions(
          Durability.FULL,
          BUSY_TIMEOUT,
          InstantSource.system(),
          new GroupLimits(GROUP_SIZE, QUEUE_SIZE),
          READERS,
          Set.of(PosixFilePermission.OWNER_READ, PosixFilePermission.OWNER_WRITE),
          MigrationMode.APPLY);

  public SqliteOptions {
    Objects.requireNonNull(durability, "durability");
    Objects.requireNonNull(clock, "clock");
    Objects.requireNonNull(groups, "groups");
    Objects.requireNonNull(migrations, "migrations");
    fileMode = Set.copyOf(fileMode);
    if (busyTimeout.isNegative()) {
      throw new IllegalArgumentException("the busy timeout cannot be negative: " + busyTimeout);
    }
    if (readers < 1) {
      throw new IllegalArgumentException("readers are at least 1, not " + readers);
    }
  }

  public SqliteOptions withDurability(Durability newDurability) {
    return new SqliteOptions(
        newDurability, busyTimeout, clock, groups, readers, fileMode, migrations);
  }

  public SqliteOptions withBusyTimeout(Duration newTimeout) {
    return new SqliteOptions(durability, newTimeout, clock, groups, readers, fileMode, migrations);
  }

  /** With another clock; one that is moved by hand needs {@link SqliteProvider#clockAdvanced}. */
  public SqliteOptions withClock(InstantSource newClock) {
    return new SqliteOptions(
        durability, busyTimeout, newClock, groups, readers, fileMode, migrations);
  }

  public SqliteOptions withGroupSize(int newSize) {
    return withGroups(new GroupLimits(newSize, groups.queueSize()));
  }

  public SqliteOptions withQueueSize(int newSize) {
    return withGroups(new GroupLimits(groups.groupSize(), newSize));
  }

  private SqliteOptions withGroups(GroupLimits newGroups) {
    return new SqliteOptions(
        durability, busyTimeout, clock, newGroups, readers, fileMode, migrations);
  }

  public SqliteOptions withReaders(int newCount) {
    return new SqliteOptions(
        durability, busyTimeout, clock, groups, newCount, fileMode, migrations);
  }

  /** With other rights on files that are made; those that exist keep theirs. */
  public SqliteOptions withFileMode(Set<PosixFilePermission> newMode) {
    return new SqliteOptions(durability, busyTimeout, clock, groups, readers, newMode, migrations);
  }

  /** With {@code VERIFY}, opening changes no file and makes none. */
  public SqliteOptions withMigrations(MigrationMode newMode) {
    return new SqliteOptions(durability, busyTimeout, clock, groups, readers, fileMode, newMode);
  }
}
