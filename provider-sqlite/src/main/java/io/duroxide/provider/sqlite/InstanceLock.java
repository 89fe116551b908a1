package io.duroxide.provider.sqlite;

import org.jspecify.annotations.Nullable;

/**
 * The lock of an instance, valid while its end lies in the future.
 *
 * @param token who holds it and for which batch; null while the instance merely rests, or is free
 * @param shift by how much the clock was set back since it was taken, in milliseconds
 */
record InstanceLock(@Nullable String token, long until, long shift) {
  static final InstanceLock NONE = new InstanceLock(null, 0, 0);

  private static final char SHIFTED = '#';

  /** Held by {@code token}. */
  static InstanceLock held(String token, long until) {
    return new InstanceLock(token, until, 0);
  }

  /** Nobody holds it, and nobody gets it before {@code until}. */
  static InstanceLock rest(long until) {
    return new InstanceLock(null, until, 0);
  }

  /** As it is stored: the shift stands behind the token, if there is any. */
  static InstanceLock ofStored(@Nullable String stored, long until) {
    int end = stored == null ? -1 : stored.lastIndexOf(SHIFTED);
    return stored == null || end < 0
        ? new InstanceLock(stored, until, 0)
        : new InstanceLock(
            stored.substring(0, end), until, Long.parseLong(stored.substring(end + 1)));
  }

  @Nullable String storedToken() {
    return token == null || shift == 0 ? token : token + SHIFTED + shift;
  }

  InstanceLock renewed(long newEnd) {
    return new InstanceLock(token, newEnd, shift);
  }

  /** After the clock was set back. */
  InstanceLock shifted(long newEnd, long back) {
    return new InstanceLock(token, newEnd, shift + back);
  }

  boolean isValid(long now) {
    return until > now;
  }

  /** The messages it was taken for; null if nobody holds it. */
  @Nullable Batch batch() {
    return token == null ? null : Tokens.batch(token).shifted(shift);
  }
}
