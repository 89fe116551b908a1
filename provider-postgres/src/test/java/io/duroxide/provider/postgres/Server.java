package io.duroxide.provider.postgres;

import io.duroxide.support.SharedServer;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.concurrent.atomic.AtomicInteger;

/** The database of this JVM, with a schema for each test. */
final class Server {
  private static final AtomicInteger SCHEMAS = new AtomicInteger();

  private Server() {}

  static String url() {
    return SharedServer.url();
  }

  /** A name that no other test has, also on a server that is kept. */
  static String newSchema() {
    return "test_" + ProcessHandle.current().pid() + "_" + SCHEMAS.incrementAndGet();
  }

  static Connection connect() throws SQLException {
    return DriverManager.getConnection(url());
  }
}
