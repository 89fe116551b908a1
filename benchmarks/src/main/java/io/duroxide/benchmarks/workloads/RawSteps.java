package io.duroxide.benchmarks.workloads;

import io.duroxide.benchmarks.TurnRows;
import io.duroxide.codec.EventCodec;
import io.duroxide.codec.WorkItemCodec;
import io.duroxide.model.ExecutionKey;
import io.duroxide.provider.sqlite.SqliteProvider;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;

/**
 * The rows of steps without an engine or a contract around them: one thread, prepared statements,
 * many steps in a transaction, nothing looked up or checked. The most that the SQLite store's
 * tables can take.
 */
final class RawSteps implements AutoCloseable {
  private final Connection connection;
  private final int group;
  private final PreparedStatement done;
  private final PreparedStatement event;
  private final PreparedStatement work;
  private final PreparedStatement instance;
  private final List<String> events;
  private final String activity;
  private long step;

  RawSteps(Path file, int group) throws SQLException {
    SqliteProvider.open(file).close();
    this.group = group;
    this.connection = DriverManager.getConnection("jdbc:sqlite:" + file);
    pragma("PRAGMA journal_mode = WAL");
    pragma("PRAGMA synchronous = FULL");
    pragma("PRAGMA wal_autocheckpoint = 10000");
    pragma("PRAGMA cache_size = -65536");
    connection.setAutoCommit(false);
    this.done =
        connection.prepareStatement(
            "DELETE FROM work WHERE instance = ? AND execution = 1 AND activity = ? AND seq = ?");
    this.event = connection.prepareStatement("INSERT INTO history VALUES (?, 1, ?, ?)");
    this.work =
        connection.prepareStatement(
            "INSERT INTO work (instance, execution, activity, seq, line, slot, lane, ready_line,"
                + " attempts, token, payload) VALUES (?, 1, ?, ?, 2, ?, 1, 1, 1, ?, ?)");
    this.instance =
        connection.prepareStatement(
            "UPDATE instance SET last_event = ?, updated_at = ? WHERE key = ?");
    ExecutionKey execution = new ExecutionKey("order-1", 1);
    this.events = TurnRows.events(execution, 1).stream().map(EventCodec::encode).toList();
    this.activity = WorkItemCodec.encode(TurnRows.activity(execution, 4));
    createInstances();
  }

  private void pragma(String text) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      statement.execute(text);
    }
  }

  private void createInstances() throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement(
            "INSERT INTO instance (key, id, stage, execution, name, version, status)"
                + " VALUES (?, ?, 2, 1, 'Order', '1.0.0', 'Running')")) {
      for (long key = 1; key <= group; key++) {
        insert.setLong(1, key);
        insert.setString(2, "order-" + key);
        insert.executeUpdate();
      }
    }
    connection.commit();
  }

  /** Steps per second. */
  double run(Duration duration) throws SQLException {
    long began = System.nanoTime();
    long steps = 0;
    while (System.nanoTime() - began < duration.toNanos()) {
      for (long key = 1; key <= group; key++) {
        write(key);
      }
      connection.commit();
      step++;
      steps += group;
    }
    return steps * 1e9 / (System.nanoTime() - began);
  }

  private void write(long key) throws SQLException {
    long seq = step * group + key;
    done.setLong(1, key);
    done.setLong(2, 2 * step + 1);
    done.setLong(3, seq - group);
    done.executeUpdate();
    for (int i = 0; i < 2; i++) {
      event.setLong(1, key);
      event.setLong(2, 2 * step + 2 + i);
      event.setString(3, events.get(i));
      event.executeUpdate();
    }
    work.setLong(1, key);
    work.setLong(2, 2 * step + 3);
    work.setLong(3, seq);
    work.setLong(4, Long.MAX_VALUE - seq);
    work.setString(5, "work:" + key + ":00000000-0000-0000-0000-000000000000");
    work.setString(6, activity);
    work.executeUpdate();
    instance.setLong(1, 2 * step + 3);
    instance.setLong(2, step);
    instance.setLong(3, key);
    instance.executeUpdate();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
