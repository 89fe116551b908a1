package io.duroxide.e2e;

import io.duroxide.provider.Provider;
import io.duroxide.provider.TurnCommit;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.Consumer;

/**
 * A store as one node sees it, whose fetches of turns a test allows or forbids, and whose commits a
 * test is told of. Thread-safe.
 */
final class GatedStore {
  /** Told of a commit before it reaches the store, and after the store has taken it. */
  record CommitHooks(Consumer<TurnCommit> before, Consumer<TurnCommit> after) {
    static final CommitHooks NONE = new CommitHooks(commit -> {}, commit -> {});
  }

  private final Provider store;
  private final ReentrantReadWriteLock fetching = new ReentrantReadWriteLock();
  private volatile boolean open;
  private volatile CommitHooks hooks = CommitHooks.NONE;

  GatedStore(Provider store, boolean open) {
    this.store = store;
    this.open = open;
  }

  /** From now on the node fetches turns. */
  void open() {
    open = true;
  }

  /** The node fetches no turns; a fetch under way has come back when this returns. */
  void shut() {
    fetching.writeLock().lock();
    try {
      open = false;
    } finally {
      fetching.writeLock().unlock();
    }
  }

  /** As {@link #shut}, for a thread that holds the node's only slot, so that none is under way. */
  void shutFromTurn() {
    open = false;
  }

  void onCommit(CommitHooks newHooks) {
    hooks = newHooks;
  }

  /** What the node is given. */
  Provider provider() {
    return (Provider)
        Proxy.newProxyInstance(
            Provider.class.getClassLoader(),
            new Class<?>[] {Provider.class},
            (proxy, method, arguments) -> call(method, arguments));
  }

  private Object call(Method method, Object[] arguments) throws Throwable {
    return switch (method.getName()) {
      case "fetchOrchestrationItems" -> fetch(method, arguments);
      case "commitTurn" -> commit(method, arguments);
      default -> forward(method, arguments);
    };
  }

  private Object fetch(Method method, Object[] arguments) throws Throwable {
    fetching.readLock().lock();
    try {
      return open ? forward(method, arguments) : List.of();
    } finally {
      fetching.readLock().unlock();
    }
  }

  private Object commit(Method method, Object[] arguments) throws Throwable {
    CommitHooks current = hooks;
    TurnCommit commit = (TurnCommit) arguments[1];
    current.before().accept(commit);
    Object answer = forward(method, arguments);
    current.after().accept(commit);
    return answer;
  }

  private Object forward(Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
