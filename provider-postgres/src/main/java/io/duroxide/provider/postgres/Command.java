package io.duroxide.provider.postgres;

import io.duroxide.provider.Answer;
import io.duroxide.provider.WaitingCallers;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * One operation on its way to a lane, and the caller who waits for it.
 *
 * <p>It may run twice: when the group it was in broke, or when the connection did and nobody knows
 * whether it was done. Thread-safe.
 */
abstract sealed class Command<T>
    permits Send, SendWork, CommitTurn, AckWork, FetchTurns, FetchWork, Keep {
  private final String operation;
  private final Answer<T> answer = new Answer<>();

  Command(String operation) {
    this.operation = operation;
  }

  final String operation() {
    return operation;
  }

  /** The command will answer with this, once its transaction is committed. */
  final void succeed(T value) {
    answer.succeed(value);
  }

  /** The command will answer with this failure. */
  final void fail(Throwable cause) {
    answer.fail(cause);
  }

  /** The command answers with this failure, unless it has been answered. */
  final void abandon(Throwable cause) {
    answer.failUnlessSettled(cause);
    answer.publish();
  }

  /** Hands the answer to the caller. */
  final void publish() {
    answer.publish();
  }

  /** The answer, which somebody will give. */
  final T await(WaitingCallers callers) {
    return await(callers, Optional::empty);
  }

  /**
   * Waits for the answer; an interrupt is kept for later.
   *
   * @param end why no answer will come; asked once a second
   */
  final T await(WaitingCallers callers, Supplier<Optional<RuntimeException>> end) {
    return answer.await(callers, new Promise(end));
  }

  /** What the caller may expect. */
  private final class Promise implements Answer.Source {
    private final Supplier<Optional<RuntimeException>> end;

    Promise(Supplier<Optional<RuntimeException>> end) {
      this.end = end;
    }

    @Override
    public Optional<RuntimeException> end() {
      return end.get();
    }

    @Override
    public RuntimeException told(Throwable failure) {
      return Trouble.told(operation, failure);
    }
  }
}
