package io.duroxide.api;

import io.duroxide.model.ActivityRouting;
import io.duroxide.model.TextLimit;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Where and how often an activity runs. Meant for static import: {@code options().tag("gpu")},
 * {@code retry(5)}.
 *
 * @param routing session and tag; both are recorded and part of what replay compares
 * @param retry attempts and time limit; null for one attempt without limit
 */
public record ActivityOptions(ActivityRouting routing, @Nullable RetryPolicy retry) {
  private static final ActivityOptions NONE = new ActivityOptions(ActivityRouting.ANYWHERE, null);

  public ActivityOptions {
    if (routing.sessionId() != null) {
      TextLimit.SESSION_ID.check(routing.sessionId());
    }
    // The length of a tag is checked with the other limits of a turn.
    if (routing.tag() != null) {
      TextLimit.TAG.checkForm(routing.tag());
    }
  }

  /** One attempt, anywhere. */
  public static ActivityOptions options() {
    return NONE;
  }

  /** The default retry policy with this many attempts. */
  public static ActivityOptions retry(int maxAttempts) {
    return NONE.retry(RetryPolicy.attempts(maxAttempts));
  }

  public ActivityOptions retry(RetryPolicy policy) {
    return new ActivityOptions(routing, policy);
  }

  /** Runs on the worker that owns this session. */
  public ActivityOptions session(String sessionId) {
    return new ActivityOptions(new ActivityRouting(sessionId, routing.tag()), retry);
  }

  /** Runs on workers that serve this tag. */
  public ActivityOptions tag(String tag) {
    return new ActivityOptions(new ActivityRouting(routing.sessionId(), tag), retry);
  }

  /** Limits each attempt; without a retry policy there is one attempt. */
  public ActivityOptions timeout(Duration timeout) {
    RetryPolicy policy = retry == null ? RetryPolicy.attempts(1) : retry;
    return new ActivityOptions(routing, policy.withTimeout(timeout));
  }
}
