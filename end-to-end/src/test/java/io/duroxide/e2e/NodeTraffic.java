package io.duroxide.e2e;

import io.duroxide.model.WorkItem;
import io.duroxide.provider.CommittedTurn;
import io.duroxide.provider.LocalBus;
import io.duroxide.provider.LockRenewal;
import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.OrphanQueuePolicy;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.RenewalAnswer;
import io.duroxide.provider.Starter;
import io.duroxide.provider.Subscription;
import io.duroxide.provider.TurnCommit;
import io.duroxide.provider.TurnSource;
import io.duroxide.runtime.RuntimeOptions;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Stands between one node and its store, and keeps account of what the node has in hand: items that
 * it fetched and has neither acknowledged nor handed back. Guarded by the stillness it belongs to.
 */
final class NodeTraffic {
  /** The two queues. */
  enum Kind {
    TURN,
    WORK
  }

  private final Stillness stillness;
  private final Map<Kind, Integer> slots;
  private final Map<String, Kind> inHand = new HashMap<>();
  private final Map<Kind, Long> foundNothing = new EnumMap<>(Kind.class);
  private int fetching;
  private boolean stopped;

  NodeTraffic(Stillness stillness, RuntimeOptions options) {
    this.stillness = stillness;
    this.slots =
        Map.of(
            Kind.TURN, options.orchestrationConcurrency(), Kind.WORK, options.workerConcurrency());
  }

  /** What the node is given instead of the store. */
  Provider on(Provider store) {
    return (Provider)
        Proxy.newProxyInstance(
            Provider.class.getClassLoader(),
            new Class<?>[] {Provider.class},
            (proxy, method, arguments) -> call(store, method, arguments));
  }

  private Object call(Provider store, Method method, Object[] arguments) throws Throwable {
    return switch (method.getName()) {
      case "fetchOrchestrationItem", "fetchOrchestrationItems" ->
          fetch(Kind.TURN, store, method, arguments);
      case "fetchWorkItem", "fetchWorkItems" -> fetch(Kind.WORK, store, method, arguments);
      case "commitTurn" -> commit(store, method, arguments);
      case "ackWorkItem", "abandonOrchestrationItem", "abandonWorkItem" ->
          withToken((String) arguments[0], store, method, arguments);
      case "renewLocks" -> renew(store, method, arguments);
      case "localBus" -> new HeardBus((LocalBus) invoke(store, method, arguments));
      default -> invoke(store, method, arguments);
    };
  }

  /** Notices when the node no longer hears of starts. */
  private final class HeardBus extends LocalBus {
    private final LocalBus bus;

    HeardBus(LocalBus bus) {
      this.bus = bus;
    }

    @Override
    public Subscription beginStarts(Starter starter) {
      Subscription begun = bus.beginStarts(starter);
      return () -> {
        stillness.change(() -> stopped = true);
        begun.close();
      };
    }

    @Override
    public Subscription watch(String instance, Consumer<? super TurnCommit> listener) {
      return bus.watch(instance, listener);
    }

    @Override
    public Subscription tellOrphanPolicy(OrphanQueuePolicy policy) {
      return bus.tellOrphanPolicy(policy);
    }

    @Override
    public OrphanQueuePolicy orphanPolicy() {
      return bus.orphanPolicy();
    }

    @Override
    public boolean offer(WorkItem.StartOrchestration start) {
      return bus.offer(start);
    }
  }

  private Object fetch(Kind kind, Provider store, Method method, Object[] arguments)
      throws Throwable {
    long seen = stillness.enter(() -> fetching++);
    try {
      Object answer = invoke(store, method, arguments);
      List<?> items = answer instanceof Optional<?> one ? one.stream().toList() : (List<?>) answer;
      if (items.isEmpty()) {
        stillness.note(() -> foundNothing.put(kind, seen));
      } else {
        stillness.change(() -> items.forEach(this::take));
      }
      return answer;
    } finally {
      stillness.note(() -> fetching--);
    }
  }

  private void take(Object item) {
    switch (item) {
      case LockedOrchestration turn -> inHand.put(turn.lockToken(), Kind.TURN);
      case LockedWork work -> inHand.put(work.lockToken(), Kind.WORK);
      default -> throw new IllegalArgumentException("not a locked item: " + item);
    }
  }

  private Object commit(Provider store, Method method, Object[] arguments) throws Throwable {
    return switch ((TurnSource) arguments[0]) {
      case TurnSource.Fetched fetched -> withToken(fetched.lockToken(), store, method, arguments);
      case TurnSource.AfterActivity step -> withToken(step.workToken(), store, method, arguments);
      case TurnSource.NewInstance ignored -> {
        Object answer = invoke(store, method, arguments);
        stillness.change(() -> claimed(answer));
        yield answer;
      }
    };
  }

  private Object withToken(String token, Provider store, Method method, Object[] arguments)
      throws Throwable {
    try {
      Object answer = invoke(store, method, arguments);
      boolean undone = answer instanceof Optional<?> step && step.isEmpty();
      if (!undone) {
        stillness.change(() -> {
          inHand.remove(token);
          claimed(answer);
        });
      }
      return answer;
    } catch (ProviderException e) {
      if (e.kind() == ProviderException.Kind.LOCK_LOST) {
        stillness.change(() -> inHand.remove(token));
      }
      throw e;
    }
  }

  private Object renew(Provider store, Method method, Object[] arguments) throws Throwable {
    List<?> renewals = (List<?>) arguments[0];
    List<?> answers = (List<?>) invoke(store, method, arguments);
    for (int i = 0; i < answers.size(); i++) {
      if (((RenewalAnswer) answers.get(i)).isLost()) {
        String token = ((LockRenewal) renewals.get(i)).lockToken();
        stillness.change(() -> inHand.remove(token));
      }
    }
    return answers;
  }

  /** Activities that came back with a commit. */
  private void claimed(Object answer) {
    if (answer instanceof Optional<?> maybe && maybe.orElse(null) instanceof CommittedTurn turn) {
      turn.claimed().forEach(this::take);
    }
  }

  private static Object invoke(Provider store, Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }

  boolean isStopped() {
    return stopped;
  }

  boolean isFetching() {
    return fetching > 0;
  }

  int inHand() {
    return inHand.size();
  }

  /** Whether the node looked since that change and found nothing, or has no slot to look. */
  boolean wantsNothing(long change) {
    for (Kind kind : Kind.values()) {
      boolean full = inHand.values().stream().filter(kind::equals).count() >= slots.get(kind);
      if (!full && foundNothing.getOrDefault(kind, -1L) < change) {
        return false;
      }
    }
    return true;
  }

  @Override
  public String toString() {
    return inHand.values() + (fetching > 0 ? ", fetching" : "") + (stopped ? ", stopped" : "");
  }
}
