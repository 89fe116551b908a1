package io.duroxide.runtime;

import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderAdmin;
import io.duroxide.provider.ProviderException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Stands before a store and lets its operations fail when told to. */
final class Faults {
  private final Map<String, ProviderException.Kind> failing = new HashMap<>();
  private final Map<String, ProviderException.Kind> failingOnce = new HashMap<>();

  /** From now on calls fail that are written as an operation, or with its first argument. */
  void fail(String call, ProviderException.Kind kind) {
    failing.put(call, kind);
  }

  /** As {@link #fail}, for one call. */
  void failOnce(String call, ProviderException.Kind kind) {
    failingOnce.put(call, kind);
  }

  void heal() {
    failing.clear();
  }

  Provider before(Provider store) {
    return before(Provider.class, store);
  }

  private <T> T before(Class<T> type, T inner) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call(inner, method, arguments)));
  }

  private Object call(Object inner, Method method, Object[] arguments) throws Throwable {
    check(method.getName());
    if (arguments != null) {
      check(method.getName() + " " + arguments[0]);
    }
    try {
      Object answer = method.invoke(inner, arguments);
      return answer instanceof Optional<?> found
          ? found.map(value ->
              value instanceof ProviderAdmin admin ? before(ProviderAdmin.class, admin) : value)
          : answer;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private void check(String call) {
    ProviderException.Kind once = failingOnce.remove(call);
    ProviderException.Kind kind = once == null ? failing.get(call) : once;
    if (kind != null) {
      throw new ProviderException(kind, call, "injected");
    }
  }
}
