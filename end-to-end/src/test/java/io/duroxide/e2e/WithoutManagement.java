package io.duroxide.e2e;

import io.duroxide.provider.Provider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Optional;

/** A store that offers nothing to operators. */
final class WithoutManagement {
  private WithoutManagement() {}

  static Provider of(Provider store) {
    return (Provider)
        Proxy.newProxyInstance(
            Provider.class.getClassLoader(),
            new Class<?>[] {Provider.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("management")) {
                return Optional.empty();
              }
              try {
                return method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
