package io.duroxide.e2e;

import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.Subscription;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.WorkClaim;
import io.duroxide.provider.WorkFetch;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Stands before a store, forwards everything and misbehaves where a test asks for it; install with
 * {@code world.decorate(faults::on)}. Operations are named as in {@link Provider}. Thread-safe.
 */
final class Faults {
  /** Calls that even a store that is down answers. */
  private static final Set<String> ALWAYS =
      Set.of("now", "name", "version", "close", "watch", "beginStarts");

  /** A failure that the next calls meet. */
  private record Plan(AtomicInteger left, RuntimeException failure, boolean committed) {
    boolean use() {
      return left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    }
  }

  private final Map<String, Plan> plans = new ConcurrentHashMap<>();
  private final Map<String, AtomicInteger> counts = new ConcurrentHashMap<>();
  private volatile boolean down;
  private volatile boolean unfiltered;
  private volatile boolean beginsStarts;
  private volatile ToIntFunction<LockedOrchestration> turnAttempts =
      LockedOrchestration::attemptCount;
  private volatile ToIntFunction<LockedWork> workAttempts = LockedWork::attemptCount;
  private volatile Function<LockedOrchestration, LockedOrchestration> fetched = Function.identity();

  /** The store with these faults. */
  Provider on(Provider store) {
    InvocationHandler handler = (proxy, method, arguments) -> call(store, method, arguments);
    return (Provider)
        Proxy.newProxyInstance(
            Provider.class.getClassLoader(), new Class<?>[] {Provider.class}, handler);
  }

  /** The next calls fail and change nothing. */
  void failNext(String operation, int times, ProviderException.Kind kind) {
    throwNext(operation, times, new ProviderException(kind, operation, "injected"));
  }

  /** The next calls throw this and change nothing. */
  void throwNext(String operation, int times, RuntimeException failure) {
    plans.put(operation, new Plan(new AtomicInteger(times), failure, false));
  }

  /** The next calls do what they should and fail nevertheless. */
  void failNextAfterCommit(String operation, int times, ProviderException.Kind kind) {
    ProviderException failure = new ProviderException(kind, operation, "injected");
    plans.put(operation, new Plan(new AtomicInteger(times), failure, true));
  }

  /** Whether the store is unreachable. */
  void down(boolean unreachable) {
    down = unreachable;
  }

  /** Fetches turns as if the node could run everything. */
  void bypassFilter() {
    unfiltered = true;
  }

  /** Has nodes begin what clients start; otherwise each start is queued and fetched. */
  void beginStarts() {
    beginsStarts = true;
  }

  /** Reports other attempt counts of turns than the store has. */
  void turnAttempts(ToIntFunction<LockedOrchestration> attempts) {
    turnAttempts = attempts;
  }

  /** Reports other attempt counts of activities than the store has. */
  void workAttempts(ToIntFunction<LockedWork> attempts) {
    workAttempts = attempts;
  }

  /** Changes what a fetch of turns returns. */
  void onFetchedTurn(Function<LockedOrchestration, LockedOrchestration> change) {
    fetched = change;
  }

  /** How often an operation was called. */
  int count(String operation) {
    return counter(operation).get();
  }

  /** How often a call of an operation has come back. */
  int done(String operation) {
    return counter(operation + " done").get();
  }

  private AtomicInteger counter(String name) {
    return counts.computeIfAbsent(name, key -> new AtomicInteger());
  }

  private Object call(Provider store, Method method, Object[] arguments) throws Throwable {
    counter(method.getName()).incrementAndGet();
    try {
      return answer(store, method, arguments);
    } finally {
      counter(method.getName() + " done").incrementAndGet();
    }
  }

  private Object answer(Provider store, Method method, Object[] arguments) throws Throwable {
    String name = method.getName();
    if (down && !ALWAYS.contains(name)) {
      throw new ProviderException(ProviderException.Kind.UNAVAILABLE, name, "down");
    }
    Plan plan = plans.get(name);
    if (plan == null || !plan.use()) {
      return forward(store, method, arguments);
    }
    if (plan.committed()) {
      forward(store, method, arguments);
    }
    throw plan.failure();
  }

  private Object forward(Provider store, Method method, Object[] arguments) throws Throwable {
    return switch (method.getName()) {
      case "fetchOrchestrationItems" ->
          store
              .fetchOrchestrationItems(
                  filtered((OrchestrationFetch) arguments[0]), (int) arguments[1])
              .stream()
              .map(this::inflated)
              .map(fetched)
              .toList();
      case "fetchWorkItems" ->
          inflated(store.fetchWorkItems((WorkFetch) arguments[0], (int) arguments[1]));
      case "ackOrchestrationItem" -> ackTurn(store, method, arguments);
      case "beginStarts" -> beginsStarts ? invoke(store, method, arguments) : Subscription.NONE;
      default -> invoke(store, method, arguments);
    };
  }

  private static Object invoke(Provider store, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  private OrchestrationFetch filtered(OrchestrationFetch request) {
    return unfiltered ? request.withFilter(null) : request;
  }

  private LockedOrchestration inflated(LockedOrchestration locked) {
    return new LockedOrchestration(
        locked.item(), locked.lockToken(), turnAttempts.applyAsInt(locked));
  }

  private @Nullable Object ackTurn(Provider store, Method method, Object[] arguments)
      throws Throwable {
    if (arguments.length != 3) {
      return invoke(store, method, arguments);
    }
    CommittedTurn committed =
        store.ackOrchestrationItem(
            (String) arguments[0], (TurnCommit) arguments[1], (WorkClaim) arguments[2]);
    return new CommittedTurn(committed.prune(), inflated(committed.claimed()));
  }

  private List<LockedWork> inflated(List<LockedWork> work) {
    return work.stream()
        .map(locked ->
            new LockedWork(
                locked.key(),
                locked.item(),
                locked.decodeError(),
                locked.lockToken(),
                workAttempts.applyAsInt(locked)))
        .toList();
  }
}
