package io.duroxide.provider;

/**
 * How a bulk deletion goes about it.
 *
 * @param limit at most this many trees
 * @param withRunningDescendants whether a finished root takes descendants with it that still run;
 *     otherwise its tree is passed over
 * @param dryRun whether nothing is deleted and the answer says what would be
 */
public record BulkDeletion(int limit, boolean withRunningDescendants, boolean dryRun) {
  /** Up to 1000 trees that have finished as a whole. */
  public static final BulkDeletion DEFAULT = new BulkDeletion(1000, false, false);

  public BulkDeletion withLimit(int newLimit) {
    return new BulkDeletion(newLimit, withRunningDescendants, dryRun);
  }

  public BulkDeletion includingRunningDescendants() {
    return new BulkDeletion(limit, true, dryRun);
  }

  public BulkDeletion asDryRun() {
    return new BulkDeletion(limit, withRunningDescendants, true);
  }
}
