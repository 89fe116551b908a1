package io.duroxide.proof.chaos;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import org.awaitility.Awaitility;

/** A server that can be stopped in the middle of what it does. */
final class ChaosServer implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path data;
  private final int port;
  private EmbeddedPostgres server;

  ChaosServer(Path data) {
    this.data = data;
    this.server = start(0);
    this.port = server.getPort();
  }

  /** A commit that was confirmed must survive the end of the processes, not that of the machine. */
  private EmbeddedPostgres start(int onPort) {
    try {
      return EmbeddedPostgres.builder()
          .setDataDirectory(data)
          .setCleanDataDirectory(false)
          .setPort(onPort)
          .setServerConfig("fsync", "off")
          .setServerConfig("synchronous_commit", "on")
          .setServerConfig("max_connections", "100")
          .setPGStartupWait(PATIENCE)
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  int port() {
    return port;
  }

  /** The address for a process, directly or by way of a proxy. */
  static String url(int port, String process) {
    return "jdbc:postgresql://localhost:%d/postgres?user=postgres&ApplicationName=%s"
        .formatted(port, process);
  }

  /** Ends all connections of a process. */
  void terminate(String process) {
    String text =
        "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ?";
    try (Connection connection = DriverManager.getConnection(url(port, "chaos"));
        PreparedStatement statement = connection.prepareStatement(text)) {
      statement.setString(1, process);
      statement.execute();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As {@code pg_ctl restart -m immediate}. */
  void crash() {
    ProcessHandle postmaster = ProcessHandle.of(postmaster()).orElseThrow();
    Shell.signal(postmaster.pid(), "QUIT");
    Awaitility.await().atMost(PATIENCE).until(() -> !postmaster.isAlive());
    close();
    server = start(port);
  }

  private long postmaster() {
    try {
      return Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
