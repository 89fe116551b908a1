package io.duroxide.provider.tck;

import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;

@DisplayName("A provider that never waits keeps the contract")
class ShortPollTckTest {
  @Nested
  class Polling extends PollingTck {
    @Override
    protected ProviderFixture newFixture() {
      return new ShortPollFixture();
    }
  }

  @Nested
  class RandomMix extends RandomMixTck {
    @Override
    protected ProviderFixture newFixture() {
      return new ShortPollFixture();
    }
  }
}
