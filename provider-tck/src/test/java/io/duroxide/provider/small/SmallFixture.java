package io.duroxide.provider.small;

import io.duroxide.provider.Provider;
import io.duroxide.provider.tck.Feature;
import io.duroxide.provider.tck.ProviderFixture;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

/** The small provider on a clock that stands still until an entry moves it. */
public final class SmallFixture implements ProviderFixture {
  private final AtomicReference<Instant> now =
      new AtomicReference<>(Instant.parse("2030-01-01T00:00:00Z"));

  @Override
  public Provider createProvider() {
    return new SmallProvider(now::get);
  }

  @Override
  public void advance(Duration duration) {
    now.updateAndGet(instant -> instant.plus(duration));
  }

  @Override
  public Set<Feature> features() {
    return EnumSet.of(Feature.LONG_POLL);
  }
}
