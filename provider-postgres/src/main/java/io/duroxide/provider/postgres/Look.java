package io.duroxide.provider.postgres;

import java.util.List;

/**
 * What a fetch saw.
 *
 * @param contended whether something was ready and was left, as others were at it
 * @param now the store's time
 * @param next when something may turn ready by itself
 * @param all whether nothing was left
 */
record Look<T>(List<T> found, boolean contended, long now, long next, boolean all) {
  private static final long SOON_MILLIS = 20;

  Look<T> with(List<T> part) {
    return new Look<>(part, contended, now, next, all);
  }

  /** To be repeated soon: when others are done, nobody says so. */
  Look<T> soon() {
    return new Look<>(found, contended, now, Math.min(next, now + SOON_MILLIS), all);
  }

  /** Found nothing although something was there: whoever has it may give it back at once. */
  boolean isDoubtful() {
    return found.isEmpty() && contended;
  }
}
