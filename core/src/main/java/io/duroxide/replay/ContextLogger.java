package io.duroxide.replay;

import java.util.function.BooleanSupplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.AbstractLogger;
import org.slf4j.spi.LoggingEventBuilder;

/** A logger for user code that adds the fields of its context and can be silent. */
public final class ContextLogger extends AbstractLogger {
  private static final long serialVersionUID = 1L;

  private final transient Logger target;
  private final transient BooleanSupplier silent;
  private final transient UnaryOperator<LoggingEventBuilder> fields;

  /**
   * Wraps a logger.
   *
   * @param silent whether to say nothing for now
   * @param fields adds the fields of the context
   */
  public ContextLogger(
      Logger target, BooleanSupplier silent, UnaryOperator<LoggingEventBuilder> fields) {
    this.target = target;
    this.silent = silent;
    this.fields = fields;
    this.name = target.getName();
  }

  private boolean enabled(Level level) {
    return !silent.getAsBoolean() && target.isEnabledForLevel(level);
  }

  @Override
  protected @Nullable String getFullyQualifiedCallerName() {
    return null;
  }

  @Override
  protected void handleNormalizedLoggingCall(
      Level level,
      @Nullable Marker marker,
      @Nullable String message,
      Object @Nullable [] arguments,
      @Nullable Throwable cause) {
    LoggingEventBuilder event = fields.apply(target.makeLoggingEventBuilder(level));
    if (marker != null) {
      event = event.addMarker(marker);
    }
    if (arguments != null) {
      for (Object argument : arguments) {
        event = event.addArgument(argument);
      }
    }
    if (cause != null) {
      event = event.setCause(cause);
    }
    event.log(message);
  }

  @Override
  public boolean isTraceEnabled() {
    return enabled(Level.TRACE);
  }

  @Override
  public boolean isTraceEnabled(Marker marker) {
    return enabled(Level.TRACE);
  }

  @Override
  public boolean isDebugEnabled() {
    return enabled(Level.DEBUG);
  }

  @Override
  public boolean isDebugEnabled(Marker marker) {
    return enabled(Level.DEBUG);
  }

  @Override
  public boolean isInfoEnabled() {
    return enabled(Level.INFO);
  }

  @Override
  public boolean isInfoEnabled(Marker marker) {
    return enabled(Level.INFO);
  }

  @Override
  public boolean isWarnEnabled() {
    return enabled(Level.WARN);
  }

  @Override
  public boolean isWarnEnabled(Marker marker) {
    return enabled(Level.WARN);
  }

  @Override
  public boolean isErrorEnabled() {
    return enabled(Level.ERROR);
  }

  @Override
  public boolean isErrorEnabled(Marker marker) {
    return enabled(Level.ERROR);
  }
}
