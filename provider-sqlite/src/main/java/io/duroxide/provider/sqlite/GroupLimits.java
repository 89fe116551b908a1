package io.duroxide.provider.sqlite;

/**
 * How many operations the writer of a store takes at a time.
 *
 * @param groupSize how many operations one transaction may hold
 * @param queueSize how many operations may wait for the writer before callers are held back
 */
public record GroupLimits(int groupSize, int queueSize) {
  public GroupLimits {
    if (groupSize < 1 || queueSize < 1) {
      throw new IllegalArgumentException(
          "group size and queue size are at least 1, not %d and %d"
              .formatted(groupSize, queueSize));
    }
  }
}
