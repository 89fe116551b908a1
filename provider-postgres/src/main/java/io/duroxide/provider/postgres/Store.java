package io.duroxide.provider.postgres;

import io.duroxide.provider.PooledCall;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ProviderException.Kind;
import io.duroxide.provider.StoreThreads;
import io.duroxide.provider.SystemTime;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.function.LongSupplier;
import javax.sql.DataSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The database, for what needs no lane.
 *
 * <p>Callers are served by threads of the store: so many that connections are left for the lanes,
 * the others wait their turn. The caller's own thread touches no connection, as an interrupt would
 * break it. Thread-safe.
 */
final class Store {
  private static final Logger LOG = LoggerFactory.getLogger("io.duroxide.providers.postgres");
  private static final int REPEATS = 5;
  private static final Duration IDLE = Duration.ofSeconds(30);

  /** For the step that needs no lane. */
  private static final int SPARE = 1;

  private final DataSource source;
  private final Schema schema;
  private final StoreClock clock;
  private final Duration patience;
  private final StoreThreads threads;
  private final ThreadPoolExecutor readers;
  private final LongSupplier nanos = SystemTime.nanos();
  private final Pauses pauses = new Pauses();

  Store(DataSource source, Schema schema, StoreClock clock, PostgresOptions options) {
    this(source, schema, clock, options, newThreads(schema));
  }

  static StoreThreads newThreads(Schema schema) {
    return new StoreThreads("duroxide-postgres", schema.name(), LOG);
  }

  Store(
      DataSource source,
      Schema schema,
      StoreClock clock,
      PostgresOptions options,
      StoreThreads threads) {
    this.source = source;
    this.schema = schema;
    this.clock = clock;
    this.patience = options.waits().patience();
    this.threads = threads;
    int readerCount = Math.max(1, options.connections() - options.lanes() - SPARE);
    this.readers = threads.pool("reader", readerCount, IDLE);
  }

  /** Something done with a connection. */
  @FunctionalInterface
  interface Query<T> {
    T run(Sql sql) throws SQLException;
  }

  /** Makes all threads of this store. */
  StoreThreads threads() {
    return threads;
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
    } catch (Error failure) {
      Trouble.cutOff(connection, failure);
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
    Borrowing borrowing = new Borrowing();
    PooledCall<T> call =
        new PooledCall<>(
            operation,
            () -> tried(operation, query, borrowing, deadline),
            () -> hurry(borrowing, deadline));
    try {
      return call.on(readers, threads.callers(), failure -> Trouble.told(operation, failure));
    } catch (RejectedExecutionException late) {
      throw Refusal.closed(operation);
    }
  }

  /** Whoever is late does not wait for a connection any longer. */
  private void hurry(Borrowing borrowing, long deadline) {
    if (deadline - nanos.getAsLong() <= 0) {
      borrowing.hurry(0);
    }
  }

  private <T> T tried(String operation, Query<T> query, Borrowing borrowing, long deadline) {
    if (deadline - nanos.getAsLong() <= 0) {
      throw new ProviderException(
          Kind.UNAVAILABLE,
          operation,
          "all connections were busy for " + patience + "; try again, or allow more connections");
    }
    for (int tries = 1; ; tries++) {
      checkOpen(operation);
      try (Connection connection = borrowing.from(this)) {
        return run(query, connection);
      } catch (SQLException failure) {
        borrowing.calm();
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
    } catch (Error failure) {
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
    threads.check(operation);
  }

  void close() {
    pauses.end();
    threads.close();
    readers.shutdown();
  }
}
