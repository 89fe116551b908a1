package io.duroxide.provider.postgres;

import java.time.Duration;

/**
 * Renews a lock, or gives it up. The answer is false if the lock is held and was not renewed,
 * because another transaction has its row.
 */
abstract sealed class Keep extends Command<Boolean> permits KeepTurn, KeepWork {
  private final boolean renews;
  private final long span;
  private final boolean ignoreAttempt;

  /** Renews it. */
  Keep(String operation, Duration extendFor) {
    super(operation);
    this.renews = true;
    this.span = Millis.of(Refusal.checkLease(operation, extendFor));
    this.ignoreAttempt = false;
  }

  /** Gives it up. */
  Keep(String operation, Duration delay, boolean ignoreAttempt) {
    super(operation);
    this.renews = false;
    this.span = Millis.of(delay);
    this.ignoreAttempt = ignoreAttempt;
  }

  /** The token of the lock. */
  abstract String token();

  boolean renews() {
    return renews;
  }

  /** How long the lock goes on, or how long what it locked stays hidden. */
  long span() {
    return span;
  }

  boolean ignoresAttempt() {
    return ignoreAttempt;
  }
}
