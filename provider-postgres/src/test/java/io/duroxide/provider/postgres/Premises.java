package io.duroxide.provider.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.concurrent.ConcurrentLinkedDeque;

/**
 * A schema with its connections. To make one takes longer than most tests, so the next test gets
 * what the last one left, emptied.
 *
 * @param schema also the name under which the connections are known to the server
 */
record Premises(String schema, HikariDataSource pool) {
  private static final int CONNECTIONS = 40;

  /** What has grown is not used again: the server may plan differently for it. */
  private static final long LARGEST_BYTES = 4 << 20;

  private static final ConcurrentLinkedDeque<Premises> VACANT = new ConcurrentLinkedDeque<>();

  static Premises take() {
    Premises vacant = VACANT.poll();
    while (vacant != null) {
      if (vacant.isCleared()) {
        return vacant;
      }
      vacant.leave();
      vacant = VACANT.poll();
    }
    return build();
  }

  static Premises build() {
    String schema = Server.newSchema();
    HikariConfig config = new HikariConfig();
    config.setJdbcUrl(Server.url());
    config.setMaximumPoolSize(CONNECTIONS);
    config.setMinimumIdle(0);
    config.addDataSourceProperty("ApplicationName", schema);
    return new Premises(schema, new HikariDataSource(config));
  }

  /** For a store with few connections. */
  PostgresOptions options() {
    return PostgresOptions.DEFAULT.withSchema(schema).withConnections(4);
  }

  /** A store that hears of nothing but what it does itself. */
  PostgresProvider openDeaf() {
    return PostgresProvider.open(
        pool, PostgresOptions.DEFAULT.withSchema(schema).withNotifications(false));
  }

  /** For the next test; neither the schema itself nor the connections were tampered with. */
  void giveBack() {
    VACANT.push(this);
  }

  /** For nobody any more. */
  void leave() {
    pool.close();
  }

  private static final String BUSY =
      """
      SELECT FROM pg_stat_activity
      WHERE application_name = ? AND state <> 'idle' AND pid <> pg_backend_pid()
      """;

  private static final String SIZE =
      """
      SELECT coalesce(sum(pg_total_relation_size(c.oid)), 0)::bigint
      FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
      WHERE n.nspname = ? AND c.relkind = 'r'
      """;

  private static final String CLEARING =
      """
      SELECT string_agg(statement, ';') FROM (
        SELECT format('DELETE FROM %I.%I', schemaname, tablename) AS statement
        FROM pg_tables WHERE schemaname = ? AND tablename NOT IN ('migration', 'function_file')
        UNION ALL
        SELECT format('SELECT setval(''%I.%I'', 1, false)', schemaname, sequencename)
        FROM pg_sequences WHERE schemaname = ?) AS all_of_it
      """;

  /**
   * Whether it is as good as new now; not if it has grown, somebody is still at work or the test
   * before has left a broken connection.
   */
  private boolean isCleared() {
    try (Connection connection = pool.getConnection()) {
      Sql sql = new Sql(connection, Schema.named(schema));
      boolean fit = !sql.exists(BUSY, schema) && sql.number(SIZE, schema) < LARGEST_BYTES;
      if (fit) {
        clear(connection, sql.first(CLEARING, row -> row.getString(1), schema, schema));
      }
      return fit;
    } catch (SQLException broken) {
      return false;
    }
  }

  /** There is nothing to clear if no test has opened a store yet. */
  private static void clear(Connection connection, String statements) throws SQLException {
    if (statements == null) {
      return;
    }
    try (Statement statement = connection.createStatement()) {
      statement.execute(statements);
    }
  }
}
