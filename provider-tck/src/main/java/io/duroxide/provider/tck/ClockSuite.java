package io.duroxide.provider.tck;

/** The category about steps of the clock, as those of {@link Suites}. */
final class ClockSuite extends ClockStepTck {
  @Override
  protected ProviderFixture newFixture() {
    return NamedFixture.create();
  }
}
