package io.duroxide.provider.postgres;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;

/** Changes a store behind its provider's back. */
final class Surgery {
  private final Schema schema;

  Surgery(String schema) {
    this.schema = Schema.named(schema);
  }

  int update(String statement, Object... values) {
    try (Connection connection = Server.connect();
        PreparedStatement prepared = connection.prepareStatement(schema.in(statement))) {
      bind(prepared, values);
      return prepared.executeUpdate();
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Runs any number of statements. */
  void run(String script) {
    try (Connection connection = Server.connect();
        Statement statement = connection.createStatement()) {
      statement.execute(schema.in(script));
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
  }

  String text(String statement, Object... values) {
    try (Connection connection = Server.connect();
        PreparedStatement prepared = connection.prepareStatement(schema.in(statement))) {
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

  private static final String FUNCTION =
      """
      SELECT pg_get_functiondef(oid) FROM pg_proc
      WHERE proname = ? AND pronamespace = to_regnamespace(?)
      """;

  /** Changes a piece of a function, which must be there. */
  void alter(String function, String from, String to) {
    String old = text(FUNCTION, function, schema.name());
    if (old == null || !old.contains(from)) {
      throw new IllegalStateException(function + " has no " + from);
    }
    int at = old.indexOf(from);
    run(old.substring(0, at) + to + old.substring(at + from.length()));
  }

  private static void bind(PreparedStatement statement, Object... values) throws SQLException {
    for (int i = 0; i < values.length; i++) {
      statement.setObject(i + 1, values[i]);
    }
  }
}
