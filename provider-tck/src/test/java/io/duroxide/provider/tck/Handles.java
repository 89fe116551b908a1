package io.duroxide.provider.tck;

import io.duroxide.provider.Provider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Objects;

/** Providers that let someone look at each call to another provider. */
final class Handles {
  private Handles() {}

  /** Makes the call, or something else happen. */
  @FunctionalInterface
  interface Interceptor {
    Object intercept(Call call) throws Throwable;
  }

  /** One call. */
  static final class Call {
    private final Object target;
    private final Method method;
    private final Object[] arguments;

    private Call(Object target, Method method, Object[] arguments) {
      this.target = target;
      this.method = method;
      this.arguments = arguments;
    }

    Object target() {
      return target;
    }

    String operation() {
      return method.getName();
    }

    boolean is(String name) {
      return operation().equals(name);
    }

    Object argument(int position) {
      return arguments[position];
    }

    void replace(int position, Object argument) {
      arguments[position] = argument;
    }

    Object proceed() throws Throwable {
      try {
        return method.invoke(target, arguments);
      } catch (InvocationTargetException e) {
        throw Objects.requireNonNull(e.getCause());
      }
    }
  }

  static Provider intercept(Provider target, Interceptor interceptor) {
    return intercept(Provider.class, target, interceptor);
  }

  /** A {@code target} whose calls go through {@code interceptor}. */
  static <T> T intercept(Class<T> type, T target, Interceptor interceptor) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (handle, method, arguments) ->
                interceptor.intercept(new Call(target, method, arguments))));
  }
}
