package io.duroxide.replay;

import io.duroxide.api.Limits;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a turn that stores more than an instance may: payload, status, tags, values, keys, in
 * order.
 */
final class LimitCheck {
  private final Limits limits;

  LimitCheck(Limits limits) {
    this.limits = limits;
  }

  /**
   * The first violation, or null.
   *
   * @param kvKeys keys alive after the turn
   */
  @Nullable LimitExcess violation(List<Event> newEvents, int kvKeys) {
    LimitExcess excess = turnBytes(newEvents);
    excess = excess == null ? customStatus(newEvents) : excess;
    excess = excess == null ? tags(newEvents) : excess;
    return excess == null ? values(newEvents, kvKeys) : excess;
  }

  /** What a turn that asks for so much is told; null if it may. */
  static @Nullable LimitExcess actions(int count, Limits limits) {
    return count <= limits.turnActions()
        ? null
        : new LimitExcess(
            "Actions of one turn (%d) exceed limit (%d, Limits.turnActions); let the code wait for some before it asks for more"
                .formatted(count, limits.turnActions()),
            count,
            limits.turnActions());
  }

  private @Nullable LimitExcess turnBytes(List<Event> newEvents) {
    long limit = limits.turnBytes();
    if (PayloadSize.AT_MOST.of(newEvents) <= limit) {
      return null;
    }
    long size = PayloadSize.EXACT.of(newEvents);
    return size <= limit
        ? null
        : new LimitExcess(
            "Payload of one turn (%d bytes) exceeds limit (%d bytes, Limits.turnBytes); let the code wait for some of it before it asks for more"
                .formatted(size, limit),
            size,
            limit);
  }

  private @Nullable LimitExcess customStatus(List<Event> newEvents) {
    String last = null;
    for (Event event : newEvents) {
      if (event.kind() instanceof EventKind.CustomStatusUpdated update && update.status() != null) {
        last = update.status();
      }
    }
    return last == null ? null : tooLong("Custom status size", last, limits.customStatusBytes());
  }

  private @Nullable LimitExcess tags(List<Event> newEvents) {
    for (Event event : newEvents) {
      if (event.kind() instanceof EventKind.ActivityScheduled activity && activity.tag() != null) {
        String what = "Activity '" + activity.name() + "' tag size";
        LimitExcess excess = tooLong(what, activity.tag(), limits.tagBytes());
        if (excess != null) {
          return excess;
        }
      }
    }
    return null;
  }

  private @Nullable LimitExcess values(List<Event> newEvents, int kvKeys) {
    boolean written = false;
    for (Event event : newEvents) {
      if (event.kind() instanceof EventKind.KeyValueSet set) {
        written = true;
        String what = "KV value for key '" + set.key() + "'";
        LimitExcess excess = tooLong(what, set.value(), limits.kvValueBytes());
        if (excess != null) {
          return excess;
        }
      }
    }
    return written && kvKeys > limits.kvKeys()
        ? new LimitExcess(
            "KV key count (" + kvKeys + ") exceeds limit (" + limits.kvKeys() + ")",
            kvKeys,
            limits.kvKeys())
        : null;
  }

  private static @Nullable LimitExcess tooLong(String what, String text, int limit) {
    if (text.length() * 3L <= limit) {
      return null;
    }
    int size = text.getBytes(StandardCharsets.UTF_8).length;
    return size <= limit
        ? null
        : new LimitExcess(
            what + " (" + size + " bytes) exceeds limit (" + limit + " bytes)", size, limit);
  }
}
