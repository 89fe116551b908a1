package io.duroxide.provider.sqlite;

import io.duroxide.provider.tck.FaultKind;
import io.duroxide.provider.tck.FaultPoint;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.sqlite.SQLiteErrorCode;
import org.sqlite.SQLiteException;

/**
 * Connections that count what runs on them and fail when a test wants it. A connection that was
 * lost is really closed: its transaction is gone, and every later statement on it fails.
 * Thread-safe.
 */
final class FaultyConnections implements Connections {
  private static final Set<String> RUNS = Set.of("execute", "executeUpdate", "executeQuery");

  private final Connections connections;
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong statements = new AtomicLong();
  private final AtomicLong transactions = new AtomicLong();
  private volatile String unloadable;
  private Fault armed;

  /** A fault that waits for its statement, in the transaction of its victim. */
  private static final class Fault {
    final FaultPoint point;
    final FaultKind kind;
    Connection victim;
    int passed;

    Fault(FaultPoint point, FaultKind kind) {
      this.point = point;
      this.kind = kind;
    }
  }

  FaultyConnections(Connections connections) {
    this.connections = connections;
  }

  synchronized void arm(FaultPoint point, FaultKind kind) {
    armed = new Fault(point, kind);
  }

  /** From now on no event of this instance can be read. */
  void makeUnloadable(String instance) {
    unloadable = "\"instance_id\":\"" + instance + "\"";
  }

  synchronized void heal() {
    armed = null;
  }

  /** How many statements were run. */
  long statements() {
    return statements.get();
  }

  /** How many transactions were begun. */
  long transactions() {
    return transactions.get();
  }

  @Override
  public Connection open() throws SQLException {
    checkReachable();
    Connection connection = connections.open();
    open.add(connection);
    return proxy(
        Connection.class,
        (method, arguments) -> {
          Object result = invoke(connection, method, arguments);
          return method.getName().equals("prepareStatement")
              ? statement(connection, (PreparedStatement) result, (String) arguments[0])
              : result;
        });
  }

  private synchronized void checkReachable() throws SQLException {
    if (armed != null && armed.kind == FaultKind.UNREACHABLE) {
      throw failure(FaultKind.UNREACHABLE);
    }
  }

  private PreparedStatement statement(
      Connection connection, PreparedStatement prepared, String text) {
    return proxy(
        PreparedStatement.class,
        (method, arguments) -> {
          if (!RUNS.contains(method.getName())) {
            return invoke(prepared, method, arguments);
          }
          count(text);
          strikeBefore(connection, text);
          Object result = invoke(prepared, method, arguments);
          strikeAfter(connection, text);
          return unloadable != null && result instanceof ResultSet rows ? limited(rows) : result;
        });
  }

  private ResultSet limited(ResultSet rows) {
    return proxy(
        ResultSet.class,
        (method, arguments) -> {
          Object value = invoke(rows, method, arguments);
          if (value instanceof String text && text.contains(unloadable)) {
            throw new OutOfMemoryError("made");
          }
          return value;
        });
  }

  private void count(String text) {
    statements.incrementAndGet();
    if (text.startsWith("BEGIN")) {
      transactions.incrementAndGet();
    }
  }

  private synchronized void strikeBefore(Connection connection, String text) throws SQLException {
    Fault fault = armed;
    if (fault == null) {
      return;
    }
    if (fault.kind == FaultKind.UNREACHABLE) {
      throw failure(fault.kind);
    }
    if (fault.victim == null && text.startsWith("BEGIN")) {
      fault.victim = connection;
    }
    if (!connection.equals(fault.victim) || fault.point.equals(FaultPoint.AFTER_COMMIT)) {
      return;
    }
    if (fault.passed++ == fault.point.statement()) {
      strike(fault, connection);
    }
  }

  private synchronized void strikeAfter(Connection connection, String text) throws SQLException {
    if (armed == null || !connection.equals(armed.victim) || !text.equals("COMMIT")) {
      return;
    }
    Fault fault = armed;
    armed = null;
    if (fault.point.equals(FaultPoint.AFTER_COMMIT)) {
      strike(fault, connection);
    }
  }

  private void strike(Fault fault, Connection connection) throws SQLException {
    armed = null;
    switch (fault.kind) {
      case CONNECTION_LOST -> lose(connection);
      case SERVER_RESTART -> {
        for (Connection each : open) {
          lose(each);
        }
      }
      case ERROR -> throw new OutOfMemoryError("made");
      case DEADLOCK, SERIALIZATION_FAILURE, UNREACHABLE -> {}
    }
    throw failure(fault.kind);
  }

  private void lose(Connection connection) throws SQLException {
    open.remove(connection);
    connection.close();
  }

  private static SQLException failure(FaultKind kind) {
    SQLiteErrorCode code =
        switch (kind) {
          case CONNECTION_LOST, SERVER_RESTART -> SQLiteErrorCode.SQLITE_IOERR_READ;
          case DEADLOCK -> SQLiteErrorCode.SQLITE_LOCKED;
          case SERIALIZATION_FAILURE -> SQLiteErrorCode.SQLITE_BUSY_SNAPSHOT;
          case UNREACHABLE, ERROR -> SQLiteErrorCode.SQLITE_CANTOPEN;
        };
    return new SQLiteException("made to fail: " + code.message, code);
  }

  /** What a proxy does. */
  @FunctionalInterface
  private interface Handler {
    Object call(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            FaultyConnections.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> handler.call(method, arguments)));
  }

  private static Object invoke(Object target, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException failure) {
      throw Objects.requireNonNull(failure.getCause());
    }
  }
}
