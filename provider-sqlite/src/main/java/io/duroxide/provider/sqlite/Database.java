package io.duroxide.provider.sqlite;

import io.duroxide.provider.MigrationMode;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Where connections come from.
 *
 * @param file the file, or null for a database in memory, which has one connection only
 */
record Database(@Nullable Path file, SqliteOptions options, Connections connections) {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.sqlite");
  private static final long LITTLE_SPACE = 100L << 20;
  private static final int CHECKPOINT_PAGES = 10_000;
  private static final long LOG_BYTES = CHECKPOINT_PAGES * 4200L;
  private static final int CACHE_KIBIBYTES = 65_536;
  private static final int WAL_TRIES = 50;

  /** The database in a file. */
  static Database in(Path file, SqliteOptions options) {
    return new Database(file, options, Connections.toFile(file, options));
  }

  /** A database without a file. */
  static Database inMemory(SqliteOptions options) {
    return new Database(null, options, Connections.toMemory(options));
  }

  /** How messages and threads name it. */
  String label() {
    return file == null ? "memory" : file.toString();
  }

  /** Room ahead in the log, where commits wait for it to reach the disk. */
  LogSpace logSpace() {
    boolean waits = file != null && options.durability() == Durability.FULL;
    return new LogSpace(waits ? Path.of(file + "-wal") : null, LOG_BYTES);
  }

  Trouble trouble() {
    return new Trouble(label());
  }

  /**
   * The connection that writes, on a file with the newest schema. Whoever breaks it gets another;
   * in memory it is the database itself.
   */
  Sql openWriter() {
    checkPlace();
    Migrations migrations = new Migrations(label());
    if (file != null && !Files.exists(file)) {
      make(file, migrations);
    }
    try {
      Sql sql = connect(file == null ? null : this::openWriter);
      try {
        if (isVerified()) {
          migrations.verify(sql);
        }
        configureWriter(sql);
        migrations.apply(sql, StoreTime.now(options.clock()));
        return sql;
      } catch (SQLException | RuntimeException | Error failure) {
        sql.close();
        throw failure;
      }
    } catch (SQLException failure) {
      throw trouble().of("open", failure);
    }
  }

  /** A database in memory has nothing that could be verified. */
  private boolean isVerified() {
    return file != null && options.migrations() == MigrationMode.VERIFY;
  }

  /** SQLite gives its log and index the mode of the database. */
  private void make(Path missing, Migrations migrations) {
    if (isVerified()) {
      migrations.verifyMissing();
    }
    try {
      if (Files.getFileStore(folder(missing)).supportsFileAttributeView("posix")) {
        Files.createFile(missing, PosixFilePermissions.asFileAttribute(options.fileMode()));
        Files.setPosixFilePermissions(missing, options.fileMode());
      }
    } catch (FileAlreadyExistsException another) {
      LOG.debug("{} was made by another process", missing);
    } catch (IOException failure) {
      throw new ProviderException(
          Kind.UNAVAILABLE, "open", missing + " cannot be made: " + failure.getMessage(), failure);
    }
  }

  private static Path folder(Path file) {
    return Objects.requireNonNullElse(file.toAbsolutePath().getParent(), file);
  }

  /** Tells that there is little room left for the file. */
  void checkSpace() {
    if (file == null) {
      return;
    }
    try {
      warnOf(Files.getFileStore(folder(file)).getUsableSpace());
    } catch (IOException unknown) {
      LOG.debug("the free space of {} is unknown", file, unknown);
    }
  }

  void warnOf(long freeBytes) {
    if (freeBytes < LITTLE_SPACE) {
      LOG.warn("{}: only {} MB are free on its disk; free some", file, freeBytes >> 20);
    }
  }

  /** A connection that only reads. */
  Sql openReader() throws SQLException {
    Sql sql = connect(null);
    sql.control("PRAGMA query_only = ON");
    return sql;
  }

  /**
   * With auto-commit on, the driver tries to begin and commit around every statement, which costs
   * more than most statements do. With it off, it begins once, here, and leaves the rest to us.
   */
  private Sql connect(Sql.@Nullable Spare spare) throws SQLException {
    Connection connection = connections.open();
    try {
      connection.setAutoCommit(false);
      Sql sql = new Sql(connection, spare);
      sql.control("COMMIT");
      return sql;
    } catch (SQLException | RuntimeException | Error failure) {
      connection.close();
      throw failure;
    }
  }

  private void configureWriter(Sql sql) throws SQLException {
    if (file != null) {
      turnOnWal(sql);
      sql.control("PRAGMA wal_autocheckpoint = " + CHECKPOINT_PAGES);
    }
    sql.control("PRAGMA synchronous = " + options.durability());
    sql.control("PRAGMA cache_size = -" + CACHE_KIBIBYTES);
    sql.control("PRAGMA temp_store = MEMORY");
    sql.control("PRAGMA foreign_keys = OFF");
  }

  /** The switch needs the file alone and does not itself wait for others that switch it too. */
  private static void turnOnWal(Sql sql) throws SQLException {
    for (int left = WAL_TRIES; ; left--) {
      try {
        sql.control("PRAGMA journal_mode = WAL");
        return;
      } catch (SQLiteException failure) {
        boolean busy = (failure.getErrorCode() & 0xff) == SQLiteErrorCode.SQLITE_BUSY.code;
        if (!busy || left == 0) {
          throw failure;
        }
        waitForOthers(sql);
      }
    }
  }

  /** Taking the write lock waits as long as the busy timeout says. */
  private static void waitForOthers(Sql sql) throws SQLException {
    sql.control("BEGIN IMMEDIATE");
    sql.control("ROLLBACK");
  }

  /** Says what SQLite's "unable to open" does not. */
  private void checkPlace() {
    if (file == null) {
      return;
    }
    Path folder = file.toAbsolutePath().getParent();
    if (Files.isDirectory(file)) {
      throw unusable(file + " is a folder; name a file in it");
    }
    if (folder == null || !Files.isDirectory(folder)) {
      throw unusable(file + ": the folder " + folder + " does not exist; create it first");
    }
    if (!Files.isWritable(folder)) {
      throw unusable(
          file + ": this process may not write to " + folder + ", where SQLite keeps its log");
    }
    if (Files.exists(file) && !Files.isWritable(file)) {
      throw unusable(file + ": this process may not write to the file");
    }
  }

  private static ProviderException unusable(String message) {
    return new ProviderException(Kind.UNAVAILABLE, "open", message);
  }
}
