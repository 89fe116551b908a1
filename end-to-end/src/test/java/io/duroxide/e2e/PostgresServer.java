package io.duroxide.e2e;

import io.duroxide.support.SharedServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.atomic.AtomicInteger;

/** The schemas of a database that all tests of this JVM share. */
final class PostgresServer {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();
  private static final ConcurrentLinkedDeque<String> VACANT = new ConcurrentLinkedDeque<>();

  private PostgresServer() {}

  /** An address under which the server knows whoever uses a schema. */
  static String url(String schema) {
    return SharedServer.url() + "&ApplicationName=" + schema;
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
