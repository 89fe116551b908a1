package io.duroxide.replay;

import io.duroxide.api.Limits;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.Event;
import io.duroxide.model.EventKind;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Refuses a turn that stores more than an instance may: status, tags, values, keys, in order. */
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
  @Nullable ErrorDetails violation(List<Event> newEvents, int kvKeys) {
    String message = customStatus(newEvents);
    message = message == null ? tags(newEvents) : message;
    message = message == null ? values(newEvents, kvKeys) : message;
    return message == null
        ? null
        : new ErrorDetails.Application(ApplicationErrorKind.ORCHESTRATION_FAILED, message);
  }

  private @Nullable String customStatus(List<Event> newEvents) {
    String last = null;
    for (Event event : newEvents) {
      if (event.kind() instanceof EventKind.CustomStatusUpdated update && update.status() != null) {
        last = update.status();
      }
    }
    return last == null ? null : tooLong("Custom status size", last, limits.customStatusBytes());
  }

  private @Nullable String tags(List<Event> newEvents) {
    for (Event event : newEvents) {
      if (event.kind() instanceof EventKind.ActivityScheduled activity && activity.tag() != null) {
        String what = "Activity '" + activity.name() + "' tag size";
        String message = tooLong(what, activity.tag(), limits.tagBytes());
        if (message != null) {
          return message;
        }
      }
    }
    return null;
  }

  private @Nullable String values(List<Event> newEvents, int kvKeys) {
    boolean written = false;
    for (Event event : newEvents) {
      if (event.kind() instanceof EventKind.KeyValueSet set) {
        written = true;
        String what = "KV value for key '" + set.key() + "'";
        String message = tooLong(what, set.value(), limits.kvValueBytes());
        if (message != null) {
          return message;
        }
      }
    }
    return written && kvKeys > limits.kvKeys()
        ? "KV key count (" + kvKeys + ") exceeds limit (" + limits.kvKeys() + ")"
        : null;
  }

  private static @Nullable String tooLong(String what, String text, int limit) {
    if (text.length() * 3L <= limit) {
      return null;
    }
    int size = text.getBytes(StandardCharsets.UTF_8).length;
    return size <= limit
        ? null
        : what + " (" + size + " bytes) exceeds limit (" + limit + " bytes)";
  }
}
