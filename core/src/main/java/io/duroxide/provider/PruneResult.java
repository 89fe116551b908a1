package io.duroxide.provider;

/** What a prune looked at and removed. */
public record PruneResult(long instancesProcessed, long executionsDeleted, long eventsDeleted) {
  public static final PruneResult NONE = new PruneResult(0, 0, 0);

  public PruneResult plus(PruneResult other) {
    return new PruneResult(
        instancesProcessed + other.instancesProcessed,
        executionsDeleted + other.executionsDeleted,
        eventsDeleted + other.eventsDeleted);
  }
}
