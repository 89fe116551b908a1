package io.duroxide.management;

/**
 * How orphans are cleaned up.
 *
 * @param limit at most this many orphans are looked at
 * @param cancelRunning whether orphans that run are asked to stop, so that a later clean-up deletes
 *     them; otherwise they are counted and left alone
 * @param dryRun whether nothing is deleted or cancelled and the answer says what would be
 */
public record OrphanCleaning(int limit, boolean cancelRunning, boolean dryRun) {
  /** Up to 1000 orphans; those that run are left alone. */
  public static final OrphanCleaning DEFAULT = new OrphanCleaning(1000, false, false);

  public OrphanCleaning withLimit(int newLimit) {
    return new OrphanCleaning(newLimit, cancelRunning, dryRun);
  }

  public OrphanCleaning cancellingRunning() {
    return new OrphanCleaning(limit, true, dryRun);
  }

  public OrphanCleaning asDryRun() {
    return new OrphanCleaning(limit, cancelRunning, true);
  }
}
