package io.duroxide.e2e;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.stream.Stream;
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
          .setServerConfig("synchronous_commit", "on")
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

  /** For nodes that find out by themselves which of two servers may be written to. */
  String url(String node, ChaosServer other) {
    return url(node)
        .replace(":" + port, ":%d,localhost:%d".formatted(port, other.port))
        .concat("&targetServerType=primary");
  }

  /** Ends all connections of a node. */
  void cut(String node) {
    ask("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = ?", node);
  }

  /** As {@code pg_ctl restart -m immediate}. */
  void restart() {
    kill();
    resume();
  }

  /** As {@code pg_ctl stop -m immediate}: no connection ends in order, nothing is written. */
  void kill() {
    ProcessHandle postmaster = ProcessHandle.of(postmaster()).orElseThrow();
    Signals.send(postmaster.pid(), "QUIT");
    Awaitility.await().until(() -> !postmaster.isAlive());
    stop();
  }

  /** After {@link #kill}. */
  void resume() {
    server = start(port);
  }

  /** A copy that follows this server from now on; no commit is confirmed that it does not have. */
  ChaosServer newStandby(Path copy) {
    stop();
    copyTo(copy);
    resume();
    ChaosServer standby = new ChaosServer(copy);
    Awaitility.await()
        .until(() -> ask("SELECT FROM pg_stat_replication WHERE state = 'streaming'"));
    ask("ALTER SYSTEM SET synchronous_standby_names = 'standby'");
    ask("SELECT pg_reload_conf()");
    Awaitility.await()
        .until(() -> ask("SELECT FROM pg_stat_replication WHERE sync_state = 'sync'"));
    return standby;
  }

  private void copyTo(Path copy) {
    try (Stream<Path> files = Files.walk(data)) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(data.relativize(file)), StandardCopyOption.COPY_ATTRIBUTES);
      }
      Files.createFile(copy.resolve("standby.signal"));
      Files.writeString(
          copy.resolve("postgresql.auto.conf"),
          "primary_conninfo = 'host=localhost port=%d user=postgres application_name=standby'\n"
              .formatted(port));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The standby is the primary from now on. */
  void promote() {
    ask("SELECT pg_promote(true, 60)");
  }

  /** Runs a statement; returns whether it has a row. */
  private boolean ask(String text, String... values) {
    try (Connection connection = DriverManager.getConnection(url("chaos"));
        PreparedStatement statement = connection.prepareStatement(text)) {
      for (int i = 0; i < values.length; i++) {
        statement.setString(i + 1, values[i]);
      }
      return statement.execute() && statement.getResultSet().next();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
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
