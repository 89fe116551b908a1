package io.duroxide.provider.tck;

import io.duroxide.provider.OrchestrationFetch;
import io.duroxide.provider.Provider;
import io.duroxide.provider.WorkFetch;
import io.duroxide.provider.memory.MemoryFixture;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** The in-memory provider as one whose fetches never wait. */
public final class ShortPollFixture implements ProviderFixture {
  private final MemoryFixture memory = new MemoryFixture();

  @Override
  public Provider createProvider() {
    return Handles.intercept(
        memory.createProvider(),
        call -> {
          if (call.operation().startsWith("fetch")) {
            call.replace(0, withoutWaiting(call.argument(0)));
          }
          return call.proceed();
        });
  }

  private static Object withoutWaiting(Object request) {
    return switch (request) {
      case OrchestrationFetch fetch ->
          new OrchestrationFetch(
              fetch.lockTimeout(), Duration.ZERO, fetch.filter(), fetch.cached(), fetch.orphans());
      case WorkFetch fetch -> fetch.withPollTimeout(Duration.ZERO);
      default -> throw new IllegalArgumentException("not a fetch: " + request);
    };
  }

  @Override
  public void advance(Duration duration) {
    memory.advance(duration);
  }

  @Override
  public Set<Feature> features() {
    return EnumSet.of(
        Feature.SHORT_POLL, Feature.MANAGEMENT, Feature.ORPHAN_PURGE, Feature.DROP_COUNT);
  }
}
