package io.duroxide.client;

import io.duroxide.model.ExecutionStatus;
import io.duroxide.provider.TurnCommit;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whether and how an instance has ended, without what it says of itself.
 *
 * @param output if it completed
 * @param failure if it failed
 */
record Ending(@Nullable String output, OrchestrationStatus.@Nullable Failed failure) {
  private static final Ending NOT_YET = new Ending(null, null);

  /** The commit that completes an instance says all there is to know; of a failure it does not. */
  static final StatusWait.Hearing<Ending> HEARING =
      new StatusWait.Hearing<>() {
        @Override
        public boolean matters(TurnCommit commit) {
          ExecutionStatus status = commit.metadata().status();
          return status != null && status.endsInstance();
        }

        @Override
        public @Nullable Ending told(TurnCommit commit) {
          return commit.metadata().status() == ExecutionStatus.COMPLETED
              ? new Ending(Objects.requireNonNullElse(commit.metadata().output(), ""), null)
              : null;
        }
      };

  static Ending of(OrchestrationStatus status) {
    return switch (status) {
      case OrchestrationStatus.Completed c -> new Ending(c.output(), null);
      case OrchestrationStatus.Failed f -> new Ending(null, f);
      case OrchestrationStatus.Running ignored -> NOT_YET;
      case OrchestrationStatus.NotFound ignored -> NOT_YET;
    };
  }

  boolean isReached() {
    return output != null || failure != null;
  }

  /** The output; throws if it failed. */
  String result() {
    if (failure != null) {
      throw new ClientException.OrchestrationFailed(failure.details().displayMessage(), failure);
    }
    return Objects.requireNonNull(output, "it has not ended");
  }
}
