package io.duroxide.codec;

import io.duroxide.model.ActivityAttempt;
import io.duroxide.model.CarriedEvent;
import io.duroxide.model.ErrorDetails;
import io.duroxide.model.ParentLink;
import io.duroxide.model.QueueReads;
import java.time.Instant;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes one JSON object field by field, in call order, and the shapes that events and work items
 * share.
 *
 * <p>It is not Jackson's generator because that one writes an unpaired surrogate as it is, and a
 * store that keeps UTF-8 would turn it into a question mark. Here such a character is escaped; so
 * are quote, backslash and control characters, and nothing else. Not thread-safe: one for each
 * object.
 */
final class FieldWriter {
  private static final int TYPICAL_LENGTH = 320;
  private static final HexFormat HEX = HexFormat.of();

  private final StringBuilder out = new StringBuilder(TYPICAL_LENGTH).append('{');

  FieldWriter text(String name, String value) {
    Objects.requireNonNull(value, name);
    name(name);
    string(value);
    return this;
  }

  FieldWriter optionalText(String name, @Nullable String value) {
    return value == null ? this : text(name, value);
  }

  FieldWriter number(String name, long value) {
    name(name);
    out.append(value);
    return this;
  }

  FieldWriter optionalNumber(String name, @Nullable Long value) {
    return value == null ? this : number(name, value);
  }

  FieldWriter flag(String name, boolean value) {
    name(name);
    out.append(value);
    return this;
  }

  /** Whole milliseconds since 1970; beyond a long, the nearest long. */
  FieldWriter instant(String name, Instant value) {
    return number(name, epochMillis(value));
  }

  FieldWriter details(ErrorDetails details) {
    return object("details", inner -> ErrorDetailsForm.write(details, inner));
  }

  /** An object inside this one. */
  FieldWriter object(String name, Consumer<FieldWriter> fields) {
    name(name);
    out.append('{');
    fields.accept(this);
    out.append('}');
    return this;
  }

  /** Nothing at all when there is no parent. */
  FieldWriter parent(@Nullable ParentLink parent) {
    if (parent == null) {
      return this;
    }
    return text("parent_instance", parent.instance())
        .number("parent_id", parent.scheduleId())
        .number("parent_execution_id", parent.executionId());
  }

  /** Nothing at all when there was none. */
  FieldWriter attempt(@Nullable ActivityAttempt attempt) {
    if (attempt == null) {
      return this;
    }
    return instant("started_at_ms", attempt.startedAt())
        .text("worker_id", attempt.workerId())
        .number("attempt", attempt.number());
  }

  /** A list of {@code [queue, data]} pairs; nothing at all when it is empty. */
  FieldWriter carried(List<CarriedEvent> events) {
    if (events.isEmpty()) {
      return this;
    }
    return pairs(
        "carry_forward_events",
        events.stream().map(event -> Map.entry(event.queue(), event.data())).toList());
  }

  /** A list of {@code [queue, count]} pairs; nothing at all when it is empty. */
  FieldWriter reads(List<QueueReads> reads) {
    if (reads.isEmpty()) {
      return this;
    }
    return pairs(
        "queue_reads",
        reads.stream()
            .map(read -> Map.entry(read.queue(), Integer.toString(read.messages())))
            .toList());
  }

  /** A list of lists of two texts. */
  FieldWriter pairs(String name, List<Map.Entry<String, String>> pairs) {
    name(name);
    out.append('[');
    for (Map.Entry<String, String> pair : pairs) {
      separate();
      out.append('[');
      string(pair.getKey());
      out.append(',');
      string(pair.getValue());
      out.append(']');
    }
    out.append(']');
    return this;
  }

  FieldWriter texts(String name, Collection<String> texts) {
    name(name);
    out.append('[');
    for (String text : texts) {
      separate();
      string(text);
    }
    out.append(']');
    return this;
  }

  /** Closes the object; the writer is used up. */
  String finish() {
    return out.append('}').toString();
  }

  private void name(String name) {
    separate();
    out.append('"').append(name).append("\":");
  }

  private void separate() {
    char last = out.charAt(out.length() - 1);
    if (last != '{' && last != '[') {
      out.append(',');
    }
  }

  private void string(String text) {
    out.append('"');
    int written = 0;
    int length = text.length();
    for (int i = 0; i < length; i++) {
      char c = text.charAt(i);
      if (isPlain(c)) {
        continue;
      }
      if (beginsPair(text, i)) {
        i++;
        continue;
      }
      out.append(text, written, i);
      escape(c);
      written = i + 1;
    }
    out.append(text, written, length).append('"');
  }

  private static boolean isPlain(char c) {
    return c >= ' ' && c != '"' && c != '\\' && !Character.isSurrogate(c);
  }

  private static boolean beginsPair(String text, int i) {
    return Character.isHighSurrogate(text.charAt(i))
        && i + 1 < text.length()
        && Character.isLowSurrogate(text.charAt(i + 1));
  }

  private void escape(char c) {
    switch (c) {
      case '"' -> out.append("\\\"");
      case '\\' -> out.append("\\\\");
      case '\b' -> out.append("\\b");
      case '\f' -> out.append("\\f");
      case '\n' -> out.append("\\n");
      case '\r' -> out.append("\\r");
      case '\t' -> out.append("\\t");
      default -> out.append("\\u").append(HEX.toHexDigits(c));
    }
  }

  private static long epochMillis(Instant instant) {
    try {
      return instant.toEpochMilli();
    } catch (ArithmeticException beyondLong) {
      return instant.getEpochSecond() < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }
  }
}
