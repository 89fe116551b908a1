package io.duroxide.e2e;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.atomic.AtomicInteger;

/** The server that all tests of a run share; it is started by the first and ends with the JVM. */
final class PostgresServer {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();

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

  static String url() {
    return Running.SERVER.getJdbcUrl("postgres", "postgres");
  }

  /** A name that no other test has. */
  static String newSchema() {
    return "test_" + SCHEMAS.incrementAndGet();
  }
}
