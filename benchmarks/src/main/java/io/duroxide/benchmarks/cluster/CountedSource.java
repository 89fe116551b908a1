package io.duroxide.benchmarks.cluster;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/** Counts how often the server is asked to do something. Thread-safe. */
final class CountedSource {
  private static final Set<String> TRIPS =
      Set.of("execute", "executeQuery", "executeUpdate", "executeBatch", "commit", "rollback");

  private final AtomicLong trips = new AtomicLong();

  long trips() {
    return trips.get();
  }

  DataSource on(DataSource source) {
    return proxy(DataSource.class, source);
  }

  private <T> T proxy(Class<T> type, Object target) {
    return type.cast(
        Proxy.newProxyInstance(
            CountedSource.class.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> counted(target, method, arguments)));
  }

  private @Nullable Object counted(
      Object target, Method method, @Nullable Object @Nullable [] arguments) throws Exception {
    if (TRIPS.contains(method.getName())) {
      trips.incrementAndGet();
    }
    Object result = invoke(target, method, arguments);
    return switch (result) {
      case PreparedStatement prepared -> proxy(PreparedStatement.class, prepared);
      case Statement statement -> proxy(Statement.class, statement);
      case Connection connection when !method.getName().equals("unwrap") ->
          proxy(Connection.class, connection);
      case null, default -> result;
    };
  }

  private static @Nullable Object invoke(
      Object target, Method method, @Nullable Object @Nullable [] arguments) throws Exception {
    try {
      return method.invoke(target, arguments);
    } catch (InvocationTargetException failure) {
      if (failure.getCause() instanceof SQLException cause) {
        throw cause;
      }
      throw failure;
    }
  }
}
