package io.duroxide.e2e;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/** The server that all tests of a run share; it is started by the first and ends with the JVM. */
final class PostgresServer {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();
  private static final ConcurrentLinkedDeque<String> VACANT = new ConcurrentLinkedDeque<>();

  private PostgresServer() {}

  /** Started when first needed. */
  private static final class Running {
    static final EmbeddedPostgres SERVER = start();

    private static EmbeddedPostgres start() {
      try {
        // No test here cuts the power, so no commit has to wait for the disk.
        return EmbeddedPostgres.builder()
            .setServerConfig("fsync", "off")
            .setServerConfig("synchronous_commit", "off")
            .setServerConfig("full_page_writes", "off")
            .setServerConfig("max_connections", "300")
            .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** An address under which the server knows whoever uses a schema. */
  static String url(String schema) {
    return Running.SERVER.getJdbcUrl("postgres", "postgres") + "&ApplicationName=" + schema;
  }

  /** A schema that nobody else uses now; its tables are empty, if there are any. */
  static String takeSchema() {
    String vacant = VACANT.poll();
    while (vacant != null) {
      if (isCleared(vacant)) {
        return vacant;
      }
      vacant = VACANT.poll();
    }
    return "test_" + SCHEMAS.incrementAndGet();
  }

  /** For the next test: to make a schema takes longer than most of them. */
  static void giveBack(String schema) {
    VACANT.push(schema);
  }

  private static final String IN_USE =
      """
      SELECT FROM pg_stat_activity WHERE application_name = ?
      """;

  private static final String CLEARING =
      """
      SELECT string_agg(format('DELETE FROM %I.%I', schemaname, tablename), ';')
      FROM pg_tables WHERE schemaname = ? AND tablename <> 'migration'
      """;

  /** Not if something that was cut off is still at work there. */
  private static boolean isCleared(String schema) {
    try (Connection connection = DriverManager.getConnection(url("clearing"));
        PreparedStatement inUse = connection.prepareStatement(IN_USE);
        PreparedStatement clearing = connection.prepareStatement(CLEARING)) {
      inUse.setString(1, schema);
      clearing.setString(1, schema);
      try (ResultSet users = inUse.executeQuery();
          ResultSet statements = clearing.executeQuery()) {
        if (users.next() || !statements.next()) {
          return false;
        }
        clear(connection, statements.getString(1));
        return true;
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  private static void clear(Connection connection, String statements) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(statements);
    }
  }
}
