package io.duroxide.cli;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.jspecify.annotations.Nullable;

/** Values as people read them. */
final class Shown {
  private static final int MILLIS_PER_SECOND = 1000;

  private Shown() {}

  /** On one line, and harmless: stored text must not steer the terminal. */
  static String text(@Nullable String text) {
    if (text == null) {
      return "";
    }
    StringBuilder shown = new StringBuilder();
    text.codePoints().forEach(c -> shown.appendCodePoint(Character.isISOControl(c) ? ' ' : c));
    return shown.toString();
  }

  /** As {@link #text(String)}, cut to {@code limit} characters. */
  static String text(@Nullable String text, int limit) {
    String shown = text(text);
    return shown.length() <= limit ? shown : shown.substring(0, limit - 1) + "…";
  }

  /** With the two largest units: {@code 3d 4h}, {@code 2m 5s}, {@code 120ms}. */
  static String span(Duration span) {
    if (span.isNegative()) {
      return "-" + span(span.negated());
    }
    long seconds = span.toSeconds();
    if (seconds == 0) {
      return span.toMillis() + "ms";
    }
    if (seconds < 10) {
      return "%d.%ds".formatted(seconds, span.toMillisPart() * 10 / MILLIS_PER_SECOND);
    }
    if (seconds < 60) {
      return seconds + "s";
    }
    if (span.toMinutes() < 60) {
      return two(span.toMinutes(), "m", span.toSecondsPart(), "s");
    }
    if (span.toHours() < 24) {
      return two(span.toHours(), "h", span.toMinutesPart(), "m");
    }
    return two(span.toDays(), "d", span.toHoursPart(), "h");
  }

  private static String two(long large, String largeUnit, long small, String smallUnit) {
    return small == 0 ? large + largeUnit : large + largeUnit + " " + small + smallUnit;
  }

  static String age(Instant then, Instant now) {
    return span(Duration.between(then, now)) + " ago";
  }

  static String instant(Instant instant) {
    return instant.truncatedTo(ChronoUnit.MILLIS).toString();
  }

  static String count(long number, String one, String many) {
    return "%,d %s".formatted(number, number == 1 ? one : many);
  }
}
