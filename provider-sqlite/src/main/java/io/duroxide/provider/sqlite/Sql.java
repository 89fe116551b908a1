package io.duroxide.provider.sqlite;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A connection with its prepared statements, and what to do when it breaks. Confined to one thread.
 *
 * <p>Statements are logged as they run, without their values. Those that run often say {@code LIMIT
 * 0 + ?}: the planner looks at a bare {@code ?} there, so SQLite compiles the statement again each
 * time.
 */
final class Sql implements AutoCloseable {
  private static final Logger LOG =
      LoggerFactory.getLogger("io.duroxide.providers.sqlite.statements");
  private static final @Nullable Object[] NO_VALUES = {};
  private static final int ROLLBACK_TRIES = 3;

  private final @Nullable Spare spare;
  private Connection connection;
  private Map<String, PreparedStatement> statements = new HashMap<>();
  private long changedRows;
  private boolean broken;

  /** Opens another connection in place of a broken one. */
  @FunctionalInterface
  interface Spare {
    Sql open();
  }

  /** Makes a value of the row a result stands on. */
  @FunctionalInterface
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /**
   * On this connection.
   *
   * @param spare where another comes from; null if this is all there is
   */
  Sql(Connection connection, @Nullable Spare spare) {
    this.connection = connection;
    this.spare = spare;
  }

  /**
   * Goes on with another connection if this one met an error of the disk or the like, after which
   * nobody promises that it works. Returns whether it does. Where this is all there is, its
   * statements are made anew.
   */
  boolean mend() throws SQLException {
    if (!broken) {
      return false;
    }
    if (spare == null) {
      closeStatements();
      broken = false;
      return false;
    }
    Sql other = spare.open();
    Sql old = new Sql(connection, null);
    old.statements = statements;
    connection = other.connection;
    statements = other.statements;
    broken = false;
    try {
      old.close();
    } catch (SQLException | RuntimeException | Error ignored) {
      // It was broken.
    }
    return true;
  }

  /** Something was cut short, and nobody knows what it has left behind. */
  void distrust() {
    broken = true;
    changedRows++;
  }

  /** Undoes the transaction; false if there is none, as after a commit or a full disk. */
  boolean rollback() {
    for (int left = ROLLBACK_TRIES; ; left--) {
      try {
        control("ROLLBACK");
        return true;
      } catch (SQLException noTransaction) {
        return false;
      } catch (Error shortage) {
        if (left == 1) {
          throw shortage;
        }
      }
    }
  }

  /** Runs a statement that returns nothing; returns how many rows it changed. */
  int update(String text, @Nullable Object... values) throws SQLException {
    int changed = using(text, values, PreparedStatement::executeUpdate);
    changedRows += changed;
    return changed;
  }

  /** Runs a statement that changes rows and returns the first of them. */
  <T> @Nullable T updateReturning(String text, RowReader<T> reader, @Nullable Object... values)
      throws SQLException {
    T first = first(text, reader, values);
    if (first != null) {
      changedRows++;
    }
    return first;
  }

  /** Begins, ends or sets something; changes no rows. */
  void control(String text) throws SQLException {
    using(
        text,
        NO_VALUES,
        statement -> {
          if (statement.execute()) {
            statement.getResultSet().close();
          }
          return true;
        });
  }

  /** The first row, or null. */
  <T> @Nullable T first(String text, RowReader<T> reader, @Nullable Object... values)
      throws SQLException {
    return query(text, values, rows -> rows.next() ? reader.read(rows) : null);
  }

  /** The number that a statement returns; 0 if it returns none. */
  long number(String text, @Nullable Object... values) throws SQLException {
    return query(text, values, rows -> rows.next() ? rows.getLong(1) : 0L);
  }

  boolean exists(String text, @Nullable Object... values) throws SQLException {
    return query(text, values, ResultSet::next);
  }

  <T> List<T> list(String text, RowReader<T> reader, @Nullable Object... values)
      throws SQLException {
    return query(
        text,
        values,
        rows -> {
          List<T> result = new ArrayList<>();
          while (rows.next()) {
            result.add(reader.read(rows));
          }
          return result;
        });
  }

  private <T extends @Nullable Object> T query(
      String text, @Nullable Object[] values, Use<ResultSet, T> use) throws SQLException {
    return using(
        text,
        values,
        statement -> {
          try (ResultSet rows = statement.executeQuery()) {
            return use.of(rows);
          }
        });
  }

  /** Something done with a statement or its rows. */
  @FunctionalInterface
  private interface Use<S, T extends @Nullable Object> {
    T of(S subject) throws SQLException;
  }

  /** A statement that has failed is closed by the driver, so it must not be used again. */
  private <T extends @Nullable Object> T using(
      String text, @Nullable Object[] values, Use<PreparedStatement, T> use) throws SQLException {
    LOG.trace(text);
    try {
      PreparedStatement statement = prepared(text);
      for (int i = 0; i < values.length; i++) {
        statement.setObject(i + 1, values[i]);
      }
      return use.of(statement);
    } catch (SQLException failure) {
      broken |= Trouble.breaksConnection(failure);
      forget(text);
      throw failure;
    } catch (Error failure) {
      broken = true;
      forget(text);
      throw failure;
    }
  }

  private void forget(String text) throws SQLException {
    PreparedStatement failed = statements.remove(text);
    if (failed != null) {
      failed.close();
    }
  }

  /** How many rows were changed since the connection was opened. */
  long changedRows() {
    return changedRows;
  }

  /** A column that may hold no number. */
  static @Nullable Long nullableLong(ResultSet row, int column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }

  /** A column that may hold no instant. */
  static @Nullable Instant nullableInstant(ResultSet row, int column) throws SQLException {
    Long millis = nullableLong(row, column);
    return millis == null ? null : Instant.ofEpochMilli(millis);
  }

  private PreparedStatement prepared(String text) throws SQLException {
    PreparedStatement known = statements.get(text);
    if (known == null) {
      known = connection.prepareStatement(text);
      statements.put(text, known);
    }
    return known;
  }

  @Override
  public void close() throws SQLException {
    try {
      closeStatements();
    } finally {
      connection.close();
    }
  }

  private void closeStatements() throws SQLException {
    try {
      for (PreparedStatement statement : statements.values()) {
        statement.close();
      }
    } finally {
      statements = new HashMap<>();
    }
  }
}
