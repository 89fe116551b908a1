package io.duroxide.e2e;

import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.locks.ReentrantLock;

/**
 * What connects the nodes of a process with their store; cut right after a commit, as if the
 * process had stopped there: the commit stands, nobody learns of it, and nothing else is written.
 * Thread-safe.
 */
final class Lifeline {
  /** Calls that leave no trace and that a node does not expect to fail. */
  private static final Set<String> HARMLESS =
      Set.of("shortCuts", "health", "name", "version", "now");

  private final Provider store;
  private final Runnable onCut;
  private final ReentrantLock writing = new ReentrantLock();
  private int commitsLeft;
  private volatile boolean cut;

  /**
   * A line that lasts this many commits.
   *
   * @param onCut called once, by the thread whose commit was the last
   */
  Lifeline(Provider store, int commits, Runnable onCut) {
    this.store = store;
    this.commitsLeft = commits;
    this.onCut = onCut;
  }

  /** The store as seen by the nodes. */
  Provider store() {
    return (Provider)
        Proxy.newProxyInstance(
            Provider.class.getClassLoader(),
            new Class<?>[] {Provider.class},
            (proxy, method, arguments) -> call(method, arguments));
  }

  private Object call(Method method, Object[] arguments) throws Throwable {
    String name = method.getName();
    if (HARMLESS.contains(name)) {
      return invoke(method, arguments);
    }
    return name.startsWith("fetch") ? fetch(method, arguments) : write(method, arguments);
  }

  boolean isCut() {
    return cut;
  }

  /** How many more commits it lasts. */
  int commitsLeft() {
    writing.lock();
    try {
      return commitsLeft;
    } finally {
      writing.unlock();
    }
  }

  /** Fetches wait, so they wait outside the lock; what comes too late stays locked. */
  private Object fetch(Method method, Object[] arguments) throws Throwable {
    checkAlive(method);
    Object fetched = invoke(method, arguments);
    checkAlive(method);
    return fetched;
  }

  private Object write(Method method, Object[] arguments) throws Throwable {
    writing.lock();
    try {
      checkAlive(method);
      Object result = invoke(method, arguments);
      if (isCommit(method, result) && --commitsLeft == 0) {
        cut = true;
        onCut.run();
        checkAlive(method);
      }
      return result;
    } finally {
      writing.unlock();
    }
  }

  /** An empty answer says that nothing was committed. */
  private static boolean isCommit(Method method, Object result) {
    return switch (method.getName()) {
      case "ackWorkItem" -> true;
      case "commitTurn" -> ((Optional<?>) result).isPresent();
      default -> false;
    };
  }

  private void checkAlive(Method method) {
    if (cut && !method.getName().equals("localBus")) {
      throw new ProviderException(
          ProviderException.Kind.LOCK_LOST, method.getName(), "the process has stopped");
    }
  }

  private Object invoke(Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(store, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
