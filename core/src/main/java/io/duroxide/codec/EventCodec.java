package io.duroxide.codec;

import io.duroxide.model.Event;

/**
 * Turns history events into stored JSON and back.
 *
 * <p>What was encoded decodes to an equal event, except that instants keep milliseconds only and
 * saturate at the range of a long. Stateless and thread-safe.
 */
public final class EventCodec {
  private EventCodec() {}

  /** The JSON object, on one line, that stores {@code event}. */
  public static String encode(Event event) {
    return new EventWriter(event).write();
  }

  /**
   * The event that {@code json} stores. Unknown fields are skipped.
   *
   * @throws DecodeException if it is no JSON object, has an unknown kind, or lacks a field
   */
  public static Event decode(String json) {
    return EventReader.read(FieldParser.parse("event", json));
  }
}
