package io.duroxide.replay;

import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.MessageFormatter;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * Something that user code logged.
 *
 * @param arguments for the places of the message
 */
public record LogLine(
    Level level,
    @Nullable Marker marker,
    @Nullable String message,
    List<@Nullable Object> arguments,
    @Nullable Throwable cause) {

  static LogLine of(
      Level level,
      @Nullable Marker marker,
      @Nullable String message,
      Object @Nullable [] arguments,
      @Nullable Throwable cause) {
    return new LogLine(
        level, marker, message, arguments == null ? List.of() : Arrays.asList(arguments), cause);
  }

  /** The same line as text: what its arguments are later does not change it. */
  LogLine asText() {
    return arguments.isEmpty()
        ? this
        : new LogLine(
            level,
            marker,
            MessageFormatter.basicArrayFormat(message, arguments.toArray()),
            List.of(),
            cause);
  }

  int length() {
    return Objects.requireNonNullElse(message, "").length();
  }

  /**
   * Writes it.
   *
   * @param fields adds the fields of the context
   */
  public void write(Logger target, UnaryOperator<LoggingEventBuilder> fields) {
    LoggingEventBuilder event = fields.apply(target.makeLoggingEventBuilder(level));
    if (marker != null) {
      event = event.addMarker(marker);
    }
    for (Object argument : arguments) {
      event = event.addArgument(argument);
    }
    if (cause != null) {
      event = event.setCause(cause);
    }
    event.log(message);
  }
}
