package io.duroxide.replay;

import io.duroxide.api.ActivityFailedException;
import io.duroxide.api.ActivityOptions;
import io.duroxide.api.Awaited;
import io.duroxide.api.DurableFuture;
import io.duroxide.api.OrchestrationContext;
import io.duroxide.api.RetryPolicy;
import io.duroxide.model.ApplicationErrorKind;
import io.duroxide.model.ErrorDetails;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Tries an activity again after a failure: ordinary orchestration code on timers and selects. */
final class RetryLoop {
  private final String name;
  private final String input;
  private final ActivityOptions once;
  private final RetryPolicy policy;

  RetryLoop(String name, String input, ActivityOptions options, RetryPolicy policy) {
    this.name = name;
    this.input = input;
    this.once = new ActivityOptions(options.routing(), null);
    this.policy = policy;
  }

  String run(OrchestrationContext ctx) {
    for (int attempt = 1; ; attempt++) {
      Awaited<String> result;
      try {
        result = attempt(ctx);
      } catch (ActivityFailedException e) {
        if (attempt == policy.maxAttempts()) {
          throw e;
        }
        ctx.log()
            .warn(
                "activity {} failed, attempt {} of {}: {}",
                name,
                attempt,
                policy.maxAttempts(),
                e.getMessage());
        pause(ctx, attempt);
        continue;
      }
      return switch (result) {
        case Awaited.Got<String>(String value) -> value;
        case Awaited.TimedOut<String> ignored ->
            throw new ActivityFailedException(name, TIMED_OUT, ctx.converter());
      };
    }
  }

  private static final ErrorDetails.Application TIMED_OUT =
      new ErrorDetails.Application(
          ApplicationErrorKind.ACTIVITY_FAILED, "timeout: activity timed out");

  private Awaited<String> attempt(OrchestrationContext ctx) {
    DurableFuture<String> activity = ctx.callActivity(name, input, once);
    @Nullable Duration timeout = policy.timeout();
    return timeout == null ? new Awaited.Got<>(activity.await()) : activity.await(timeout);
  }

  private void pause(OrchestrationContext ctx, int failures) {
    Duration delay = policy.backoff().delayAfter(failures);
    if (!delay.isZero()) {
      ctx.timer(delay).await();
    }
  }
}
