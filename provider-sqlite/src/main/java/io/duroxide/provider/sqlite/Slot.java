package io.duroxide.provider.sqlite;

import org.jspecify.annotations.Nullable;

/**
 * Where an instance stands.
 *
 * @param at in the ready line when its oldest message turned visible; in the others when it can be
 *     fetched
 * @param seq of the message
 */
record Slot(int line, long at, long seq) {
  static final int NO_LINE = 0;
  static final int READY = 1;
  static final int SLEEPING = 2;

  /** Sleeping because it is locked or rests. */
  static final int HELD = 3;

  static final Slot NONE = new Slot(NO_LINE, 0, 0);

  /** The line as it is stored: null for none, so that the index of lines stays small. */
  @Nullable Integer storedLine() {
    return line == NO_LINE ? null : line;
  }

  /** The oldest message, of one in the ready line. */
  Place place() {
    return new Place(at, seq);
  }

  static Slot ready(Place oldest) {
    return new Slot(READY, oldest.at(), oldest.seq());
  }

  static Slot sleeping(long until, Place oldest) {
    return new Slot(SLEEPING, until, oldest.seq());
  }

  static Slot held(long until, Place oldest) {
    return new Slot(HELD, until, oldest.seq());
  }
}
