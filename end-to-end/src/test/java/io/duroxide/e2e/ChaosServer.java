package io.duroxide.e2e;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import org.awaitility.Awaitility;

/** A server that can be restarted in the middle of what it does. */
final class ChaosServer implements AutoCloseable {
  private final Path data;
  private EmbeddedPostgres server;
  private final int port;

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
          .setServerConfig("max_connections", "200")
          .start();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  String url(String node) {
    return "jdbc:postgresql://localhost:%d/postgres?user=postgres&ApplicationName=%s"
        .formatted(port, node);
  }

  /** Ends all connections of a node. */
  void cut(String node) {
    try (Connection connection = DriverManager.getConnection(url("chaos"));
        PreparedStatement statement =
            connection.prepareStatement(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    + " WHERE application_name = ?")) {
      statement.setString(1, node);
      statement.execute();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** As {@code pg_ctl restart -m immediate}: no connection ends in order, nothing is written. */
  void restart() {
    ProcessHandle postmaster = ProcessHandle.of(postmaster()).orElseThrow();
    Signals.send(postmaster.pid(), "QUIT");
    Awaitility.await().until(() -> !postmaster.isAlive());
    stop();
    server = start(port);
  }

  private long postmaster() {
    try {
      return Long.parseLong(Files.readAllLines(data.resolve("postmaster.pid")).getFirst().strip());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void stop() {
    try {
      server.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void close() {
    stop();
  }

  /** Signals to processes. */
  static final class Signals {
    private Signals() {}

    static void send(long process, String signal) {
      try {
        int exit =
            new ProcessBuilder("kill", "-" + signal, Long.toString(process)).start().waitFor();
        if (exit != 0) {
          throw new IllegalStateException("kill -" + signal + " " + process + ": " + exit);
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new IllegalStateException(e);
      }
    }
  }
}
