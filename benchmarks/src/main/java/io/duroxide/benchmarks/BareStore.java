package io.duroxide.benchmarks;

import io.duroxide.provider.sqlite.SqliteProvider;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;

/** The tables of the SQLite store without a contract around them, set up as the store does it. */
public final class BareStore implements AutoCloseable {
  private final Connection connection;
  private final PreparedStatement begin;
  private final PreparedStatement commit;
  private final PreparedStatement events;
  private final Map<Long, Long> tails = new HashMap<>();
  private long numbers;

  public BareStore(Path file) throws SQLException {
    SqliteProvider.open(file).close();
    this.connection = DriverManager.getConnection("jdbc:sqlite:" + file);
    control("PRAGMA journal_mode = WAL");
    control("PRAGMA wal_autocheckpoint = 10000");
    control("PRAGMA cache_size = -65536");
    control("PRAGMA synchronous = FULL");
    this.begin = prepare("BEGIN IMMEDIATE");
    this.commit = prepare("COMMIT");
    this.events =
        prepare(
            "INSERT INTO duroxide_history (key, prior, instance, execution, first_event,"
                + " last_event, events, bytes, data) VALUES (?, ?, ?, 1, ?, ?, ?, 0, ?)");
  }

  public PreparedStatement prepare(String text) throws SQLException {
    return connection.prepareStatement(text);
  }

  /** Whether commits wait for the disk from now on. */
  void waitForDisk(boolean wait) throws SQLException {
    control(wait ? "PRAGMA synchronous = FULL" : "PRAGMA synchronous = NORMAL");
  }

  private void control(String text) throws SQLException {
    try (PreparedStatement statement = prepare(text)) {
      statement.execute();
    }
  }

  public void begin() throws SQLException {
    begin.execute();
  }

  public void commit() throws SQLException {
    commit.execute();
  }

  /** Writes the events of a turn in one row; returns its number. */
  public long append(long instance, long first, long last, String data) throws SQLException {
    numbers += last - first + 1;
    Long prior = tails.put(instance, numbers);
    update(events, numbers, prior == null ? 0L : prior, instance, first, last, last, data);
    return numbers;
  }

  /** Runs a statement with values that are numbers or text. */
  public static void update(PreparedStatement statement, Object... values) throws SQLException {
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
