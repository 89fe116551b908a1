package io.duroxide.provider.sqlite;

import org.jspecify.annotations.Nullable;

/**
 * The lock of an instance, valid while its end lies in the future.
 *
 * <p>The batch is not marked on the messages: it is those that were visible at {@code batchAt} and
 * had arrived by {@code batchSeq}. Nor does taking the lock count the attempt on them; that is done
 * when the lock is given up, because most batches are consumed before anyone asks.
 *
 * @param token who holds it; null while the instance merely rests, or is free
 */
record InstanceLock(@Nullable String token, long until, long batchAt, long batchSeq) {
  static final InstanceLock NONE = new InstanceLock(null, 0, 0, 0);

  /** Nobody holds it, and nobody gets it before {@code until}. */
  static InstanceLock rest(long until) {
    return new InstanceLock(null, until, 0, 0);
  }

  InstanceLock renewed(long newEnd) {
    return new InstanceLock(token, newEnd, batchAt, batchSeq);
  }

  boolean isValid(long now) {
    return until > now;
  }

  /** Whether a message belongs to the batch whose attempt is not yet counted on it. */
  boolean holds(Place message) {
    return token != null && message.at() <= batchAt && message.seq() <= batchSeq;
  }
}
