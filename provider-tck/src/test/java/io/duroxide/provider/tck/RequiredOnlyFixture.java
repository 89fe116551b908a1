package io.duroxide.provider.tck;

import io.duroxide.provider.Provider;
import io.duroxide.provider.memory.MemoryFixture;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.Set;

/** A provider that implements the required methods alone; all others keep their defaults. */
public final class RequiredOnlyFixture implements ProviderFixture {
  private final MemoryFixture memory = new MemoryFixture();

  @Override
  public Provider createProvider() {
    Provider whole = memory.createProvider();
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.isDefault()) {
            return InvocationHandler.invokeDefault(proxy, method, arguments);
          }
          try {
            return method.invoke(whole, arguments);
          } catch (InvocationTargetException e) {
            throw e.getCause();
          }
        };
    return (Provider)
        Proxy.newProxyInstance(
            Provider.class.getClassLoader(), new Class<?>[] {Provider.class}, handler);
  }

  @Override
  public void advance(Duration duration) {
    memory.advance(duration);
  }

  @Override
  public int rounds() {
    return 2;
  }

  @Override
  public Set<Feature> features() {
    return Set.of(Feature.LONG_POLL);
  }
}
