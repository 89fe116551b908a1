package io.duroxide.provider.postgres;

import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.postgresql.PGConnection;
import org.postgresql.jdbc.PreferQueryMode;

/**
 * Brings a schema to the newest version: all missing steps in one transaction, under a lock that
 * lets one node at a time do it. A step that was shipped is never edited; steps only add, so that
 * nodes of the release before go on working.
 */
final class Migrations {
  private static final int OLDEST_SERVER = 130_000;

  /** In the order in which they are applied; the place is the version. */
  private static final List<String> STEPS =
      List.of("001-tables", "002-messages", "003-turns", "004-commits", "005-work", "006-reads");

  private final Schema schema;

  Migrations(Schema schema) {
    this.schema = schema;
  }

  /** One step. */
  private record Step(int version, String name, String script) {

    String checksum() {
      try {
        byte[] bytes = script.getBytes(StandardCharsets.UTF_8);
        return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
      } catch (NoSuchAlgorithmException everyJdkHasIt) {
        throw new IllegalStateException(everyJdkHasIt);
      }
    }
  }

  private static List<Step> steps() {
    return STEPS.stream()
        .map(name -> new Step(STEPS.indexOf(name) + 1, name, script(name)))
        .toList();
  }

  static String script(String name) {
    try (InputStream in = Migrations.class.getResourceAsStream(name + ".sql")) {
      if (in == null) {
        throw new IllegalStateException(name + ".sql is missing from the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Applies what is missing. A schema that is up to date is only read. */
  void apply(Connection connection) throws SQLException {
    Sql sql = new Sql(connection, schema);
    checkProtocol(connection);
    checkServer(sql);
    if (isMissing(applied(sql))) {
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

  private static final String APPLIED =
      """
      SELECT version, checksum FROM @.migration ORDER BY version
      """;

  /** Whether the schema has ever been migrated. */
  boolean isBegun(Connection connection) throws SQLException {
    return isBegun(new Sql(connection, schema));
  }

  private boolean isBegun(Sql sql) throws SQLException {
    return sql.exists(HAS_TABLE, schema.name());
  }

  private Map<Integer, String> applied(Sql sql) throws SQLException {
    Map<Integer, String> applied = new LinkedHashMap<>();
    if (isBegun(sql)) {
      sql.list(APPLIED, row -> applied.put(row.getInt(1), row.getString(2)));
    }
    return applied;
  }

  /** Versions that only a newer release knows do no harm. */
  private boolean isMissing(Map<Integer, String> applied) {
    boolean missing = false;
    for (Step step : steps()) {
      String checksum = applied.get(step.version());
      if (checksum == null) {
        missing = true;
      } else if (!checksum.equals(step.checksum())) {
        throw unusable(
            ("%s: migration %d (%s) was applied with other contents than this release has;"
                    + " use the release that applied it, or another schema")
                .formatted(schema, step.version(), step.name()));
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

  private static final String CREATE_TABLE =
      """
      CREATE TABLE IF NOT EXISTS @.migration (
        version integer PRIMARY KEY,
        name text NOT NULL,
        checksum text NOT NULL,
        applied_at bigint NOT NULL)
      """;

  private static final String NOTE =
      """
      INSERT INTO @.migration (version, name, checksum, applied_at)
      VALUES (?, ?, ?, (extract(epoch FROM clock_timestamp()) * 1000)::bigint)
      """;

  private void migrate(Connection connection, Sql sql) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute("SET LOCAL lock_timeout = '60s'");
      sql.exists(LOCK, schema.hash());
      if (!sql.exists(HAS_SCHEMA, schema.name())) {
        statement.execute("CREATE SCHEMA " + schema.quoted());
      }
      Map<Integer, String> applied = applied(sql);
      if (!isMissing(applied)) {
        return;
      }
      statement.execute(schema.in(CREATE_TABLE));
      for (Step step : steps()) {
        if (!applied.containsKey(step.version())) {
          statement.execute(schema.in(step.script()));
          sql.update(NOTE, step.version(), step.name(), step.checksum());
        }
      }
    }
  }
}
