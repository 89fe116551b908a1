package io.duroxide.e2e;

import io.duroxide.provider.Provider;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/** A store that tells of each call once it has taken effect. */
final class ObservedStore {
  private ObservedStore() {}

  /**
   * Called after each call that succeeded and did something; what it throws reaches the caller
   * instead.
   */
  @FunctionalInterface
  interface Observer {
    void called(String operation, List<Object> arguments);
  }

  static Provider of(Provider store, Observer observer) {
    return (Provider)
        Proxy.newProxyInstance(
            Provider.class.getClassLoader(),
            new Class<?>[] {Provider.class},
            (proxy, method, arguments) -> {
              Object result;
              try {
                result = method.invoke(store, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
              if (!method.getName().equals("commitTurn") || !result.equals(Optional.empty())) {
                observer.called(
                    method.getName(), arguments == null ? List.of() : Arrays.asList(arguments));
              }
              return result;
            });
  }
}
