package io.duroxide.provider.postgres;

import io.duroxide.provider.StoredText;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGConnection;

/** Statements on one connection. Confined to one thread. */
final class Sql {
  private final Connection connection;
  private final Schema schema;

  Sql(Connection connection, Schema schema) {
    this.connection = connection;
    this.schema = schema;
  }

  Connection connection() {
    return connection;
  }

  /** Makes a value of the row a result stands on. */
  @FunctionalInterface
  interface RowReader<T> {
    T read(ResultSet row) throws SQLException;
  }

  /** Runs a statement that returns nothing; returns how many rows it changed. */
  int update(String text, @Nullable Object... values) throws SQLException {
    return using(text, values, PreparedStatement::executeUpdate);
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

  private <T extends @Nullable Object> T using(
      String text, @Nullable Object[] values, Use<PreparedStatement, T> use) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(schema.in(text))) {
      for (int i = 0; i < values.length; i++) {
        bind(statement, i + 1, values[i]);
      }
      return use.of(statement);
    }
  }

  /** Lists of texts and of numbers become arrays. */
  private void bind(PreparedStatement statement, int at, @Nullable Object value)
      throws SQLException {
    if (value instanceof String text) {
      statement.setString(at, StoredText.escaped(text));
    } else if (value instanceof long[] numbers) {
      statement.setArray(at, pg().createArrayOf("int8", numbers));
    } else if (value instanceof Collection<?> texts) {
      String[] stored =
          texts.stream().map(text -> StoredText.escaped((String) text)).toArray(String[]::new);
      statement.setArray(at, pg().createArrayOf("text", stored));
    } else {
      statement.setObject(at, value);
    }
  }

  private PGConnection pg() throws SQLException {
    return connection.unwrap(PGConnection.class);
  }

  /** A column that holds text, with what the database cannot store restored. */
  static String text(ResultSet row, int column) throws SQLException {
    return StoredText.unescaped(row.getString(column));
  }

  /** A column that may hold no text. */
  static @Nullable String maybeText(ResultSet row, int column) throws SQLException {
    return StoredText.read(row.getString(column));
  }

  /** A column that may hold no number. */
  static @Nullable Long maybeLong(ResultSet row, int column) throws SQLException {
    long value = row.getLong(column);
    return row.wasNull() ? null : value;
  }

  /** A column that may hold no instant. */
  static @Nullable Instant maybeInstant(ResultSet row, int column) throws SQLException {
    Long millis = maybeLong(row, column);
    return millis == null ? null : Instant.ofEpochMilli(millis);
  }
}
