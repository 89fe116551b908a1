package io.duroxide.provider.tck;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Objects;
import java.util.function.Predicate;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Memory that is short in one place: a JDBC driver throws an {@link OutOfMemoryError} there, once.
 * Places are the calls that a thread makes, in their order. For tests of stores that use JDBC.
 * Thread-safe.
 */
public class JdbcShortage {
  private final Scope scope;
  private @Nullable Strike armed;

  /** Which calls are places. */
  public enum Scope {
    /** All of them. */
    EVERY_CALL,
    /**
     * Not those that set or get one value, which are many and all alike, nor those that close a
     * connection: it would be lost to its pool.
     */
    STATEMENTS
  }

  /** Whether the call that fails has done its work before. */
  public enum When {
    BEFORE,
    AFTER
  }

  private static final class Strike {
    final When when;
    final Predicate<Thread> victim;
    int left;

    Strike(int place, When when, Predicate<Thread> victim) {
      this.left = place;
      this.when = when;
      this.victim = victim;
    }
  }

  public JdbcShortage(Scope scope) {
    this.scope = scope;
  }

  /** The call after {@code place} others of a victim will fail. */
  public final synchronized void arm(int place, When when, Predicate<Thread> victim) {
    armed = new Strike(place, when, victim);
  }

  /** False if the victims have made fewer calls. */
  public final synchronized boolean disarm() {
    boolean struck = armed == null;
    armed = null;
    return struck;
  }

  public final DataSource on(DataSource source) {
    return proxy(DataSource.class, source);
  }

  public final Connection on(Connection connection) {
    return proxy(Connection.class, connection);
  }

  /** A place that is no call of the driver. */
  public final void pass() {
    pass(When.BEFORE);
  }

  /** Called before each call of the driver; does nothing. */
  protected void before(String method) throws InterruptedException {}

  private @Nullable Object call(Object target, Method method, Object @Nullable [] arguments)
      throws Throwable {
    before(method.getName());
    boolean strikesAfter = isPlace(target, method.getName()) && pass(When.BEFORE);
    Object result = invoke(target, method, arguments);
    if (strikesAfter) {
      throw new OutOfMemoryError("made");
    }
    return switch (result) {
      case Connection connection when !method.getName().equals("unwrap") ->
          proxy(Connection.class, connection);
      case PreparedStatement statement -> proxy(PreparedStatement.class, statement);
      case Statement statement -> proxy(Statement.class, statement);
      case ResultSet rows -> proxy(ResultSet.class, rows);
      case null, default -> result;
    };
  }

  private boolean isPlace(Object target, String method) {
    if (scope == Scope.EVERY_CALL) {
      return true;
    }
    boolean value = target instanceof PreparedStatement && method.startsWith("set");
    boolean column = target instanceof ResultSet && method.startsWith("get");
    boolean returns = target instanceof Connection && method.equals("close");
    return !value && !column && !returns;
  }

  /** Throws if this place is struck before its work; true if it is struck after it. */
  private synchronized boolean pass(When now) {
    Strike strike = armed;
    if (strike == null || !strike.victim.test(Thread.currentThread()) || strike.left-- > 0) {
      return false;
    }
    armed = null;
    if (strike.when == now) {
      throw new OutOfMemoryError("made");
    }
    return true;
  }

  private <T> T proxy(Class<T> type, T target) {
    return type.cast(
        Proxy.newProxyInstance(
            JdbcShortage.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> call(target, method, arguments)));
  }

  private static @Nullable Object invoke(
      Object target, Method method, Object @Nullable [] arguments) throws Throwable {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException failure) {
      throw Objects.requireNonNull(failure.getCause());
    }
  }
}
