package io.duroxide.provider.postgres;

import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.SystemTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.sql.DataSource;

/**
 * The database, for what needs no lane.
 *
 * <p>Callers are served by threads of the store: so many that connections are left for the lanes,
 * the others wait their turn. The caller's own thread touches no connection, as an interrupt would
 * break it. Thread-safe.
 */
final class Store {
  private static final int REPEATS = 5;
  private static final int IDLE_SECONDS = 30;

  /** For the step that needs no lane. */
  private static final int SPARE = 1;

  private final DataSource source;
  private final Schema schema;
  private final StoreClock clock;
  private final Duration patience;
  private final ThreadPoolExecutor readers;
  private final LongSupplier nanos = SystemTime.nanos();
  private final Pauses pauses = new Pauses();

  Store(DataSource source, Schema schema, StoreClock clock, PostgresOptions options) {
    this.source = source;
    this.schema = schema;
    this.clock = clock;
    this.patience = options.patience();
    this.readers = newReaders(Math.max(1, options.connections() - options.lanes() - SPARE));
  }

  private ThreadPoolExecutor newReaders(int count) {
    ThreadFactory threads =
        Thread.ofPlatform()
            .name("duroxide-postgres-read " + schema.name() + " ", 1)
            .daemon()
            .factory();
    ThreadPoolExecutor executor =
        new ThreadPoolExecutor(
            count, count, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), threads);
    executor.allowCoreThreadTimeOut(true);
    return executor;
  }

  /** Something done with a connection. */
  @FunctionalInterface
  interface Query<T> {
    T run(Sql sql) throws SQLException;
  }

  Schema schema() {
    return schema;
  }

  StoreClock clock() {
    return clock;
  }

  Duration patience() {
    return patience;
  }

  /** A connection on which each statement is a transaction. */
  Connection connection() throws SQLException {
    Connection connection = source.getConnection();
    try {
      if (!connection.getAutoCommit()) {
        connection.setAutoCommit(true);
      }
      return connection;
    } catch (SQLException failure) {
      connection.close();
      throw failure;
    }
  }

  /** Reads; repeated if a connection turns out to be stale, or what it had prepared. */
  <T> T read(String operation, Query<T> query) {
    return use(operation, query);
  }

  /** Changes something in one transaction; repeated only if it was surely undone. */
  <T> T change(String operation, Query<T> query) {
    return use(operation, sql -> inTransaction(sql.connection(), query));
  }

  /** Waits for the answer; an interrupt is kept for later. */
  private <T> T use(String operation, Query<T> query) {
    checkOpen(operation);
    long deadline = nanos.getAsLong() + patience.toNanos();
    try {
      return CompletableFuture.supplyAsync(() -> tried(operation, query, deadline), readers).join();
    } catch (RejectedExecutionException late) {
      throw Refusal.closed(operation);
    } catch (CompletionException wrapped) {
      if (wrapped.getCause() instanceof RuntimeException failure) {
        throw failure;
      }
      throw wrapped;
    }
  }

  private <T> T tried(String operation, Query<T> query, long deadline) {
    if (deadline - nanos.getAsLong() <= 0) {
      throw new ProviderException(
          Kind.UNAVAILABLE,
          operation,
          "all connections were busy for " + patience + "; try again, or allow more connections");
    }
    for (int tries = 1; ; tries++) {
      checkOpen(operation);
      try (Connection connection = connection()) {
        return run(query, connection);
      } catch (SQLException failure) {
        if (deadline - nanos.getAsLong() <= 0 || !mayRepeat(failure, tries)) {
          throw Trouble.of(operation, failure);
        }
      }
      pauses.take(tries);
    }
  }

  private <T> T run(Query<T> query, Connection connection) throws SQLException {
    try {
      return query.run(new Sql(connection, schema));
    } catch (SQLException failure) {
      Trouble.cutOff(connection, failure);
      throw failure;
    }
  }

  private static boolean mayRepeat(SQLException failure, int tries) {
    return switch (Trouble.remedy(failure)) {
      case REPEAT -> tries <= REPEATS;
      case RECONNECT -> !(failure instanceof LostCommit);
      case ELSEWHERE -> true;
      case NONE -> false;
    };
  }

  private <T> T inTransaction(Connection connection, Query<T> query) throws SQLException {
    connection.setAutoCommit(false);
    try {
      T result = query.run(new Sql(connection, schema));
      commit(connection);
      connection.setAutoCommit(true);
      return result;
    } catch (SQLException | RuntimeException failure) {
      undo(connection, failure);
      throw failure;
    }
  }

  private static void commit(Connection connection) throws SQLException {
    try {
      connection.commit();
    } catch (SQLException failure) {
      throw new LostCommit(failure);
    }
  }

  /** A commit without an answer: it may have been done. */
  private static final class LostCommit extends SQLException {
    private static final long serialVersionUID = 1L;

    LostCommit(SQLException cause) {
      super(cause.getMessage(), cause.getSQLState(), cause);
    }
  }

  /** What a broken connection cannot undo, the server does. */
  private static void undo(Connection connection, Exception failure) {
    try {
      connection.rollback();
      connection.setAutoCommit(true);
    } catch (SQLException broken) {
      failure.addSuppressed(broken);
    }
  }

  void checkOpen(String operation) {
    if (pauses.isOver()) {
      throw Refusal.closed(operation);
    }
  }

  void close() {
    pauses.end();
    readers.shutdown();
  }
}
