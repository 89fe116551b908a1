package io.duroxide.support;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/**
 * The PostgreSQL server that all test JVMs of a build share; each has a database of its own there.
 * A JVM that no build has started starts a server for itself.
 *
 * <p>Another server can be named by the system property {@code duroxide.test.postgres}, to see how
 * things stand after a test or on another version.
 */
public final class SharedServer {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final AtomicReference<@Nullable AutoCloseable> OWN = new AtomicReference<>();

  private SharedServer() {}

  /** Found when first needed. */
  private static final class Found {
    static final String DATABASE = newDatabase();

    private static String newDatabase() {
      String name = "jvm_" + ProcessHandle.current().pid();
      String server = find();
      try (Connection connection = DriverManager.getConnection(server);
          Statement statement = connection.createStatement()) {
        statement.execute("CREATE DATABASE " + name);
      } catch (SQLException e) {
        throw new IllegalStateException(e);
      }
      return server.replace("/postgres?", "/" + name + "?");
    }

    private static String find() {
      String file = System.getProperty("duroxide.test.postgres.file");
      return file == null ? startOwn() : await(Path.of(file));
    }

    private static String startOwn() {
      EmbeddedPostgres server = start();
      OWN.set(server);
      return url(server);
    }
  }

  /** The address of a database that no other JVM uses. */
  public static String url() {
    String named = System.getProperty("duroxide.test.postgres");
    return named == null ? Found.DATABASE : named;
  }

  private static String await(Path file) {
    Awaitility.await().atMost(PATIENCE).until(() -> Files.exists(file));
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static EmbeddedPostgres start() {
    try {
      // No test here cuts the power, so no commit has to wait for the disk.
      return EmbeddedPostgres.builder()
          .setServerConfig("fsync", "off")
          .setServerConfig("synchronous_commit", "off")
          .setServerConfig("full_page_writes", "off")
          .setServerConfig("max_connections", "600")
          .setServerConfig("max_locks_per_transaction", "256")
          .setPGStartupWait(PATIENCE)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static String url(EmbeddedPostgres server) {
    return server.getJdbcUrl("postgres", "postgres");
  }

  /** Ends the server of this JVM, if it has one of its own. */
  static void stopOwn() {
    AutoCloseable own = OWN.getAndSet(null);
    if (own == null) {
      return;
    }
    try {
      own.close();
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
