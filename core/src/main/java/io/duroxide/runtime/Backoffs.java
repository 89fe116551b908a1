package io.duroxide.runtime;

import java.time.Duration;

/** The pauses of the runtime, as functions of how often something failed. */
final class Backoffs {
  /** Retries of a commit before the turn is handed back. */
  static final int ACK_RETRIES = 5;

  /** For work that may find a better node meanwhile. */
  static final Duration HANDED_BACK = Duration.ofSeconds(1);

  /** For how long an instance rests that this node could not load. */
  static final Duration SET_ASIDE = Duration.ofSeconds(30);

  private static final int MAX_DOUBLINGS = 6;
  private static final Duration FETCH_CAP = Duration.ofSeconds(3);
  private static final Duration LEAST_LOCK_WITH_BUFFER = Duration.ofSeconds(15);

  private Backoffs() {}

  /** After the n-th fetch in a row that failed: 200, 400, 800 ms … 3 s. */
  static Duration afterFailedFetch(int failures) {
    Duration pause = Duration.ofMillis(100L << Math.min(failures, MAX_DOUBLINGS));
    return pause.compareTo(FETCH_CAP) < 0 ? pause : FETCH_CAP;
  }

  /** Before the n-th retry of a commit: 10, 20, 40, 80, 160 ms. */
  static Duration beforeAckRetry(int retry) {
    return Duration.ofMillis(10L << Math.min(retry - 1, MAX_DOUBLINGS));
  }

  /** For work without a handler on its n-th attempt: doubling from base up to max. */
  static Duration unregistered(int attempt, Duration base, Duration max) {
    Duration pause = base.multipliedBy(1L << Math.clamp(attempt - 1, 0, MAX_DOUBLINGS));
    return pause.compareTo(max) < 0 ? pause : max;
  }

  /** Whether a lock of this length is renewed one buffer before its end, not at its half. */
  static boolean hasRenewalBuffer(Duration lockTimeout) {
    return lockTimeout.compareTo(LEAST_LOCK_WITH_BUFFER) >= 0;
  }

  /** How long to wait before renewing a lock of this length. */
  static Duration renewalInterval(Duration lockTimeout, Duration buffer) {
    if (!hasRenewalBuffer(lockTimeout)) {
      return lockTimeout.dividedBy(2);
    }
    Duration interval = lockTimeout.minus(buffer.compareTo(lockTimeout) < 0 ? buffer : lockTimeout);
    return interval.compareTo(Duration.ofSeconds(1)) < 0 ? Duration.ofSeconds(1) : interval;
  }
}
