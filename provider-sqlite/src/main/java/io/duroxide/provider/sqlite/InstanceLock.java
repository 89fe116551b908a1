package io.duroxide.provider.sqlite;

import org.jspecify.annotations.Nullable;

/**
 * The lock of an instance, valid while its end lies in the future.
 *
 * @param token who holds it and for which batch; null while the instance merely rests, or is free
 */
record InstanceLock(@Nullable String token, long until) {
  static final InstanceLock NONE = new InstanceLock(null, 0);

  /** Nobody holds it, and nobody gets it before {@code until}. */
  static InstanceLock rest(long until) {
    return new InstanceLock(null, until);
  }

  InstanceLock renewed(long newEnd) {
    return new InstanceLock(token, newEnd);
  }

  boolean isValid(long now) {
    return until > now;
  }

  /** The messages it was taken for; null if nobody holds it. */
  @Nullable Batch batch() {
    return token == null ? null : Tokens.batch(token);
  }
}
