package io.duroxide.provider.sqlite;

import java.sql.SQLException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** A command on its way, and the caller who waits for it. Thread-safe. */
final class Pending<T> {
  private final String operation;
  private final Command<T> command;
  private final boolean lasts;
  private final CompletableFuture<T> answer = new CompletableFuture<>();
  private @Nullable T result;
  private @Nullable Throwable failure;

  /**
   * A command.
   *
   * @param lasts whether what it commits must survive a loss of power
   */
  Pending(String operation, Command<T> command, boolean lasts) {
    this.operation = operation;
    this.command = command;
    this.lasts = lasts;
  }

  boolean lasts() {
    return lasts;
  }

  String operation() {
    return operation;
  }

  /** Runs the command; its answer is kept back until {@link #publish}. */
  void run(Tables tables) throws SQLException {
    failure = null;
    result = command.run(tables);
  }

  /** The command will answer with this failure. */
  void fail(Throwable cause) {
    failure = cause;
  }

  /** Hands the answer to the caller. */
  @SuppressWarnings("NullAway") // A command without an answer has null for one.
  void publish() {
    if (failure != null) {
      answer.completeExceptionally(failure);
    } else {
      answer.complete(result);
    }
  }

  /** Waits for the answer; an interrupt is kept for later. */
  T await() {
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
