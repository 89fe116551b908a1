package io.duroxide.provider.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * Where connections come from.
 *
 * @param source for operations
 * @param direct for the one connection that listens
 * @param owned the pool to close with the provider; null if it is the user's
 */
record Pool(DataSource source, DataSource direct, @Nullable HikariDataSource owned) {
  /** The pool waits no shorter than this. */
  private static final long SHORTEST_WAIT_MILLIS = 250;

  private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(10);
  private static final Duration VALIDATION_TIMEOUT = Duration.ofSeconds(5);

  /** A pool that the user has made and closes. */
  static Pool of(DataSource source) {
    return new Pool(source, source, null);
  }

  /** A pool of the provider's own. */
  static Pool open(String url, PostgresOptions options) {
    PGSimpleDataSource server = server(url, options);
    HikariConfig config = new HikariConfig();
    config.setDataSource(server);
    config.setPoolName("duroxide-postgres-" + options.schema());
    config.setMaximumPoolSize(options.connections());
    config.setMinimumIdle(Math.min(options.lanes(), options.connections()));
    long patience = Math.max(SHORTEST_WAIT_MILLIS, options.patience().toMillis());
    config.setConnectionTimeout(patience);
    config.setValidationTimeout(Math.min(patience, VALIDATION_TIMEOUT.toMillis()));
    // A server that is away must not fail the pool, but the first statement.
    config.setInitializationFailTimeout(-1);
    HikariDataSource pool = new HikariDataSource(config);
    return new Pool(pool, server, pool);
  }

  /** What the address says itself stands. */
  static PGSimpleDataSource server(String url, PostgresOptions options) {
    PGSimpleDataSource server = new PGSimpleDataSource();
    try {
      server.setUrl(url);
    } catch (IllegalArgumentException malformed) {
      throw Refusal.invalid(
          "open", "that is no address such as jdbc:postgresql://host:5432/database");
    }
    Properties said = Objects.requireNonNullElseGet(Driver.parseURL(url, null), Properties::new);
    if (!PGProperty.SOCKET_TIMEOUT.isPresent(said)) {
      server.setSocketTimeout(seconds(options.answerTimeout()));
    }
    if (!PGProperty.CONNECT_TIMEOUT.isPresent(said)) {
      server.setConnectTimeout(seconds(CONNECT_TIMEOUT));
    }
    if (!PGProperty.APPLICATION_NAME.isPresent(said)) {
      server.setApplicationName("duroxide");
    }
    server.setTcpKeepAlive(true);
    return server;
  }

  private static int seconds(Duration timeout) {
    return Math.toIntExact(Math.max(1, timeout.toSeconds()));
  }

  void close() {
    if (owned != null) {
      owned.close();
    }
  }
}
