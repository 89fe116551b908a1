package io.duroxide.replay;

import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.Marker;
import org.slf4j.event.Level;
import org.slf4j.helpers.AbstractLogger;

/** A logger for user code that can be silent and says each line to its context. */
public final class ContextLogger extends AbstractLogger {
  private static final long serialVersionUID = 1L;

  private final transient Logger target;
  private final transient BooleanSupplier silent;
  private final transient Consumer<LogLine> lines;

  /**
   * Wraps a logger.
   *
   * @param silent whether to say nothing for now
   * @param lines gets each line that the target would write
   */
  public ContextLogger(Logger target, BooleanSupplier silent, Consumer<LogLine> lines) {
    this.target = target;
    this.silent = silent;
    this.lines = lines;
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
    lines.accept(LogLine.of(level, marker, message, arguments, cause));
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
