package io.duroxide.provider.tck;

import io.duroxide.provider.Provider;
import java.time.InstantSource;
import org.junit.jupiter.api.AfterEach;

/** The random comparison, ready to run with the fixture that {@link NamedFixture} names. */
final class ComparisonSuite extends ComparisonTck {
  private final ProviderFixture fixture = NamedFixture.create();

  @Override
  protected Provider open(InstantSource clock) {
    return fixture.createProvider(clock);
  }

  @Override
  protected int sequences() {
    return Integer.getInteger("random.sequences", 200);
  }

  @Override
  protected boolean hasWindows() {
    return fixture.features().contains(Feature.WINDOWS);
  }

  @AfterEach
  void close() {
    fixture.close();
  }
}
