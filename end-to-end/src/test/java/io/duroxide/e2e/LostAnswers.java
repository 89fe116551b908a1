package io.duroxide.e2e;

import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A store that commits but whose answer gets lost: every acknowledgement takes effect and then
 * fails as if the connection had broken. Thread-safe.
 */
final class LostAnswers {
  private static final Set<String> ACKS = Set.of("ackOrchestrationItem", "ackWorkItem");

  private final AtomicInteger lost = new AtomicInteger();

  /** How many answers got lost. */
  int lost() {
    return lost.get();
  }

  Provider around(Provider store) {
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
              if (ACKS.contains(method.getName())) {
                lost.incrementAndGet();
                throw new ProviderException(
                    ProviderException.Kind.UNAVAILABLE, method.getName(), "connection lost");
              }
              return result;
            });
  }
}
