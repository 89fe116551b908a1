package io.duroxide.replay;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.MDC;
import org.slf4j.spi.LoggingEventBuilder;

/**
 * What the code of an execution logs in a turn, held back until the turn is stored: a turn that is
 * thrown away runs again and would say everything twice. Thread-safe.
 */
final class TurnLines {
  /** Beyond this many lines, or this much text, a turn writes at once. */
  private static final int MOST_LINES = 1_000;

  private static final int MOST_TEXT = 1 << 20;

  private final Logger target;
  private final InstantSource clock;
  private final UnaryOperator<LoggingEventBuilder> fields;
  private final ReentrantLock lock = new ReentrantLock();
  private List<Held> held = List.of();
  private int text;
  private boolean open;
  private boolean atOnce;

  /** A line, when it was logged, and what its thread had in its logging context. */
  private record Held(LogLine line, Instant at, @Nullable Map<String, String> context) {}

  TurnLines(Logger target, InstantSource clock, UnaryOperator<LoggingEventBuilder> fields) {
    this.target = target;
    this.clock = clock;
    this.fields = fields;
  }

  Logger target() {
    return target;
  }

  /** A turn begins. */
  void open() {
    lock.lock();
    try {
      open = true;
      atOnce = false;
    } finally {
      lock.unlock();
    }
  }

  /** The turn has been computed; what code logs while it is taken apart is of no interest. */
  void close() {
    lock.lock();
    try {
      open = false;
    } finally {
      lock.unlock();
    }
  }

  void add(LogLine line) {
    Held entry = new Held(line.asText(), clock.instant(), MDC.getCopyOfContextMap());
    List<Held> due = List.of();
    lock.lock();
    try {
      if (!open) {
        return;
      }
      if (held.isEmpty()) {
        held = new ArrayList<>(4);
      }
      held.add(entry);
      text += entry.line().length();
      atOnce |= held.size() > MOST_LINES || text > MOST_TEXT;
      if (atOnce) {
        due = take();
      }
    } finally {
      lock.unlock();
    }
    write(due, fields);
  }

  /** The turn is stored. */
  void stored() {
    write(takeLocked(), fields);
  }

  /** The turn will never be stored. */
  void thrownAway() {
    List<Held> lines = takeLocked();
    if (target.isDebugEnabled()) {
      write(lines, event -> fields.apply(event).addKeyValue("turn_stored", false));
    }
  }

  private List<Held> takeLocked() {
    lock.lock();
    try {
      return take();
    } finally {
      lock.unlock();
    }
  }

  private List<Held> take() {
    List<Held> taken = held;
    held = List.of();
    text = 0;
    return taken;
  }

  /** The thread that writes lends its logging context to nobody. */
  private void write(List<Held> lines, UnaryOperator<LoggingEventBuilder> names) {
    if (lines.isEmpty()) {
      return;
    }
    Map<String, String> own = MDC.getCopyOfContextMap();
    try {
      for (Held each : lines) {
        context(each.context());
        each.line().write(target, event -> names.apply(event).addKeyValue("logged_at", each.at()));
      }
    } finally {
      context(own);
    }
  }

  private static void context(@Nullable Map<String, String> context) {
    if (context == null) {
      MDC.clear();
    } else {
      MDC.setContextMap(context);
    }
  }
}
