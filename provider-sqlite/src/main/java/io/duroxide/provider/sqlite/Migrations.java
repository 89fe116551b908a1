package io.duroxide.provider.sqlite;

import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import java.sql.SQLException;

/**
 * Brings a file to the newest schema: all missing steps in one exclusive transaction, so that a
 * second process that opens the same file at the same time finds either nothing or everything.
 *
 * @param file how messages name the store
 */
record Migrations(String file) {

  void apply(Sql sql, long now) throws SQLException {
    if (version(sql) == Schema.newestVersion()) {
      checkMark(sql);
      return;
    }
    sql.control("BEGIN EXCLUSIVE");
    try {
      migrate(sql, now);
      sql.control("COMMIT");
    } catch (SQLException | RuntimeException failure) {
      sql.control("ROLLBACK");
      throw failure;
    }
  }

  private void migrate(Sql sql, long now) throws SQLException {
    checkOwner(sql);
    int found = version(sql);
    if (found > Schema.newestVersion()) {
      throw new ProviderException(
          Kind.UNKNOWN_PERMANENT,
          "open",
          "%s has schema version %d, this library knows versions up to %d; use a newer library"
              .formatted(file, found, Schema.newestVersion()));
    }
    for (Schema.Migration migration : Schema.MIGRATIONS) {
      if (migration.version() > found) {
        for (String statement : migration.statements()) {
          sql.control(statement);
        }
        note(sql, migration, now);
      }
    }
  }

  private static final String NOTE =
      """
      INSERT INTO migration (version, name, applied_at) VALUES (?, ?, ?)
      """;

  /** A pragma takes no parameters; the number is ours. */
  private static void note(Sql sql, Schema.Migration migration, long now) throws SQLException {
    sql.update(NOTE, migration.version(), migration.mark(), now);
    sql.control("PRAGMA application_id = " + Schema.APPLICATION_ID);
    sql.control("PRAGMA user_version = " + migration.version());
  }

  private static int version(Sql sql) throws SQLException {
    return (int) sql.number("PRAGMA user_version");
  }

  private static final String MARK =
      """
      SELECT name FROM migration WHERE version = ?
      """;

  /** Tables that were changed before their version was shipped have the same version. */
  private void checkMark(Sql sql) throws SQLException {
    Schema.Migration newest = Schema.MIGRATIONS.getLast();
    String found = sql.first(MARK, row -> row.getString(1), newest.version());
    if (!newest.mark().equals(found)) {
      throw new ProviderException(
          Kind.UNKNOWN_PERMANENT,
          "open",
          "%s was made by an unreleased library and has other tables; name another file"
              .formatted(file));
    }
  }

  private static final String HAS_TABLES =
      """
      SELECT 1 FROM sqlite_schema LIMIT 1
      """;

  /**
   * A database of somebody else must not get our tables; it is not changed in any way. Tables are
   * looked for first: another process may make ours, with their mark, in between.
   */
  void checkOwner(Sql sql) throws SQLException {
    boolean hasTables = sql.exists(HAS_TABLES);
    if (hasTables && sql.number("PRAGMA application_id") != Schema.APPLICATION_ID) {
      throw new ProviderException(
          Kind.UNKNOWN_PERMANENT,
          "open",
          file + " is a SQLite database of another application; name another file");
    }
  }
}
