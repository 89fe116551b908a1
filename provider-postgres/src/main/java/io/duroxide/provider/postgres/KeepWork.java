package io.duroxide.provider.postgres;

import java.time.Duration;

/** Renews the lock of an activity, or gives it up. */
final class KeepWork extends Keep {
  private static final String RENEW = "renewWorkItemLock";
  private static final String ABANDON = "abandonWorkItem";

  private final Tokens.Work lock;

  private KeepWork(Tokens.Work lock, Duration extendFor) {
    super(RENEW, extendFor);
    this.lock = lock;
  }

  private KeepWork(Tokens.Work lock, Duration delay, boolean ignoreAttempt) {
    super(ABANDON, delay, ignoreAttempt);
    this.lock = lock;
  }

  static KeepWork renew(String token, Duration extendFor) {
    return new KeepWork(Tokens.work(RENEW, token), extendFor);
  }

  static KeepWork abandon(String token, Duration delay, boolean ignoreAttempt) {
    return new KeepWork(Tokens.work(ABANDON, token), delay, ignoreAttempt);
  }

  Tokens.Work lock() {
    return lock;
  }

  @Override
  String token() {
    return lock.text();
  }
}
