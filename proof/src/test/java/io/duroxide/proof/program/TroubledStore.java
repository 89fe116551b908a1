package io.duroxide.proof.program;

import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Stands before a store and lets some calls fail: some before they did anything, some after they
 * did everything. Thread-safe.
 */
final class TroubledStore {
  /** What asks no store, or is not asked for work. */
  private static final Set<String> SPARED =
      Set.of("now", "name", "version", "close", "localBus", "shortCuts", "health", "management");

  private static final int OF = 1_000;
  private static final int REFUSED = 15;
  private static final int LOST = 15;

  private final Random random;
  private final AtomicInteger count = new AtomicInteger();

  TroubledStore(long seed) {
    this.random = new Random(seed);
  }

  Provider before(Provider store) {
    return (Provider)
        Proxy.newProxyInstance(
            Provider.class.getClassLoader(),
            new Class<?>[] {Provider.class},
            (proxy, method, arguments) -> call(store, method, arguments));
  }

  /** How many calls have failed. */
  int count() {
    return count.get();
  }

  private Object call(Provider store, Method method, Object[] arguments) throws Throwable {
    int fate = SPARED.contains(method.getName()) ? OF : random.nextInt(OF);
    if (fate < REFUSED) {
      throw trouble(method);
    }
    try {
      Object answer = method.invoke(store, arguments);
      // The lock of a fetch without an answer has to run out, which takes long.
      if (fate < REFUSED + LOST && !method.getName().startsWith("fetch")) {
        throw trouble(method);
      }
      return answer;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private ProviderException trouble(Method method) {
    count.incrementAndGet();
    return new ProviderException(
        ProviderException.Kind.UNAVAILABLE, method.getName(), "the answer is lost");
  }
}
