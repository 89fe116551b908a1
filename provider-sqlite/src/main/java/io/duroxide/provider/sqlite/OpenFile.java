package io.duroxide.provider.sqlite;

import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.SystemTime;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * The database file and its log as they were opened, and whether their names still lead to them.
 * What is written to a file that was deleted is lost once it is closed, and nothing else would tell
 * so. Where files have no keys to tell them apart, only that one is missing is seen. Thread-safe.
 */
final class OpenFile {
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);
  private static final String GONE = "the database file was deleted or replaced while it was open";

  private final @Nullable Path file;
  private final LongSupplier nanos = SystemTime.nanos();
  private final Mark database = new Mark();
  private final Mark log = new Mark();
  private volatile boolean gone;
  private volatile long lookedAt = nanos.getAsLong();

  /**
   * To be made once the file is open.
   *
   * @param file null for a store in memory
   */
  OpenFile(@Nullable Path file) {
    this.file = file;
    look();
  }

  /** What a name led to when it was first looked at. Confined to one look at a time. */
  private static final class Mark {
    private @Nullable Object key;
    private boolean seen;

    boolean isStill(Path path) {
      try {
        Object now = Files.readAttributes(path, BasicFileAttributes.class).fileKey();
        if (!seen) {
          seen = true;
          key = now;
        }
        return key == null || key.equals(now);
      } catch (NoSuchFileException missing) {
        return !seen;
      } catch (IOException unknown) {
        return true;
      }
    }
  }

  /** Looks if that was not done for a second. */
  void lookIfDue() {
    long now = nanos.getAsLong();
    if (file != null && now - lookedAt >= LOOK_NANOS) {
      lookedAt = now;
      look();
    }
  }

  /** Looks whether the names still lead to the files. */
  synchronized void look() {
    if (file != null && !gone) {
      gone = !database.isStill(file) || !log.isStill(Path.of(file + "-wal"));
    }
  }

  /** Throws once they do not. */
  void check(String operation) {
    if (gone) {
      throw new ProviderException(
          Kind.UNAVAILABLE, operation, file + ": " + GONE + "; stop, and restore it from a backup");
    }
  }

  List<String> complaints() {
    return gone ? List.of(GONE) : List.of();
  }
}
