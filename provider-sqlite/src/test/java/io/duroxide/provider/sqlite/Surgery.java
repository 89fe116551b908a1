package io.duroxide.provider.sqlite;

import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;

/** Changes a store behind its provider's back. */
final class Surgery {
  private final Path file;

  Surgery(Path file) {
    this.file = file;
  }

  int update(String statement, Object... values) {
    try (Connection connection = connect();
        PreparedStatement prepared = connection.prepareStatement(statement)) {
      bind(prepared, values);
      return prepared.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  String text(String statement, Object... values) {
    try (Connection connection = connect();
        PreparedStatement prepared = connection.prepareStatement(statement)) {
      bind(prepared, values);
      try (ResultSet rows = prepared.executeQuery()) {
        return rows.next() ? rows.getString(1) : null;
      }
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  long number(String statement, Object... values) {
    String text = text(statement, values);
    return text == null ? 0 : Long.parseLong(text);
  }

  private static void bind(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }

  private Connection connect() throws SQLException {
    return DriverManager.getConnection("jdbc:sqlite:" + file + "?busy_timeout=10000");
  }
}
