package io.duroxide.proof.chaos;

import io.duroxide.proof.check.Entry;
import io.duroxide.proof.check.Ledger;
import io.duroxide.provider.LockRenewal;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.TurnSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Stands before the store of a node and knows by when each lock of a turn has certainly ended: its
 * length after the answer that told of it. A turn that is sent later than that and stored all the
 * same is written down. Thread-safe.
 */
final class LockWitness {
  /** While a renewal is under way nobody knows. */
  private static final long UNKNOWN = Long.MAX_VALUE;

  /** Clocks are read in milliseconds. */
  private static final long ROUNDING = 5;

  private final Ledger ledger;
  private final String node;
  private final Map<String, Long> ends = new ConcurrentHashMap<>();

  LockWitness(Ledger ledger, String node) {
    this.ledger = ledger;
    this.node = node;
  }

  Provider before(Provider store) {
    return (Provider)
        Proxy.newProxyInstance(
            Provider.class.getClassLoader(),
            new Class<?>[] {Provider.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "fetchOrchestrationItems" -> fetch(store, method, arguments);
                  case "renewLocks" -> renew(store, method, arguments);
                  case "commitTurn" -> commit(store, method, arguments);
                  default -> call(store, method, arguments);
                });
  }

  private static @Nullable Object call(Provider store, Method method, @Nullable Object[] arguments)
      throws Throwable {
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private Object fetch(Provider store, Method method, Object[] arguments) throws Throwable {
    List<?> fetched = (List<?>) call(store, method, arguments);
    Duration length = ((OrchestrationFetch) arguments[0]).lockTimeout();
    for (Object item : fetched) {
      ends.put(((LockedOrchestration) item).lockToken(), endOf(length));
    }
    return fetched;
  }

  private static long endOf(Duration length) {
    return System.currentTimeMillis() + length.toMillis();
  }

  /** One that failed may have happened. */
  private @Nullable Object renew(Provider store, Method method, Object[] arguments)
      throws Throwable {
    List<LockRenewal> renewals =
        ((List<?>) arguments[0]).stream().map(LockRenewal.class::cast).toList();
    renewals.forEach(renewal -> ends.replace(renewal.lockToken(), UNKNOWN));
    try {
      return call(store, method, arguments);
    } finally {
      renewals.forEach(renewal -> ends.replace(renewal.lockToken(), endOf(renewal.extendFor())));
    }
  }

  /** One that failed may have happened, and is then recognised however late it is repeated. */
  private @Nullable Object commit(Provider store, Method method, Object[] arguments)
      throws Throwable {
    if (!(arguments[0] instanceof TurnSource.Fetched fetched)) {
      return call(store, method, arguments);
    }
    String token = fetched.lockToken();
    Long end = ends.remove(token);
    long late = end == null ? 0 : System.currentTimeMillis() - end;
    Object answer = call(store, method, arguments);
    if (late > ROUNDING) {
      ledger.add(new Entry.Overdue(node, token, late, System.currentTimeMillis()));
    }
    return answer;
  }
}
