package io.duroxide.provider.sqlite;

import io.duroxide.provider.Provider;
import io.duroxide.provider.tck.Feature;
import io.duroxide.provider.tck.ProviderFixture;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Set;

/** The provider without a file. */
final class MemoryModeFixture implements ProviderFixture {
  private final TestClock clock = new TestClock();
  private final SqliteProvider provider =
      SqliteProvider.inMemory(SqliteOptions.DEFAULT.withClock(clock));

  @Override
  public Provider createProvider() {
    return provider;
  }

  @Override
  public Set<Feature> features() {
    return EnumSet.of(Feature.LONG_POLL, Feature.MANAGEMENT);
  }

  @Override
  public void advance(Duration duration) {
    clock.advance(duration);
    provider.clockAdvanced();
  }
}
