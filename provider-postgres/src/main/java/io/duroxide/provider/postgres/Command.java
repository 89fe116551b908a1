package io.duroxide.provider.postgres;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * One operation on its way to a lane, and the caller who waits for it.
 *
 * <p>It may run twice: when the group it was in broke, or when the connection did and nobody knows
 * whether it was done. Thread-safe.
 */
abstract sealed class Command<T>
    permits Send, SendWork, Begin, CommitTurn, AckWork, FetchTurns, FetchWork, Keep {
  private final String operation;
  private final CompletableFuture<T> answer = new CompletableFuture<>();
  private @Nullable T result;
  private @Nullable Throwable failure;

  Command(String operation) {
    this.operation = operation;
  }

  final String operation() {
    return operation;
  }

  /** The command will answer with this, once its transaction is committed. */
  final void succeed(T value) {
    result = value;
    failure = null;
  }

  /** The command will answer with this failure. */
  final void fail(Throwable cause) {
    failure = cause;
  }

  /** Hands the answer to the caller. */
  @SuppressWarnings("NullAway") // Every command that did not fail has a result.
  final void publish() {
    if (failure != null) {
      answer.completeExceptionally(failure);
    } else {
      answer.complete(result);
    }
  }

  /** Waits for the answer; an interrupt is kept for later. */
  final T await() {
    try {
      return answer.join();
    } catch (CompletionException wrapped) {
      if (wrapped.getCause() instanceof RuntimeException refusal) {
        throw refusal;
      }
      throw wrapped;
    }
  }
}
