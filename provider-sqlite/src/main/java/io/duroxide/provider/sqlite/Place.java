package io.duroxide.provider.sqlite;

import java.util.Comparator;

/**
 * A message's position: by the instant it turns visible, then in the order of arrival.
 *
 * @param seq unique in the store
 */
record Place(long at, long seq) {
  static final Comparator<Place> OLDEST_FIRST =
      Comparator.comparingLong(Place::at).thenComparingLong(Place::seq);
}
