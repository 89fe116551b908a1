package io.duroxide.provider.postgres;

import io.duroxide.provider.MigrationMode;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.SchemaVersions;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.PreferQueryMode;

/**
 * Brings a schema to what this release needs, in one transaction, under a lock that lets one node
 * at a time do it: first the missing steps, which make tables, then the files of functions that
 * differ from what was applied last. A step that was shipped is never edited; steps only add, so
 * that nodes of the release before go on working. Functions are replaced as a whole; one whose
 * signature changes gets another name, and those of a newer release are left alone.
 */
final class Migrations {
  private static final int OLDEST_SERVER = 130_000;

  /** In the order in which they are applied; the place is the version. */
  private static final List<String> STEPS = List.of("001-tables");

  private final Schema schema;
  private final MigrationMode mode;

  Migrations(Schema schema, MigrationMode mode) {
    this.schema = schema;
    this.mode = mode;
  }

  /**
   * What a schema has.
   *
   * @param steps checksums of steps by version
   * @param functions checksums of files of functions by name
   */
  private record Applied(Map<Integer, String> steps, Map<String, String> functions) {

    /** Whether a newer release has migrated it. */
    boolean isNewer() {
      return steps.keySet().stream().anyMatch(version -> version > newestVersion());
    }

    /** The files of functions that this release has and the schema has not. */
    List<SchemaScript> otherFunctions() {
      return isNewer()
          ? List.of()
          : SchemaScript.functions().stream()
              .filter(script -> !script.checksum().equals(functions.get(script.name())))
              .toList();
    }
  }

  static int newestVersion() {
    return STEPS.size();
  }

  /** Applies what is missing, if the mode says so. A schema that is up to date is only read. */
  void apply(Connection connection) throws SQLException {
    Sql sql = new Sql(connection, schema);
    checkProtocol(connection);
    checkServer(sql);
    Applied applied = applied(sql);
    if (mode == MigrationMode.VERIFY) {
      verify(applied);
    }
    if (isMissing(applied)) {
      connection.setAutoCommit(false);
      try {
        migrate(connection, sql);
        connection.commit();
      } catch (SQLException | RuntimeException failure) {
        connection.rollback();
        throw failure;
      } finally {
        connection.setAutoCommit(true);
      }
    }
  }

  private void verify(Applied applied) {
    int found = 0;
    while (applied.steps().containsKey(found + 1)) {
      found++;
    }
    SchemaVersions versions = new SchemaVersions(schema.toString(), found, newestVersion());
    versions.refuseOlder();
    versions.refuseNewer();
    List<SchemaScript> others = applied.otherFunctions();
    if (!others.isEmpty()) {
      throw unusable(
          ("%s: the functions of %s differ from those of this release;"
                  + " open the store once with MigrationMode.APPLY")
              .formatted(
                  schema,
                  others.stream().map(SchemaScript::name).collect(Collectors.joining(", "))));
    }
  }

  /** The statements of a group are one transaction only if they are sent by the extended one. */
  private static void checkProtocol(Connection connection) throws SQLException {
    PreferQueryMode mode = connection.unwrap(PGConnection.class).getPreferQueryMode();
    if (mode == PreferQueryMode.SIMPLE) {
      throw unusable(
          "preferQueryMode=simple is not supported; remove it from the connection's URL");
    }
  }

  private static final String SERVER =
      """
      SELECT current_setting('server_version_num')::integer, current_setting('server_encoding'),
        current_setting('transaction_isolation')
      """;

  /** What the server must be. */
  private record Server(int version, String encoding, String isolation) {}

  private static void checkServer(Sql sql) throws SQLException {
    Server server =
        sql.first(SERVER, row -> new Server(row.getInt(1), row.getString(2), row.getString(3)));
    if (server == null || server.version() < OLDEST_SERVER) {
      throw unusable("the server is older than PostgreSQL 13; use a newer one");
    }
    if (!server.encoding().equals("UTF8")) {
      throw unusable(
          "the database is encoded as " + server.encoding() + "; create one with encoding UTF8");
    }
    if (!server.isolation().equals("read committed")) {
      throw unusable(
          "connections begin transactions as '%s'; set default_transaction_isolation to 'read committed' for this user"
              .formatted(server.isolation()));
    }
  }

  private static ProviderException unusable(String message) {
    return new ProviderException(Kind.UNKNOWN_PERMANENT, "open", message);
  }

  private static final String HAS_TABLE =
      """
      SELECT FROM pg_catalog.pg_tables WHERE schemaname = ? AND tablename = 'migration'
      """;

  private static final String STEPS_APPLIED =
      """
      SELECT version, checksum FROM @.migration ORDER BY version
      """;

  private static final String FUNCTIONS_APPLIED =
      """
      SELECT name, checksum FROM @.function_file ORDER BY name
      """;

  /** Whether the schema has ever been migrated. */
  boolean isBegun(Connection connection) throws SQLException {
    return isBegun(new Sql(connection, schema));
  }

  private boolean isBegun(Sql sql) throws SQLException {
    return sql.exists(HAS_TABLE, schema.name());
  }

  private Applied applied(Sql sql) throws SQLException {
    Map<Integer, String> steps = new LinkedHashMap<>();
    Map<String, String> functions = new LinkedHashMap<>();
    if (isBegun(sql)) {
      sql.list(STEPS_APPLIED, row -> steps.put(row.getInt(1), row.getString(2)));
      sql.list(FUNCTIONS_APPLIED, row -> functions.put(row.getString(1), row.getString(2)));
    }
    return new Applied(steps, functions);
  }

  /** Versions that only a newer release knows do no harm. */
  private boolean isMissing(Applied applied) {
    boolean missing = !applied.otherFunctions().isEmpty();
    for (int version = 1; version <= newestVersion(); version++) {
      SchemaScript step = SchemaScript.read(STEPS.get(version - 1));
      String checksum = applied.steps().get(version);
      if (checksum == null) {
        missing = true;
      } else if (!checksum.equals(step.checksum())) {
        throw unusable(
            ("%s: migration %d (%s) was applied with other contents than this release has;"
                    + " use the release that applied it, or another schema")
                .formatted(schema, version, step.name()));
      }
    }
    return missing;
  }

  private static final String LOCK =
      """
      SELECT pg_advisory_xact_lock(?)
      """;

  private static final String HAS_SCHEMA =
      """
      SELECT FROM pg_catalog.pg_namespace WHERE nspname = ?
      """;

  private static final String CREATE_TABLES =
      """
      CREATE TABLE IF NOT EXISTS @.migration (
        version integer PRIMARY KEY,
        name text NOT NULL,
        checksum text NOT NULL,
        applied_at bigint NOT NULL);
      CREATE TABLE IF NOT EXISTS @.function_file (
        name text PRIMARY KEY,
        checksum text NOT NULL,
        applied_at bigint NOT NULL)
      """;

  private static final String NOTE_STEP =
      """
      INSERT INTO @.migration (version, name, checksum, applied_at)
      VALUES (?, ?, ?, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
      """;

  private static final String NOTE_FUNCTIONS =
      """
      INSERT INTO @.function_file (name, checksum, applied_at)
      VALUES (?, ?, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
      ON CONFLICT (name) DO UPDATE SET checksum = excluded.checksum, applied_at = excluded.applied_at
      """;

  private void migrate(Connection connection, Sql sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL lock_timeout = '60s'");
      sql.exists(LOCK, schema.hash());
      if (!sql.exists(HAS_SCHEMA, schema.name())) {
        statement.execute("CREATE SCHEMA " + schema.quoted());
      }
      Applied applied = applied(sql);
      if (!isMissing(applied)) {
        return;
      }
      statement.execute(schema.in(CREATE_TABLES));
      for (int version = 1; version <= newestVersion(); version++) {
        if (!applied.steps().containsKey(version)) {
          SchemaScript step = SchemaScript.read(STEPS.get(version - 1));
          statement.execute(schema.in(step.text()));
          sql.update(NOTE_STEP, version, step.name(), step.checksum());
        }
      }
      for (SchemaScript functions : applied.otherFunctions()) {
        statement.execute(schema.in(functions.text()));
        sql.update(NOTE_FUNCTIONS, functions.name(), functions.checksum());
      }
    }
  }
}
