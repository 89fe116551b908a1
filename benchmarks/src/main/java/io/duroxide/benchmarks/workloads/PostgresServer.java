package io.duroxide.benchmarks.workloads;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;

/** A durable PostgreSQL server that everything on PostgreSQL shares. Thread-safe. */
final class PostgresServer implements AutoCloseable {
  private static final double TICKS_PER_SECOND = 100;
  private static final int CHILD_USER_TIME = 13;
  private static final int CHILD_SYSTEM_TIME = 14;

  private final EmbeddedPostgres server;

  PostgresServer() throws IOException {
    this.server =
        EmbeddedPostgres.builder()
            .setServerConfig("fsync", "on")
            .setServerConfig("synchronous_commit", "on")
            .setServerConfig("full_page_writes", "on")
            .setServerConfig("max_connections", "200")
            .start();
  }

  String url() {
    return server.getJdbcUrl("postgres", "postgres");
  }

  /** What the server has used so far: all of its processes, and its log. */
  Cost cost() {
    try (Connection connection = DriverManager.getConnection(url());
        Statement statement = connection.createStatement();
        ResultSet row =
            statement.executeQuery(
                "SELECT pg_backend_pid(), pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0')")) {
      row.next();
      return new Cost(cpuSeconds(row.getLong(1)), row.getLong(2));
    } catch (SQLException | IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static double cpuSeconds(long backend) throws IOException {
    ProcessHandle server = ProcessHandle.of(backend).flatMap(ProcessHandle::parent).orElseThrow();
    Duration living =
        server
            .children()
            .flatMap(child -> child.info().totalCpuDuration().stream())
            .reduce(Duration.ZERO, Duration::plus);
    return living.toNanos() / 1e9 + endedChildren(server.pid());
  }

  /** Linux adds up what ended children have used. */
  private static double endedChildren(long pid) throws IOException {
    String line = Files.readString(Path.of("/proc", Long.toString(pid), "stat"));
    String[] words = line.substring(line.lastIndexOf(')') + 2).split(" ", -1);
    return (Long.parseLong(words[CHILD_USER_TIME]) + Long.parseLong(words[CHILD_SYSTEM_TIME]))
        / TICKS_PER_SECOND;
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}
