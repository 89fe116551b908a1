package io.duroxide.runtime;

import io.duroxide.provider.LockRenewal;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.RenewalAnswer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Answers the renewals of a store's locks instead of it; counts calls. Thread-safe. */
final class RenewalStubs {
  private final Map<String, Renewal> renewals = new ConcurrentHashMap<>();
  private final Map<String, RuntimeException> breaking = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> inUse = new ConcurrentHashMap<>();
  private final AtomicInteger names = new AtomicInteger();
  private final AtomicInteger calls = new AtomicInteger();

  /** Renews one lock. */
  @FunctionalInterface
  interface Renewal {
    void renew(Duration extendFor);
  }

  Provider before(Provider store) {
    return (Provider)
        Proxy.newProxyInstance(
            Provider.class.getClassLoader(),
            new Class<?>[] {Provider.class},
            (proxy, method, arguments) ->
                method.getName().equals("renewLocks")
                    ? renew((List<?>) arguments[0])
                    : call(store, method, arguments));
  }

  private static Object call(Provider store, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  /** A lock of its own name. */
  String add(Renewal renewal) {
    return add("lock " + names.incrementAndGet(), renewal);
  }

  String add(String token, Renewal renewal) {
    renewals.put(token, renewal);
    return token;
  }

  /** A lock that makes each call fail that renews it. */
  String addBreaking(RuntimeException failure) {
    String token = add(extension -> {});
    breaking.put(token, failure);
    return token;
  }

  /** The row of a lock is in use when it is renewed the next times. */
  void inUse(String token, int times) {
    inUse.put(token, new AtomicInteger(times));
  }

  int calls() {
    return calls.get();
  }

  private List<RenewalAnswer> renew(List<?> locks) {
    calls.incrementAndGet();
    List<RenewalAnswer> answers = new ArrayList<>();
    for (Object lock : locks) {
      answers.add(renew((LockRenewal) lock));
    }
    return answers;
  }

  private RenewalAnswer renew(LockRenewal lock) {
    String token = lock.lockToken();
    if (breaking.containsKey(token)) {
      throw breaking.get(token);
    }
    if (inUse.containsKey(token) && inUse.get(token).getAndDecrement() > 0) {
      return RenewalAnswer.IN_USE;
    }
    try {
      renewals.get(token).renew(lock.extendFor());
      return RenewalAnswer.RENEWED;
    } catch (ProviderException refusal) {
      return RenewalAnswer.refused(refusal);
    }
  }
}
