package io.duroxide.proof.program;

import io.duroxide.api.Branch;
import io.duroxide.api.KeyValueStore;
import io.duroxide.api.OrchestrationContext;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListSet;

/** Writes down which methods of a context, and of its values, are really called. Thread-safe. */
final class ContextWitness {
  private final Set<String> called = new ConcurrentSkipListSet<>();

  OrchestrationContext watch(OrchestrationContext context) {
    return watch(OrchestrationContext.class, context);
  }

  Set<String> called() {
    return Set.copyOf(called);
  }

  private <T> T watch(Class<T> type, T watched) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (proxy, method, arguments) -> call(watched, method, arguments)));
  }

  /** Branches get the context through this too. */
  private Object[] watched(Object[] arguments) {
    if (arguments == null || arguments.length != 1 || !(arguments[0] instanceof Branch<?> branch)) {
      return arguments;
    }
    Branch<?> watchedBranch = context -> branch.run(watch(context));
    return new Object[] {watchedBranch};
  }

  private Object call(Object watched, Method method, Object[] arguments) throws Throwable {
    called.add(ApiTable.name(method));
    try {
      Object result = method.invoke(watched, watched(arguments));
      return result instanceof KeyValueStore values ? watch(KeyValueStore.class, values) : result;
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
  }
}
