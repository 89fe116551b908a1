package io.duroxide.codec;

import io.duroxide.model.ActivityAttempt;
import io.duroxide.model.CarriedEvent;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.ExecutionKey;
import io.duroxide.model.ParentLink;
import io.duroxide.model.QueueReads;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The fields of one parsed object, asked for by name and type, and the shapes that events and work
 * items share.
 *
 * <p>Only what is asked for is checked: whatever else the object holds is ignored. Every refusal is
 * a {@link DecodeException} that names the field.
 */
final class FieldReader {
  private final String place;
  private final Map<String, Object> values;

  FieldReader(String place, Map<String, Object> values) {
    this.place = place;
    this.values = values;
  }

  String text(String name) {
    return required(name, optionalText(name));
  }

  @Nullable String optionalText(String name) {
    return typed(name, String.class, "a text");
  }

  String textOr(String name, String absent) {
    String value = optionalText(name);
    return value == null ? absent : value;
  }

  long number(String name) {
    return required(name, optionalNumber(name));
  }

  @Nullable Long optionalNumber(String name) {
    return typed(name, Long.class, "a whole number of 64 bits");
  }

  long numberOr(String name, long absent) {
    Long value = optionalNumber(name);
    return value == null ? absent : value;
  }

  /** A number that counts something, so it fits an int. */
  int count(String name) {
    long value = number(name);
    if (value != (int) value) {
      throw problem("field '" + name + "' is out of range");
    }
    return (int) value;
  }

  /** As {@link #count}, or a fixed number. */
  int countOr(String name, int absent) {
    return optionalNumber(name) == null ? absent : count(name);
  }

  boolean flag(String name) {
    return required(name, typed(name, Boolean.class, "true or false"));
  }

  boolean flagOr(String name, boolean absent) {
    return has(name) ? flag(name) : absent;
  }

  Instant instant(String name) {
    return Instant.ofEpochMilli(number(name));
  }

  /** The fields of an object inside this one; null when absent. */
  @Nullable FieldReader object(String name) {
    return typed(name, FieldReader.class, "an object");
  }

  ErrorDetails details() {
    return ErrorDetailsForm.read(required("details", object("details")));
  }

  /** Absent exactly when the parent's instance is. */
  @Nullable ParentLink parent() {
    String instance = optionalText("parent_instance");
    return instance == null
        ? null
        : new ParentLink(
            instance, numberOr("parent_execution_id", ExecutionKey.FIRST), number("parent_id"));
  }

  /** Absent unless all of it is there: nothing that tells of a run may make a text unreadable. */
  @Nullable ActivityAttempt attempt() {
    Long startedAt = optionalNumber("started_at_ms");
    String workerId = optionalText("worker_id");
    return startedAt == null || workerId == null || !has("attempt")
        ? null
        : new ActivityAttempt(Instant.ofEpochMilli(startedAt), workerId, count("attempt"));
  }

  /** Empty when absent. */
  List<CarriedEvent> carried() {
    String name = "carry_forward_events";
    return has(name)
        ? pairs(name).stream()
            .map(pair -> new CarriedEvent(pair.getKey(), pair.getValue()))
            .toList()
        : List.of();
  }

  /** Empty when absent. */
  List<QueueReads> reads() {
    String name = "queue_reads";
    return has(name) ? pairs(name).stream().map(pair -> read(name, pair)).toList() : List.of();
  }

  private QueueReads read(String name, Map.Entry<String, String> pair) {
    try {
      return new QueueReads(pair.getKey(), Integer.parseInt(pair.getValue()));
    } catch (NumberFormatException e) {
      throw problem("field '" + name + "' holds something else than counts");
    }
  }

  /** A list of lists of two texts. */
  List<Map.Entry<String, String>> pairs(String name) {
    List<Map.Entry<String, String>> pairs = new ArrayList<>();
    for (Object pair : list(name)) {
      if (!(pair instanceof List<?> both)
          || both.size() != 2
          || !(both.get(0) instanceof String first)
          || !(both.get(1) instanceof String second)) {
        throw problem("field '" + name + "' holds something else than pairs of texts");
      }
      pairs.add(Map.entry(first, second));
    }
    return pairs;
  }

  List<String> texts(String name) {
    List<String> texts = new ArrayList<>();
    for (Object text : list(name)) {
      if (!(text instanceof String plain)) {
        throw problem("field '" + name + "' holds something else than texts");
      }
      texts.add(plain);
    }
    return texts;
  }

  private List<?> list(String name) {
    return required(name, typed(name, List.class, "a list"));
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  /** The refusal of a name that this build does not know. */
  DecodeException unknown(String name) {
    String value = text(name);
    return problem("unknown " + name + " '" + DecodeException.shown(value) + "'");
  }

  DecodeException problem(String problem) {
    return new DecodeException(place + label() + ": " + problem);
  }

  private String label() {
    return values.get("type") instanceof String type ? " " + DecodeException.shown(type) : "";
  }

  private <T> T required(String name, @Nullable T value) {
    if (value == null) {
      throw problem("field '" + name + "' is missing");
    }
    return value;
  }

  private <T> @Nullable T typed(String name, Class<T> type, String expected) {
    Object value = values.get(name);
    if (value == null) {
      return null;
    }
    if (!type.isInstance(value)) {
      throw problem("field '" + name + "' is not " + expected);
    }
    return type.cast(value);
  }
}
