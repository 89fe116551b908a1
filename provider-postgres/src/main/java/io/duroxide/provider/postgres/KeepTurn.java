package io.duroxide.provider.postgres;

import java.time.Duration;

/** Renews the lock of an instance, or gives it up. */
final class KeepTurn extends Keep {
  private static final String RENEW = "renewOrchestrationItemLock";
  private static final String ABANDON = "abandonOrchestrationItem";

  private final Tokens.Turn lock;

  private KeepTurn(Tokens.Turn lock, Duration extendFor) {
    super(RENEW, extendFor);
    this.lock = lock;
  }

  private KeepTurn(Tokens.Turn lock, Duration delay, boolean ignoreAttempt) {
    super(ABANDON, delay, ignoreAttempt);
    this.lock = lock;
  }

  static KeepTurn renew(String token, Duration extendFor) {
    return new KeepTurn(Tokens.turn(RENEW, token), extendFor);
  }

  static KeepTurn abandon(String token, Duration delay, boolean ignoreAttempt) {
    return new KeepTurn(Tokens.turn(ABANDON, token), delay, ignoreAttempt);
  }

  Tokens.Turn lock() {
    return lock;
  }

  @Override
  String token() {
    return lock.text();
  }
}
