package io.duroxide.provider.postgres;

import java.util.List;

/**
 * What a fetch saw.
 *
 * @param contended whether something was ready and was left, as others may have been at it
 * @param now the store's time
 * @param next when something may turn ready by itself
 * @param all whether nothing was left
 */
record Look<T>(List<T> found, boolean contended, long now, long next, boolean all) {

  Look<T> with(List<T> part) {
    return new Look<>(part, contended, now, next, all);
  }

  /** Found nothing although something was there: whoever has it may give it back at once. */
  boolean isDoubtful() {
    return found.isEmpty() && contended;
  }
}
