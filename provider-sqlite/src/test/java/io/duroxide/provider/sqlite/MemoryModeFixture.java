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
  private SqliteProvider provider;

  @Override
  public Provider createProvider() {
    provider = SqliteProvider.inMemory(SqliteOptions.DEFAULT.withClock(clock));
    return provider;
  }

  @Override
  public void setClockBack(Duration by) {
    advance(by.negated());
  }

  @Override
  public Set<Feature> features() {
    return EnumSet.of(
        Feature.LONG_POLL,
        Feature.MANAGEMENT,
        Feature.NEW_STARTS,
        Feature.CHECKED_SENDS,
        Feature.WITHDRAWN_TIMERS,
        Feature.WINDOWS,
        Feature.ORPHAN_PURGE,
        Feature.CLOCK_STEP,
        Feature.DROP_COUNT);
  }

  @Override
  public void advance(Duration duration) {
    clock.advance(duration);
    provider.clockAdvanced();
  }
}
