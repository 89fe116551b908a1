package io.duroxide.provider;

import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One call that a store answered.
 *
 * @param operation the method's name, such as {@code commitTurn}
 * @param duration how long the store worked; absent when the call may have waited for work
 * @param outcome how it ended
 * @param rows how many items it returned or counted; 0 for calls that answer nothing
 */
public record ProviderOperation(
    String operation, @Nullable Duration duration, Outcome outcome, int rows) {
  public ProviderOperation {
    Objects.requireNonNull(operation, "operation");
    Objects.requireNonNull(outcome, "outcome");
  }

  /** How a call ended. */
  public sealed interface Outcome {
    Outcome SUCCESS = new Success();
    Outcome EMPTY = new Empty();

    record Success() implements Outcome {}

    /** It was asked for items and had none. */
    record Empty() implements Outcome {}

    /** It threw. An interrupt counts as {@code TIMEOUT}, a foreign exception as unknown. */
    record Failure(ProviderException.Kind kind) implements Outcome {}
  }
}
