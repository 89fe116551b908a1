package io.duroxide.provider.memory;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The lock of an instance, valid while its end lies in the future.
 *
 * @param token who holds it; null while the instance merely rests
 * @param batch the messages it was taken with
 */
record InstanceLock(@Nullable String token, Instant until, Batch batch) {
  /** Nobody holds it, and nobody gets it before {@code until}. */
  static InstanceLock coolDown(Instant until) {
    return new InstanceLock(null, until, Batch.EMPTY);
  }

  InstanceLock renewed(Instant newEnd) {
    return new InstanceLock(token, newEnd, batch);
  }

  boolean isValid(Instant now) {
    return until.isAfter(now);
  }
}
