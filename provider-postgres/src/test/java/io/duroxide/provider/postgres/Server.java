package io.duroxide.provider.postgres;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** The server that all tests of a run share; it is started by the first and ends with the JVM. */
final class Server {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private Server() {}

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
            .setServerConfig("max_locks_per_transaction", "256")
            .start();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  /** Another server can be named, to see how things stand after a test or on another version. */
  static String url() {
    String named = System.getProperty("duroxide.test.postgres");
    return named == null ? Running.SERVER.getJdbcUrl("postgres", "postgres") : named;
  }

  /** A name that no other test has. */
  static String newSchema() {
    return "test_" + ProcessHandle.current().pid() + "_" + SCHEMAS.incrementAndGet();
  }

  static Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }
}
