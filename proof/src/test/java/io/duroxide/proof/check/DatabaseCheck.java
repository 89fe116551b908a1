package io.duroxide.proof.check;

import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** IV-25: the database finds nothing wrong with itself. */
final class DatabaseCheck implements InvariantCheck {

  /** Every row of a table has its entry in each index, and entries are in order. */
  private static final String INDEXES =
      """
      SELECT c.relname, bt_index_check(c.oid, true)
      FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am a ON a.oid = c.relam
      WHERE a.amname = 'btree' AND c.relnamespace = 'duroxide'::regnamespace
      """;

  private static final String TABLES =
      """
      SELECT c.relname || ': ' || v.msg
      FROM pg_class c, LATERAL verify_heapam(c.oid) v
      WHERE c.relkind = 'r' AND c.relnamespace = 'duroxide'::regnamespace
      """;

  @Override
  public List<Breach> breaches(Evidence evidence) {
    Breaches breaches = new Breaches();
    try (Connection connection = DriverManager.getConnection(evidence.address());
        Statement statement = connection.createStatement()) {
      if (evidence.address().startsWith("jdbc:sqlite:")) {
        List<String> said = column(statement, "PRAGMA integrity_check");
        breaches.unless(said.equals(List.of("ok")), "IV-25", "file", said.toString());
      } else {
        statement.execute("CREATE EXTENSION IF NOT EXISTS amcheck");
        column(statement, INDEXES);
        column(statement, TABLES).forEach(text -> breaches.add("IV-25", "table", text));
      }
    } catch (SQLException e) {
      breaches.add("IV-25", "database", e.getMessage());
    }
    return breaches.all();
  }

  private static List<String> column(Statement statement, String query) throws SQLException {
    List<String> column = new ArrayList<>();
    try (ResultSet rows = statement.executeQuery(query)) {
      while (rows.next()) {
        column.add(rows.getString(1));
      }
    }
    return column;
  }
}
