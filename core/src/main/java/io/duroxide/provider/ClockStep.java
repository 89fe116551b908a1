package io.duroxide.provider;

import java.time.Duration;
import java.time.Instant;

/**
 * The clock of a store was set back, and the store has seen to it that order and visibility stayed
 * as they were.
 *
 * @param number how many of them there were, this one included, since the store was opened
 * @param back by how much, in whole seconds
 * @param noticedAt on the store's clock, after the step
 */
public record ClockStep(long number, Duration back, Instant noticedAt) {
  /** A clock that goes back by no more than this stands still instead, until it has caught up. */
  public static final Duration STANDSTILL = Duration.ofSeconds(1);
}
