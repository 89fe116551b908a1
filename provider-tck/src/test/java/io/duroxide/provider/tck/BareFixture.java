package io.duroxide.provider.tck;

import io.duroxide.provider.Provider;
import io.duroxide.provider.memory.MemoryFixture;
import java.time.Duration;
import java.util.Set;

/** Offers nothing but what is mandatory, and claims a hook that it does not have. */
public final class BareFixture implements ProviderFixture {
  private final MemoryFixture memory = new MemoryFixture();

  @Override
  public Provider createProvider() {
    return memory.createProvider();
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
    return Set.of(Feature.LONG_POLL, Feature.DAMAGE);
  }
}
