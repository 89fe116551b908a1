package io.duroxide.provider.memory;

import java.util.HashSet;
import java.util.Set;

/** The numbers of one queue: no two that are in use are the same. Guarded by the gate. */
final class Positions {
  private final Set<Long> used = new HashSet<>();
  private long last;

  /** A number behind all that were given. */
  long next() {
    used.add(++last);
    return last;
  }

  /** {@code wanted} if it is free; else a number behind all that were given. */
  long take(long wanted) {
    if (!used.add(wanted)) {
      return next();
    }
    last = Math.max(last, wanted);
    return wanted;
  }

  void free(long number) {
    used.remove(number);
  }
}
