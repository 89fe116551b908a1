package io.duroxide.provider.sqlite;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The messages that one fetch delivered: those that were visible at an instant and had arrived by a
 * number, or of these the part that the bounds of a batch allow.
 *
 * <p>They are not marked in their table, and taking the lock does not count the attempt on them;
 * that is done when the lock is given up, because most batches are consumed before anyone asks.
 *
 * @param instance the number of the instance
 * @param part null if it holds all of them
 */
record Batch(long instance, long at, long seq, @Nullable Part part) {
  /**
   * What a batch holds that was cut. Messages are delivered by number and timers by fire time, so
   * each kind has an end of its own; what is part of every batch has none.
   *
   * @param lastMessage the largest number of a message that is no timer
   * @param lastTimer the place of the last timer
   */
  record Part(long lastMessage, Place lastTimer) {
    static Part of(List<StoredMessage> delivered) {
      long lastMessage = 0;
      Place lastTimer = NO_TIMER;
      for (StoredMessage message : delivered) {
        if (message.kind() == MessageKind.TIMER) {
          lastTimer = message.place();
        } else if (!message.kind().isAlwaysDelivered()) {
          lastMessage = Math.max(lastMessage, message.place().seq());
        }
      }
      return new Part(lastMessage, lastTimer);
    }

    private Part shifted(long back) {
      return new Part(lastMessage, new Place(lastTimer.at() - back, lastTimer.seq()));
    }

    private boolean holds(MessageKind kind, Place place) {
      return kind == MessageKind.TIMER
          ? Place.OLDEST_FIRST.compare(place, lastTimer) <= 0
          : kind.isAlwaysDelivered() || place.seq() <= lastMessage;
    }
  }

  private static final Place NO_TIMER = new Place(0, 0);

  /** Everything that was visible at an instant and had arrived by a number. */
  static Batch whole(long instance, long at, long seq) {
    return new Batch(instance, at, seq, null);
  }

  /** As its messages stand since the clock was set back by so many milliseconds. */
  Batch shifted(long back) {
    return back == 0
        ? this
        : new Batch(instance, at - back, seq, part == null ? null : part.shifted(back));
  }

  boolean holds(MessageKind kind, Place place) {
    return place.at() <= at && place.seq() <= seq && (part == null || part.holds(kind, place));
  }
}
