package io.duroxide.e2e;

import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.OrchestrationItem;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.ShortCut;
import io.duroxide.provider.StoredHistory;
import io.duroxide.provider.TurnSource;
import io.duroxide.provider.WorkFetch;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.ToIntFunction;

/**
 * Stands before a store, forwards everything and misbehaves where a test asks for it; install with
 * {@code world.decorate(faults::on)}. Operations are named as in {@link Provider}. Thread-safe.
 */
final class Faults {
  /** The commit of a turn that was fetched. */
  static final String COMMIT = "commitTurn";

  /** The commit of a turn together with the activity that caused it. */
  static final String STEP = "commitTurn after an activity";

  /** The commit of a new instance together with its first turn. */
  static final String START = "commitTurn of a new instance";

  /** Calls that even a store that is down answers. */
  private static final Set<String> ALWAYS =
      Set.of("now", "name", "version", "close", "localBus", "shortCuts", "health", "lookAtClock");

  /** A failure that the next calls meet. */
  private record Plan(AtomicInteger left, Throwable failure, boolean committed) {
    boolean use() {
      return left.getAndUpdate(n -> Math.max(0, n - 1)) > 0;
    }
  }

  private final Map<String, Plan> plans = new ConcurrentHashMap<>();
  private final Map<String, Runnable> holds = new ConcurrentHashMap<>();
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
  void throwNext(String operation, int times, Throwable failure) {
    plans.put(operation, new Plan(new AtomicInteger(times), failure, false));
  }

  /** The next calls do what they should and fail nevertheless. */
  void failNextAfterCommit(String operation, int times, ProviderException.Kind kind) {
    ProviderException failure = new ProviderException(kind, operation, "injected");
    plans.put(operation, new Plan(new AtomicInteger(times), failure, true));
  }

  /** Calls of an operation begin when this has come to its end. */
  void hold(String operation, Runnable wait) {
    holds.put(operation, wait);
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

  /** From now on nobody can read the history of this instance. */
  void unreadable(String instance) {
    onFetchedTurn(
        locked -> locked.item().instance().equals(instance) ? withoutHistory(locked) : locked);
  }

  private static LockedOrchestration withoutHistory(LockedOrchestration locked) {
    OrchestrationItem item = locked.item();
    return new LockedOrchestration(
        new OrchestrationItem(
            item.execution(),
            item.orchestrationName(),
            item.version(),
            new StoredHistory.Unreadable("an unknown event"),
            item.messages()),
        locked.lockToken(),
        locked.attemptCount());
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
    String name = name(method, arguments);
    counter(name).incrementAndGet();
    try {
      return answer(name, store, method, arguments);
    } finally {
      counter(name + " done").incrementAndGet();
    }
  }

  /** Commits of turns are named after what caused them. */
  private static String name(Method method, Object[] arguments) {
    if (!method.getName().equals("commitTurn")) {
      return method.getName();
    }
    return switch ((TurnSource) arguments[0]) {
      case TurnSource.Fetched ignored -> COMMIT;
      case TurnSource.AfterActivity ignored -> STEP;
      case TurnSource.NewInstance ignored -> START;
    };
  }

  private Object answer(String name, Provider store, Method method, Object[] arguments)
      throws Throwable {
    if (down && !ALWAYS.contains(name)) {
      throw new ProviderException(ProviderException.Kind.UNAVAILABLE, name, "down");
    }
    holds.getOrDefault(name, () -> {}).run();
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
      case "commitTurn" ->
          ((Optional<?>) invoke(store, method, arguments))
              .map(CommittedTurn.class::cast)
              .map(this::inflated);
      case "shortCuts" -> beginsStarts ? invoke(store, method, arguments) : Set.of(ShortCut.STEP);
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

  private CommittedTurn inflated(CommittedTurn turn) {
    return new CommittedTurn(turn.commitToken(), turn.prune(), inflated(turn.claimed()));
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
