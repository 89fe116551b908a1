package io.duroxide.provider.memory;

import java.time.Instant;
import java.util.Comparator;

/**
 * A position in a queue: by time, then in the order of arrival.
 *
 * @param seq unique within its queue
 */
record Place(Instant at, long seq) implements Comparable<Place> {
  private static final Comparator<Place> ORDER =
      Comparator.comparing(Place::at).thenComparingLong(Place::seq);

  /** Behind everything that happens up to {@code instant}. */
  static Place endOf(Instant instant) {
    return new Place(instant, Long.MAX_VALUE);
  }

  @Override
  public int compareTo(Place other) {
    return ORDER.compare(this, other);
  }
}
