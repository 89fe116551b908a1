package io.duroxide.provider.memory;

import java.time.Duration;
import java.time.Instant;

/**
 * A lease that routes the activities of a session to one owner.
 *
 * @param usedAt when it was last fetched from, renewed by work or acked
 */
record Session(String owner, Instant until, Instant usedAt) {
  boolean isOwned(Instant now) {
    return until.isAfter(now);
  }

  boolean isOwnedBy(String candidate, Instant now) {
    return isOwned(now) && owner.equals(candidate);
  }

  boolean isIdle(Instant now, Duration idleTimeout) {
    return !StoreClock.after(usedAt, idleTimeout).isAfter(now);
  }

  Session touched(Instant now) {
    return new Session(owner, until, now);
  }

  /** The clock went back. */
  Session shifted(StoreClock.Step step) {
    return new Session(owner, step.shifted(until), step.shifted(usedAt));
  }

  Session extended(Instant newEnd) {
    return new Session(owner, newEnd, usedAt);
  }
}
