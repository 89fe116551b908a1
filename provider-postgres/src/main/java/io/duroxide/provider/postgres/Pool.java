package io.duroxide.provider.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import io.duroxide.provider.StoreThreads;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.Driver;
import org.postgresql.PGProperty;
import org.postgresql.ds.PGSimpleDataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.postgres");
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);
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
    long patience = Math.max(SHORTEST_WAIT_MILLIS, options.waits().patience().toMillis());
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
      server.setUrl(JdbcAddress.checked(url));
    } catch (IllegalArgumentException malformed) {
      throw Refusal.invalid("open", JdbcAddress.UNREADABLE);
    }
    Properties said = Objects.requireNonNullElseGet(Driver.parseURL(url, null), Properties::new);
    if (!PGProperty.SOCKET_TIMEOUT.isPresent(said)) {
      server.setSocketTimeout(seconds(options.waits().answerTimeout()));
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

  /** Operations give up after their patience; a pool that waits longer ties up their threads. */
  void warnOfTimeout(Duration patience) {
    if (owned == null
        && source instanceof HikariDataSource given
        && given.getConnectionTimeout() > patience.toMillis()) {
      LOG.warn(
          "the pool waits {} ms for a connection and the store has patience for {} ms; shorten the"
              + " one or lengthen the other",
          given.getConnectionTimeout(),
          patience.toMillis());
    }
  }

  /** The pool is given some time to end its connections, and ends the others later. */
  void close(StoreThreads threads) {
    if (owned == null) {
      return;
    }
    Thread closer = threads.single("closer", owned::close);
    closer.start();
    try {
      boolean ended = closer.join(CLOSE_LIMIT);
      LOG.debug("the pool was closed in time: {}", ended);
    } catch (InterruptedException later) {
      Thread.currentThread().interrupt();
    }
  }
}
