package io.duroxide.provider;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;

/**
 * The order in which the visible messages of one instance are delivered; for stores.
 *
 * <p>Messages keep the order in which they were enqueued. A due timer stands before the first
 * message that arrived after its fire time and behind all others, so an answer that was stored
 * before a deadline, or at the very instant of it, comes before the timer, however late the
 * messages are fetched. Timers stand in the order of their fire times, equal ones in the order in
 * which they were enqueued.
 *
 * <p>A message that the store's clock says arrived before its predecessor counts as having arrived
 * with it: a clock that was set back changes no order.
 */
public final class DeliveryOrder {
  private static final Comparator<Place> BY_TIME =
      Comparator.comparingLong(Place::time)
          .thenComparing(Place::isTimer)
          .thenComparingLong(Place::position);

  private DeliveryOrder() {}

  /**
   * What decides where a message stands.
   *
   * @param time for a timer its fire time; for other messages when they were enqueued, or the end
   *     of their delay; in milliseconds
   * @param position its number in the order of enqueueing
   */
  public record Place(long time, boolean isTimer, long position) {}

  /** The messages in the order of their delivery. */
  public static <T> List<T> of(Collection<T> visible, Function<? super T, Place> placeOf) {
    if (visible.size() < 2) {
      return List.copyOf(visible);
    }
    List<Entry<T>> entries = new ArrayList<>(visible.size());
    visible.forEach(message -> entries.add(new Entry<>(message, placeOf.apply(message))));
    entries.sort(Comparator.comparingLong(entry -> entry.place.position));
    long latest = Long.MIN_VALUE;
    for (int i = 0; i < entries.size(); i++) {
      Entry<T> entry = entries.get(i);
      Place place = entry.place;
      if (!place.isTimer) {
        latest = Math.max(latest, place.time);
        entries.set(i, new Entry<>(entry.message, new Place(latest, false, place.position)));
      }
    }
    entries.sort(Comparator.comparing(Entry::place, BY_TIME));
    return entries.stream().map(Entry::message).toList();
  }

  private record Entry<T>(T message, Place place) {}
}
