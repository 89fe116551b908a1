package io.duroxide.provider.postgres;

import io.duroxide.provider.tck.FaultKind;
import io.duroxide.provider.tck.FaultPoint;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/**
 * Connections that count what runs on them and fail when a test wants it. A connection that was
 * lost is really cut off. Thread-safe.
 *
 * <p>An operation is one statement here, a function of many. A fault after no statement strikes
 * before it reaches the server; after one, when all of it was done and nothing is committed.
 */
final class FaultySource {
  private static final Set<String> RUNS = Set.of("execute", "executeUpdate", "executeQuery");

  private final DataSource source;
  private final Set<Connection> open = ConcurrentHashMap.newKeySet();
  private final AtomicLong trips = new AtomicLong();
  private final AtomicLong statements = new AtomicLong();
  private final Map<Thread, Integer> users = new ConcurrentHashMap<>();
  private final AtomicBoolean refusing = new AtomicBoolean();
  private final AtomicBoolean garbled = new AtomicBoolean();
  private volatile String unloadable;
  private Fault armed;

  /** A fault that waits for its statement. */
  private record Fault(FaultPoint point, FaultKind kind) {}

  FaultySource(DataSource source) {
    this.source = source;
  }

  synchronized void arm(FaultPoint point, FaultKind kind) {
    armed = new Fault(point, kind);
  }

  /** From now on no event of this instance can be read. */
  void makeUnloadable(String instance) {
    unloadable = "\"instance_id\":\"" + instance + "\"";
  }

  private Object limited(Object result) {
    String marker = unloadable;
    return marker != null && result instanceof ResultSet rows
        ? proxy(
            ResultSet.class,
            (method, arguments) -> {
              Object value = invoke(rows, method, arguments);
              if (value instanceof String text && text.contains(marker)) {
                throw new OutOfMemoryError("made");
              }
              return value;
            })
        : result;
  }

  synchronized void heal() {
    armed = null;
  }

  /** The server accepts the next connection but one. */
  void refuseOnce() {
    refusing.set(true);
  }

  /** The next answer cannot be read. */
  void garble() {
    garbled.set(true);
  }

  /** How often the server was asked something; what nodes tell each other does not count. */
  long trips() {
    return trips.get();
  }

  void forgetUsers() {
    users.clear();
  }

  /** How many connections a thread has asked for since users were forgotten. */
  int usesBy(Thread thread) {
    return users.getOrDefault(thread, 0);
  }

  long statements() {
    return statements.get();
  }

  /** For a node that nobody cuts off. */
  DataSource asSource() {
    return asSource(new AtomicBoolean());
  }

  /**
   * For one node.
   *
   * @param dead cuts it off, once it is true
   */
  DataSource asSource(AtomicBoolean dead) {
    return proxy(
        DataSource.class,
        (method, arguments) ->
            method.getName().equals("getConnection")
                ? connect(dead)
                : invoke(source, method, arguments));
  }

  private Connection connect(AtomicBoolean dead) throws SQLException {
    checkReachable(dead);
    users.merge(Thread.currentThread(), 1, Integer::sum);
    Connection connection = source.getConnection();
    open.add(connection);
    return proxy(
        Connection.class,
        (method, arguments) -> {
          if (dead.get() && method.getName().equals("prepareStatement")) {
            connection.abort(Runnable::run);
            throw failure(FaultKind.CONNECTION_LOST);
          }
          if (method.getName().equals("close")) {
            open.remove(connection);
          }
          Object result = invoke(connection, method, arguments);
          return method.getName().equals("prepareStatement")
              ? statement(connection, (PreparedStatement) result, (String) arguments[0])
              : result;
        });
  }

  private synchronized void checkReachable(AtomicBoolean dead) throws SQLException {
    boolean unreachable = armed != null && armed.kind() == FaultKind.UNREACHABLE;
    if (dead.get() || unreachable || refusing.getAndSet(false)) {
      throw failure(FaultKind.UNREACHABLE);
    }
  }

  private PreparedStatement statement(
      Connection connection, PreparedStatement prepared, String text) {
    return proxy(
        PreparedStatement.class,
        (method, arguments) -> {
          if (method.getName().equals("getResultSet") && garbled.getAndSet(false)) {
            throw new IllegalStateException("made to be unreadable");
          }
          if (!RUNS.contains(method.getName()) || text.contains("pg_notify")) {
            return limited(invoke(prepared, method, arguments));
          }
          trips.incrementAndGet();
          statements.addAndGet(text.split(";", -1).length);
          Fault fault = take();
          if (fault == null) {
            return limited(invoke(prepared, method, arguments));
          }
          strike(connection, fault, () -> invoke(prepared, method, arguments));
          throw failure(fault.kind());
        });
  }

  /** The fault that strikes the next statement; one that makes the server unreachable goes on. */
  private synchronized Fault take() {
    Fault fault = armed;
    if (fault == null || fault.point().statement() > 1) {
      return null;
    }
    if (fault.kind() != FaultKind.UNREACHABLE) {
      armed = null;
    }
    return fault;
  }

  /** A statement. */
  @FunctionalInterface
  private interface Run {
    Object run() throws Throwable;
  }

  private void strike(Connection connection, Fault fault, Run run) throws Throwable {
    if (fault.point().equals(FaultPoint.AFTER_COMMIT)) {
      run.run();
    } else if (fault.point().statement() == 1) {
      connection.setAutoCommit(false);
      run.run();
      connection.rollback();
      connection.setAutoCommit(true);
    }
    switch (fault.kind()) {
      case CONNECTION_LOST -> connection.abort(Runnable::run);
      case SERVER_RESTART -> {
        for (Connection each : open) {
          each.abort(Runnable::run);
        }
      }
      case ERROR -> throw new OutOfMemoryError("made");
      case DEADLOCK, SERIALIZATION_FAILURE, UNREACHABLE -> {}
    }
  }

  private static SQLException failure(FaultKind kind) {
    PSQLState state =
        switch (kind) {
          case CONNECTION_LOST -> PSQLState.CONNECTION_FAILURE;
          case SERVER_RESTART -> PSQLState.CONNECTION_FAILURE_DURING_TRANSACTION;
          case DEADLOCK -> PSQLState.DEADLOCK_DETECTED;
          case SERIALIZATION_FAILURE -> PSQLState.SERIALIZATION_FAILURE;
          case UNREACHABLE, ERROR -> PSQLState.CONNECTION_UNABLE_TO_CONNECT;
        };
    return new PSQLException("made to fail", state);
  }

  /** What a proxy does. */
  @FunctionalInterface
  private interface Handler {
    Object call(Method method, Object[] arguments) throws Throwable;
  }

  private static <T> T proxy(Class<T> type, Handler handler) {
    return type.cast(
        Proxy.newProxyInstance(
            FaultySource.class.getClassLoader(),
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
