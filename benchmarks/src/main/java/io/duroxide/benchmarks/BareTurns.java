package io.duroxide.benchmarks;

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
 * The rows of the same turns without a contract around them: one thread, prepared statements, one
 * transaction for the locks of a group and one for its turns. Nothing is looked up or checked.
 */
final class BareTurns implements AutoCloseable {
  private final Connection connection;
  private final int group;
  private final PreparedStatement lock;
  private final PreparedStatement event;
  private final PreparedStatement work;
  private final PreparedStatement remove;
  private final PreparedStatement message;
  private final PreparedStatement unlock;
  private final List<String> events;
  private final String activity;
  private final String raised;
  private long turn;

  BareTurns(Path file, int group) throws SQLException {
    SqliteProvider.open(file).close();
    this.group = group;
    this.connection = DriverManager.getConnection("jdbc:sqlite:" + file);
    pragma("PRAGMA journal_mode = WAL");
    pragma("PRAGMA synchronous = FULL");
    pragma("PRAGMA wal_autocheckpoint = 10000");
    pragma("PRAGMA cache_size = -65536");
    connection.setAutoCommit(false);
    this.lock =
        connection.prepareStatement(
            "UPDATE instance SET line = 2, slot_at = ?, lock_token = ?, locked_until = ?"
                + " WHERE key = ?");
    this.event = connection.prepareStatement("INSERT INTO history VALUES (?, 1, ?, ?)");
    this.work =
        connection.prepareStatement(
            "INSERT INTO work (instance, execution, activity, seq, line, slot, lane, ready_line,"
                + " payload) VALUES (?, 1, ?, ?, 1, ?, 1, 1, ?)");
    this.remove =
        connection.prepareStatement(
            "DELETE FROM message WHERE instance = ? AND visible_at = ? AND seq = ?");
    this.message =
        connection.prepareStatement(
            "INSERT INTO message (instance, visible_at, seq, kind, created_at, payload)"
                + " VALUES (?, ?, ?, 0, ?, ?)");
    this.unlock =
        connection.prepareStatement(
            "UPDATE instance SET line = 1, slot_at = ?, slot_seq = ?, lock_token = NULL,"
                + " locked_until = 0, last_event = ?, updated_at = ? WHERE key = ?");
    ExecutionKey execution = new ExecutionKey("order-1", 1);
    this.events = TurnRows.events(execution, 1).stream().map(EventCodec::encode).toList();
    this.activity = WorkItemCodec.encode(TurnRows.activity(execution, 4));
    this.raised = WorkItemCodec.encode(TurnRows.message(execution));
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
            "INSERT INTO instance (key, id, stage, line, execution, name, version, status)"
                + " VALUES (?, ?, 2, 1, 1, 'Order', '1.0.0', 'Running')")) {
      for (int key = 1; key <= group; key++) {
        update(insert, (long) key, "order-" + key);
        update(message, (long) key, 0L, (long) key, 0L, raised);
      }
    }
    connection.commit();
  }

  Rate run(Duration duration) throws SQLException {
    long end = System.nanoTime() + duration.toNanos();
    Rate.Meter meter = new Rate.Meter();
    long turns = 0;
    while (System.nanoTime() < end) {
      for (long key = 1; key <= group; key++) {
        update(lock, turn, "turn:" + key + ":00000000-0000-0000-0000-000000000000", turn, key);
      }
      connection.commit();
      for (long key = 1; key <= group; key++) {
        writeTurn(key);
      }
      connection.commit();
      turn++;
      turns += group;
    }
    return meter.rate(turns);
  }

  private void writeTurn(long key) throws SQLException {
    long firstEvent = 2 + turn * TurnRows.EVENTS;
    for (int i = 0; i < TurnRows.EVENTS; i++) {
      update(event, key, firstEvent + i, events.get(i));
    }
    long seq = (turn + 1) * group + key;
    update(work, key, firstEvent + 2, seq, seq, activity);
    update(remove, key, turn, turn * group + key);
    update(message, key, turn + 1, seq, turn, raised);
    update(unlock, turn + 1, seq, firstEvent + 2, turn, key);
  }

  private static void update(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      if (values[i] instanceof Long number) {
        statement.setLong(i + 1, number);
      } else {
        statement.setString(i + 1, (String) values[i]);
      }
    }
    statement.executeUpdate();
  }

  @Override
  public void close() throws SQLException {
    connection.close();
  }
}
