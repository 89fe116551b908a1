package io.duroxide.provider.sqlite;

import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.SchemaVersions;
import java.sql.SQLException;

/**
 * Brings a file to the newest schema: all missing steps in one exclusive transaction, so that a
 * second process that opens the same file at the same time finds either nothing or everything.
 *
 * @param file how messages name the store
 */
record Migrations(String file) {

  void apply(Sql sql, long now) throws SQLException {
    if (versions(sql).found() == Schema.newestVersion()) {
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

  /** Refuses a file that {@link #apply} or the switch to the log would change; reads only. */
  void verify(Sql sql) throws SQLException {
    SchemaVersions versions = versions(sql);
    versions.refuseOlder();
    versions.refuseNewer();
    checkMark(sql);
    String journal = sql.first("PRAGMA journal_mode", row -> row.getString(1));
    if (!"wal".equals(journal)) {
      throw new ProviderException(
          Kind.UNKNOWN_PERMANENT,
          "open",
          "%s has journal mode '%s', the library needs 'wal'; open it with MigrationMode.APPLY"
              .formatted(file, journal));
    }
  }

  /** Refuses a file that is missing. */
  void verifyMissing() {
    new SchemaVersions(file, 0, Schema.newestVersion()).refuseOlder();
  }

  private void migrate(Sql sql, long now) throws SQLException {
    SchemaVersions versions = versions(sql);
    versions.refuseNewer();
    for (Schema.Migration migration : Schema.MIGRATIONS) {
      if (migration.version() > versions.found()) {
        for (String statement : migration.statements()) {
          sql.control(statement);
        }
        note(sql, migration, now);
      }
    }
  }

  private static final String NOTE =
      """
      INSERT INTO duroxide_migration (version, name, applied_at) VALUES (?, ?, ?)
      """;

  private static void note(Sql sql, Schema.Migration migration, long now) throws SQLException {
    sql.update(NOTE, migration.version(), migration.mark(), now);
  }

  private static final String HAS_TABLES =
      """
      SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'duroxide_migration'
      """;

  private static final String VERSION =
      """
      SELECT coalesce(max(version), 0) FROM duroxide_migration
      """;

  /** The version that the database itself can hold is left to the application. */
  private SchemaVersions versions(Sql sql) throws SQLException {
    int found = sql.exists(HAS_TABLES) ? (int) sql.number(VERSION) : 0;
    return new SchemaVersions(file, found, Schema.newestVersion());
  }

  private static final String MARK =
      """
      SELECT name FROM duroxide_migration WHERE version = ?
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
}
