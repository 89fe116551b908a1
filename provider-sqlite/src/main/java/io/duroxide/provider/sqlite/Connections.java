package io.duroxide.provider.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import org.sqlite.SQLiteConfig;
import org.sqlite.SQLiteOpenMode;

/** Opens connections: a store opens several, and new ones for those that broke. */
@FunctionalInterface
interface Connections {
  Connection open() throws SQLException;

  /** To the database in {@code file}. */
  static Connections toFile(Path file, SqliteOptions options) {
    // As a URI, in which a '?' of the name is no mark of parameters.
    return to(file.toUri().toString(), options);
  }

  /** Each to a database of its own that is gone once the connection is closed. */
  static Connections toMemory(SqliteOptions options) {
    return to(":memory:", options);
  }

  private static Connections to(String place, SqliteOptions options) {
    SQLiteConfig config = new SQLiteConfig();
    config.setBusyTimeout(Math.clamp(options.busyTimeout().toMillis(), 0, Integer.MAX_VALUE));
    // Nobody asks for generated keys, and looking them up costs as much as an insert.
    config.setGetGeneratedKeys(false);
    // Every connection is confined to one thread and needs no lock of its own.
    config.setOpenMode(SQLiteOpenMode.NOMUTEX);
    return () -> config.createConnection("jdbc:sqlite:" + place);
  }
}
