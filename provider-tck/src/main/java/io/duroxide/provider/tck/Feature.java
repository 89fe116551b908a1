package io.duroxide.provider.tck;

/**
 * What a provider or its fixture can do besides the mandatory operations. Entries that need one
 * carry its tag, so that a build can leave them out with {@code excludedGroups}; a run that does
 * not skips them with a reason.
 */
public enum Feature {
  /** A fetch waits for work up to its poll timeout. */
  LONG_POLL("L"),
  /** A fetch never waits. */
  SHORT_POLL("S"),
  /** The provider offers its management operations. */
  MANAGEMENT("M"),
  /** {@link ProviderFixture#secondHandle} works. */
  TWO_HANDLES("2"),
  /** Data outlives the provider: {@link ProviderFixture#reopen} works. */
  DURABLE("DURABLE"),
  /** Several nodes share the store: {@link ProviderFixture#cluster} works. */
  CLUSTER("CLUSTER"),
  /** {@link ProviderFixture#corruptHistory} and {@link ProviderFixture#corruptMessage} work. */
  DAMAGE("H-damage"),
  /** {@link ProviderFixture#addUnknownFields} works: the store keeps encoded text. */
  UNKNOWN_FIELDS("H-fields"),
  /** {@link ProviderFixture#maxAttemptCount} and {@link ProviderFixture#setHiddenAttempts} work. */
  ATTEMPTS("H-attempts"),
  /** {@link ProviderFixture#fault} and {@link ProviderFixture#heal} work. */
  FAULTS("H-faults"),
  /** {@link ProviderFixture#kill} works. */
  KILL("H-kill"),
  /** {@link ProviderFixture#skewClock} works. */
  SKEW("H-skew"),
  /** {@link ProviderFixture#cutNotifications} works. */
  NOTIFICATIONS("H-notifications"),
  /**
   * {@link ProviderFixture#roundTrips}, {@link ProviderFixture#statements} and {@link
   * ProviderFixture#storedBytes} work.
   */
  METERS("H-meters");

  private final String tag;

  Feature(String tag) {
    this.tag = tag;
  }

  /** The JUnit tag of the entries that need it. */
  public String tag() {
    return tag;
  }
}
