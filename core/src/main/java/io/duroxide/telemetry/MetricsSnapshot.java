package io.duroxide.telemetry;

/**
 * The counters of one runtime since it started, for tests and diagnosis.
 *
 * @param storeErrors calls of the runtime that the store failed
 * @param turnsInVain turns that were thrown away
 */
public record MetricsSnapshot(
    Orchestrations orchestrations,
    Activities activities,
    Dispatched dispatched,
    long storeErrors,
    long turnsInVain) {

  /**
   * Executions, counted when their first and last turns are committed.
   *
   * @param starts executions begun, also by continue-as-new
   * @param childCalls children asked for
   */
  public record Orchestrations(
      long starts, long completions, long continuedAsNew, long childCalls, Failures failures) {}

  /** Executions that failed, by why. */
  public record Failures(
      long application,
      long infrastructure,
      long configuration,
      long poison,
      long cancelled,
      long limit) {
    public long total() {
      return application + infrastructure + configuration + poison + cancelled + limit;
    }
  }

  /** Fetched activities, by what came of them. */
  public record Activities(
      long success,
      long applicationErrors,
      long infrastructureErrors,
      long configurationErrors,
      long cancelled,
      long poison,
      long handedOver) {}

  /** Items that were fetched or claimed. */
  public record Dispatched(long turns, long activities) {}
}
