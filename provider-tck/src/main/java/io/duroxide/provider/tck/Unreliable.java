package io.duroxide.provider.tck;

import io.duroxide.provider.LockedOrchestration;
import io.duroxide.provider.LockedWork;
import io.duroxide.provider.Provider;
import io.duroxide.provider.ProviderException;
import io.duroxide.provider.TurnSource;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * A provider whose locks get lost and whose answers go astray, at random: what a node sees when it
 * is slow, cut off or about to die. Thread-safe.
 */
final class Unreliable {
  private static final int ONE_IN = 12;

  private final Provider provider;
  private final SplittableRandom random;
  private final ReentrantLock lock = new ReentrantLock();

  private Unreliable(Provider provider, long seed) {
    this.provider = provider;
    this.random = new SplittableRandom(seed);
  }

  static Provider on(Provider provider, long seed) {
    Unreliable unreliable = new Unreliable(provider, seed);
    return (Provider)
        Proxy.newProxyInstance(
            Provider.class.getClassLoader(),
            new Class<?>[] {Provider.class},
            (handle, method, arguments) -> unreliable.call(method, arguments));
  }

  private @Nullable Object call(Method method, Object[] arguments) throws Throwable {
    String operation = method.getName();
    if (operation.equals("commitTurn") && arguments[0] instanceof TurnSource.Fetched turn) {
      return ack(
          method,
          arguments,
          () -> provider.abandonOrchestrationItem(turn.lockToken(), Duration.ZERO, true));
    }
    if (operation.equals("ackWorkItem")) {
      String token = (String) arguments[0];
      return ack(method, arguments, () -> provider.abandonWorkItem(token, Duration.ZERO, true));
    }
    Object result = proceed(method, arguments);
    if (operation.startsWith("fetch") && result instanceof List<?> found) {
      found.stream().filter(any -> strikes()).forEach(this::giveUp);
    }
    return result;
  }

  /** The lock is gone before the ack, or the answer of the ack never arrives. */
  private @Nullable Object ack(Method method, Object[] arguments, Runnable abandon)
      throws Throwable {
    if (strikes()) {
      abandon.run();
    }
    Object result = proceed(method, arguments);
    if (strikes()) {
      throw new ProviderException(
          ProviderException.Kind.UNAVAILABLE, method.getName(), "the answer went astray");
    }
    return result;
  }

  /** Its holder does not know. */
  private void giveUp(Object locked) {
    switch (locked) {
      case LockedOrchestration turn ->
          provider.abandonOrchestrationItem(turn.lockToken(), Duration.ZERO, true);
      case LockedWork work -> provider.abandonWorkItem(work.lockToken(), Duration.ZERO, true);
      default -> throw new IllegalArgumentException("not a locked item: " + locked);
    }
  }

  private boolean strikes() {
    lock.lock();
    try {
      return random.nextInt(ONE_IN) == 0;
    } finally {
      lock.unlock();
    }
  }

  private @Nullable Object proceed(Method method, Object[] arguments) throws Throwable {
    try {
      return method.invoke(provider, arguments);
    } catch (InvocationTargetException failure) {
      throw Objects.requireNonNull(failure.getCause());
    }
  }
}
