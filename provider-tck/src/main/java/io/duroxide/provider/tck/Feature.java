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
  /** The provider offers {@link io.duroxide.provider.Provider#startNew}. */
  NEW_STARTS("NEW-STARTS"),
  /** The provider offers {@link io.duroxide.provider.Provider#send}, in one step. */
  CHECKED_SENDS("CHECKED-SENDS"),
  /** Commits remove the timers that they withdraw, and all of an execution that they end. */
  WITHDRAWN_TIMERS("WITHDRAWN-TIMERS"),
  /** Fetches deliver no more of a mailbox than the last commit had room for. */
  WINDOWS("WINDOWS"),
  /** The provider offers {@link io.duroxide.provider.Provider#purgeOrphanMessages}. */
  ORPHAN_PURGE("ORPHAN-PURGE"),
  /** The provider offers {@link io.duroxide.provider.Provider#takeDropped}. */
  DROP_COUNT("DROP-COUNT"),
  /** {@link ProviderFixture#secondHandle} works. */
  TWO_HANDLES("2"),
  /** Data outlives the provider: {@link ProviderFixture#reopen} works. */
  DURABLE("DURABLE"),
  /** Several nodes share the store: {@link ProviderFixture#cluster} works. */
  CLUSTER("CLUSTER"),
  /**
   * {@link ProviderFixture#corruptHistory}, {@link ProviderFixture#corruptMessage} and {@link
   * ProviderFixture#corruptPin} work.
   */
  DAMAGE("H-damage"),
  /** {@link ProviderFixture#makeUnloadable} works. */
  UNLOADABLE("H-unloadable"),
  /** {@link ProviderFixture#addUnknownFields} works: the store keeps encoded text. */
  UNKNOWN_FIELDS("H-fields"),
  /** {@link ProviderFixture#maxAttemptCount} and {@link ProviderFixture#setHiddenAttempts} work. */
  ATTEMPTS("H-attempts"),
  /** {@link ProviderFixture#fault} and {@link ProviderFixture#heal} work. */
  FAULTS("H-faults"),
  /** {@link ProviderFixture#fault} works with {@link FaultKind#ERROR}. */
  ERRORS("H-errors"),
  /** {@link ProviderFixture#handleWithEndedThread} works: the store has threads of its own. */
  THREADS("H-threads"),
  /** {@link ProviderFixture#kill} works. */
  KILL("H-kill"),
  /** {@link ProviderFixture#setClockBack} works. */
  CLOCK_STEP("H-clock"),
  /** {@link ProviderFixture#holdRow} works: a transaction may hold the row of one instance. */
  ROW_LOCKS("H-rows"),
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
