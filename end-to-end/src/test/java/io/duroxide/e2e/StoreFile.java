package io.duroxide.e2e;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** A SQLite store seen from outside, by a connection of its own. */
final class StoreFile implements AutoCloseable {
  private final Connection connection;

  StoreFile(World world) {
    try {
      connection = DriverManager.getConnection("jdbc:sqlite:" + world.file());
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  /** From now on no execution can be deleted. */
  void forbidPruning() {
    run(
        "CREATE TRIGGER forbidden BEFORE DELETE ON duroxide_execution"
            + " BEGIN SELECT RAISE(ABORT, 'injected'); END");
  }

  void allowPruning() {
    run("DROP TRIGGER forbidden");
  }

  /** Pages that hold something. */
  long usedPages() {
    return number("PRAGMA page_count") - number("PRAGMA freelist_count");
  }

  private void run(String sql) {
    try (Statement statement = connection.createStatement()) {
      statement.execute(sql);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  private long number(String sql) {
    try (Statement statement = connection.createStatement();
        ResultSet rows = statement.executeQuery(sql)) {
      return rows.getLong(1);
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }

  @Override
  public void close() {
    try {
      connection.close();
    } catch (SQLException e) {
      throw new AssertionError(e);
    }
  }
}
