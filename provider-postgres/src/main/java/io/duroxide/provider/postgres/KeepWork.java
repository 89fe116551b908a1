package io.duroxide.provider.postgres;

import java.time.Duration;

/** Renews the lock of an activity, or gives it up. */
final class KeepWork extends Command<Boolean> {
  private final Tokens.Work lock;
  private final boolean renews;
  private final long span;
  private final boolean ignoreAttempt;

  private KeepWork(
      String operation, String token, boolean renews, Duration span, boolean ignoreAttempt) {
    super(operation);
    this.lock = Tokens.work(operation, token);
    this.renews = renews;
    this.span = Millis.of(span);
    this.ignoreAttempt = ignoreAttempt;
  }

  static KeepWork renew(String token, Duration extendFor) {
    String operation = "renewWorkItemLock";
    return new KeepWork(operation, token, true, Refusal.checkLease(operation, extendFor), false);
  }

  static KeepWork abandon(String token, Duration delay, boolean ignoreAttempt) {
    return new KeepWork("abandonWorkItem", token, false, delay, ignoreAttempt);
  }

  Tokens.Work lock() {
    return lock;
  }

  boolean renews() {
    return renews;
  }

  /** How long the lock goes on, or how long the activity stays hidden. */
  long span() {
    return span;
  }

  boolean ignoresAttempt() {
    return ignoreAttempt;
  }
}
