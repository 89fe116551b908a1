package io.duroxide.provider.postgres;

import java.time.Duration;

/** Renews the lock of an instance, or gives it up. */
final class KeepTurn extends Command<Boolean> {
  private final Tokens.Turn lock;
  private final boolean renews;
  private final long span;
  private final boolean ignoreAttempt;

  private KeepTurn(
      String operation, String token, boolean renews, Duration span, boolean ignoreAttempt) {
    super(operation);
    this.lock = Tokens.turn(operation, token);
    this.renews = renews;
    this.span = Millis.of(span);
    this.ignoreAttempt = ignoreAttempt;
  }

  static KeepTurn renew(String token, Duration extendFor) {
    String operation = "renewOrchestrationItemLock";
    return new KeepTurn(operation, token, true, Refusal.checkLease(operation, extendFor), false);
  }

  static KeepTurn abandon(String token, Duration delay, boolean ignoreAttempt) {
    return new KeepTurn("abandonOrchestrationItem", token, false, delay, ignoreAttempt);
  }

  Tokens.Turn lock() {
    return lock;
  }

  boolean renews() {
    return renews;
  }

  /** How long the lock goes on, or how long the instance rests. */
  long span() {
    return span;
  }

  boolean ignoresAttempt() {
    return ignoreAttempt;
  }
}
