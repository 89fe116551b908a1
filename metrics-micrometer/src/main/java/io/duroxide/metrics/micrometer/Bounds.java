package io.duroxide.metrics.micrometer;

/**
 * How many values each open label may have.
 *
 * @param orchestrations names of orchestrations
 * @param versions pairs of name and version
 * @param activities names of activities
 * @param tags of activities
 * @param events names of events and mailboxes that clients send to
 * @param operations of the store
 * @param categories of errors
 */
record Bounds(
    KnownNames orchestrations,
    KnownVersions versions,
    KnownNames activities,
    KnownNames tags,
    KnownNames events,
    KnownNames operations,
    KnownNames categories) {
  private static final int FEW = 50;

  /** At most so many orchestrations, versions, activities and events; of the rest at most 50. */
  static Bounds of(int most) {
    KnownNames orchestrations = new KnownNames(most);
    return new Bounds(
        orchestrations,
        new KnownVersions(orchestrations, most),
        new KnownNames(most),
        new KnownNames(FEW),
        new KnownNames(most),
        new KnownNames(FEW),
        new KnownNames(FEW));
  }
}
