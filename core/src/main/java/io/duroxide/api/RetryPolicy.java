package io.duroxide.api;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * How often and how patiently an activity is tried.
 *
 * @param maxAttempts attempts in all, the first included
 * @param backoff the pause between attempts
 * @param timeout limit of each attempt; a timed-out attempt ends the call without another one
 */
public record RetryPolicy(int maxAttempts, Backoff backoff, @Nullable Duration timeout) {
  private static final Backoff DEFAULT_BACKOFF =
      new Backoff.Exponential(Duration.ofMillis(100), 2.0, Duration.ofSeconds(30));

  /** Three attempts, exponential pauses from 100 ms up to 30 s, no time limit. */
  public static final RetryPolicy DEFAULT = new RetryPolicy(3, DEFAULT_BACKOFF, null);

  public RetryPolicy {
    if (maxAttempts < 1) {
      throw new IllegalArgumentException("maxAttempts must be at least 1, not " + maxAttempts);
    }
    Objects.requireNonNull(backoff, "backoff");
    if (timeout != null && timeout.isNegative()) {
      throw new IllegalArgumentException("timeout must not be negative: " + timeout);
    }
  }

  /** The default policy with this many attempts. */
  public static RetryPolicy attempts(int maxAttempts) {
    return new RetryPolicy(maxAttempts, DEFAULT_BACKOFF, null);
  }

  public RetryPolicy withBackoff(Backoff newBackoff) {
    return new RetryPolicy(maxAttempts, newBackoff, timeout);
  }

  public RetryPolicy withTimeout(@Nullable Duration newTimeout) {
    return new RetryPolicy(maxAttempts, backoff, newTimeout);
  }
}
